import { invalid } from '../../../platform/errors/index.ts';
import type { PageQuery } from './paging-store.ts';

/** Absolute addresses only, and none that leads nowhere: clients parse each. */
export function pagingView(
  url: string,
  { query, ids, total }: { query: PageQuery & Record<string, unknown>; ids: readonly string[]; total: number },
) {
  const at = (place: { offset?: number; cursor?: string }): string => {
    const address = new URL(url);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && !['offset', 'cursor', 'ascending'].includes(name))
        address.searchParams.set(name, value instanceof Date ? value.toISOString() : String(value));
    }
    address.searchParams.set('ascending', query.ascending ? '1' : '0');
    for (const [name, value] of Object.entries(place)) address.searchParams.set(name, String(value));
    return address.href;
  };
  const first = ids[0];
  const last = ids.at(-1);
  const lastOffset = Math.max(0, Math.ceil(total / query.limit) - 1) * query.limit;
  const seen = (query.offset ?? 0) + ids.length;
  return {
    first: at({ offset: 0 }),
    last: at({ offset: lastOffset }),
    ...(last !== undefined &&
      (query.cursor !== undefined ? ids.length === query.limit : seen < total) && { next: at({ cursor: last }) }),
    ...(first !== undefined &&
      (query.cursor !== undefined || (query.offset ?? 0) > 0) && { previous: at({ cursor: `-${first}` }) }),
  };
}

/** RFC 2822 or ISO 8601, as different clients send it. */
export function readTime(field: string, text: string | undefined): Date | undefined {
  if (text === undefined || text === '') return undefined;
  const at = new Date(/^\d{9,11}$/.test(text) ? Number(text) * 1000 : text);
  if (Number.isNaN(at.getTime())) throw invalid(field, `"${text}" is not a time; give it as RFC 2822 or ISO 8601.`);
  return at;
}
