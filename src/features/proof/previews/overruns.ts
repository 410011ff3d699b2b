// How long a message may keep browsers busy for nothing.
import type { RenderError } from '../../../platform/browser/index.ts';
import type { Overruns } from './overruns-store.ts';

/** When pictures of a message have failed for so many times what one may take, the others have less. */
const FULL_SHARES = 2;
/** For so many times what one may take they share what is left, in equal parts… */
const WASTE_SHARES = 6;
/** …but never less than this share of it: still several times what an ordinary picture takes. */
const SHORTEST_SHARE = 0.1;
/** What a failure counts at least: a page of a browser is lost with each. */
const LEAST_MS = 500;

export function wasteOf({ cpuMs }: RenderError): number {
  return Math.max(cpuMs, LEAST_MS);
}

/** Processor time for one more picture of a message, where one picture alone may take `pictureMs`. */
export function patienceMs({ wastedMs, pending }: Overruns, pictureMs: number): number {
  if (wastedMs < FULL_SHARES * pictureMs) return pictureMs;
  const part = (WASTE_SHARES * pictureMs - wastedMs) / Math.max(1, pending);
  return Math.round(Math.min(pictureMs, Math.max(SHORTEST_SHARE * pictureMs, part)));
}

/** Why there is no picture, in words that hold. */
export function reasonOf(
  error: RenderError,
  { wastedMs, isShortened }: { wastedMs: number; isShortened: boolean },
): string {
  if (error.reason !== 'too_slow' || !isShortened) return error.message;
  return (
    `${error.message} It had no more, since other pictures of this message had taken ` +
    `${Math.round(wastedMs / 1000)} seconds without result.`
  );
}
