import { AppError } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { placeOf, type Place } from '../sessions/index.ts';

/** Throws `conflict` where browsers have no passkeys. */
export function getPlace({ baseUrl }: Pick<Context, 'baseUrl'>): Place {
  const place = placeOf(baseUrl);
  if (place) return place;
  throw new AppError(
    'conflict',
    `Browsers have passkeys only at https addresses with a name, and at http://localhost; this is ${baseUrl}.`,
  );
}
