// What of one message is tracked: its own options go before the settings of its domain.
import type { Tracking } from '../../../engines/mail-merge/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import { findTrackingByName, type ClickTracking } from './store.ts';

/** `o:tracking`, `o:tracking-clicks`, `o:tracking-opens`, `o:tracking-pixel-location-top`. */
interface TrackingOptions {
  tracking?: boolean | 'htmlonly';
  trackingClicks?: boolean | 'htmlonly';
  trackingOpens?: boolean;
  isPixelAtTop?: boolean;
}

/** Kept with a message when it is accepted, so that each of its copies is tracked alike. */
export interface Tracked extends Tracking {
  domainId: string;
  /** Starts its links. */
  baseUrl: string;
}

const clicksBy = (said: boolean | 'htmlonly'): ClickTracking => (said === 'htmlonly' ? said : said ? 'yes' : 'no');

/** Undefined: nothing is tracked, or the service has no address that readers could reach (`GALLEY_PUBLIC_URL`). */
export async function decideTracking(
  outside: Pick<Outside, 'config' | 'db' | 'secrets' | 'clock'>,
  accountId: string,
  { domain, options }: { domain: string; options: TrackingOptions },
): Promise<Tracked | undefined> {
  const { tracking, trackingClicks = tracking, trackingOpens = tracking && true, isPixelAtTop } = options;
  const baseUrl = outside.config.publicUrl;
  if (baseUrl === '' || (trackingClicks === false && trackingOpens === false)) return undefined;
  const settings = await findTrackingByName(outside.db, accountId, domain);
  const clicks = trackingClicks === undefined ? (settings?.clicks ?? 'no') : clicksBy(trackingClicks);
  const isOpenTracked = trackingOpens ?? settings?.opens ?? false;
  if (clicks === 'no' && !isOpenTracked) return undefined;
  const isAtTop = isPixelAtTop ?? settings?.isPixelAtTop ?? false;
  const domainId = settings?.domainId ?? (await getDomain(outside, accountId, domain)).id;
  return { domainId, baseUrl, clicks, pixel: isOpenTracked ? (isAtTop ? 'top' : 'end') : 'no' };
}
