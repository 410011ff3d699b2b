// What of one message is tracked: its own options go before the settings of its domain.
import { hasUnsubscribeHole, type Footers, type Tracking } from '../../../engines/mail-merge/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { getDomain, type DeliveryMode } from '../sending-domains/index.ts';
import { linkBaseOf } from '../tracking-certificates/index.ts';
import { findTrackingByName, type ClickTracking, type TrackingSettings } from './store.ts';

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

type Settings = Pick<TrackingSettings, 'unsubscribes' | 'htmlFooter' | 'textFooter'>;

/** The footers of a message; its own `o:tracking=no` leaves them out. */
function footersOf(settings: Settings | undefined, { tracking }: TrackingOptions): Footers | undefined {
  if (!settings?.unsubscribes || tracking === false) return undefined;
  const { htmlFooter: html, textFooter: text } = settings;
  return html === '' && text === '' ? undefined : { html, text };
}

/** Whether the footers of a message hold a link with which its reader unsubscribes. */
export const hasFooterLink = ({ footers }: Pick<Tracking, 'footers'>): boolean =>
  footers !== undefined && (hasUnsubscribeHole(footers.html) || hasUnsubscribeHole(footers.text));

/**
 * Undefined: nothing is tracked, and there are no footers. Of a message that stays here, nothing is tracked; nor where
 * the service has no address that readers could reach (`GALLEY_PUBLIC_URL`). Throws `invalid_request` for a message that
 * would leave with a footer whose link leads nowhere.
 */
export async function decideTracking(
  outside: Pick<Outside, 'config' | 'db' | 'secrets' | 'clock' | 'log'>,
  accountId: string,
  { domain, options, mode }: { domain: string; options: TrackingOptions; mode: DeliveryMode },
): Promise<Tracked | undefined> {
  const { tracking, trackingClicks = tracking, trackingOpens = tracking && true, isPixelAtTop } = options;
  const hasAddress = outside.config.publicUrl !== '';
  const settings = await findTrackingByName(outside.db, accountId, domain);
  const footers = footersOf(settings, options);
  if (mode === 'live' && !hasAddress && hasFooterLink({ footers }))
    throw new AppError(
      'invalid_request',
      `The domain ${domain} puts a footer with a link to unsubscribe below its messages, and this service has no ` +
        'address that readers could follow it to: its operator sets GALLEY_PUBLIC_URL, or the message is sent with ' +
        'o:tracking=no.',
    );
  const isTracked = mode === 'live' && hasAddress;
  const clicks = trackingClicks === undefined ? (settings?.clicks ?? 'no') : clicksBy(trackingClicks);
  const isOpenTracked = trackingOpens ?? settings?.opens ?? false;
  const isAtTop = isPixelAtTop ?? settings?.isPixelAtTop ?? false;
  const what: Tracking = isTracked
    ? { clicks, pixel: isOpenTracked ? (isAtTop ? 'top' : 'end') : 'no', footers }
    : { clicks: 'no', pixel: 'no', footers };
  if (what.clicks === 'no' && what.pixel === 'no' && !footers) return undefined;
  const row = await getDomain(outside, accountId, domain);
  return { domainId: row.id, baseUrl: await linkBaseOf(outside, row), ...what };
}
