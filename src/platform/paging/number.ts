// `page`: lists whose pages have numbers, from 1 on, beside a field for the length of a page (`results`, `limit`).
import { Type } from 'typebox';
import type { SkipPage } from './skip.ts';

/** The fields of the query. `name` is what the wire calls the length of a page. */
export function numberFields<Name extends string>(
  name: Name,
  { limit, limitMax }: { limit: number; limitMax: number },
) {
  return {
    [name]: Type.Integer({ minimum: 1, maximum: limitMax, default: limit }),
    page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
  } as Record<Name | 'page', Type.TInteger>;
}

/** The same page by the rows before it. */
export function skipOf({ limit, page }: { limit: number; page: number }): SkipPage {
  return { limit, skip: (page - 1) * limit };
}
