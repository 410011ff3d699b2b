// The service tells a fault that stands in several places once, with all of them; marks and buttons are one for each
// place.
import type { Finding } from './report-api.ts';

/** The finding once for each of its places. */
export function everyPlace<F extends Pick<Finding, 'where' | 'places'>>(finding: F): F[] {
  return finding.places === undefined ? [finding] : finding.places.map((where) => ({ ...finding, where }));
}
