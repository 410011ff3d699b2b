import type { Outside } from '../../../platform/feature/index.ts';
import { isTrackingHostSeen, linkHostOf, trackingHostOf, type SendingDomain } from '../sending-domains/index.ts';
import { linkBaseOf } from '../tracking-certificates/index.ts';
import type { TrackingSettings } from './store.ts';

export const clickView = ({ clicks }: TrackingSettings) => ({
  active: clicks === 'htmlonly' ? ('htmlonly' as const) : clicks === 'yes',
});

export const openView = ({ opens, isPixelAtTop }: TrackingSettings) => ({
  active: opens,
  place_at_the_top: isPixelAtTop,
});

export const unsubscribeView = ({ unsubscribes, htmlFooter, textFooter }: TrackingSettings) => ({
  active: unsubscribes,
  html_footer: htmlFooter,
  text_footer: textFooter,
});

export async function linksView(outside: Pick<Outside, 'config' | 'db' | 'clock' | 'log'>, domain: SendingDomain) {
  const target = linkHostOf(outside);
  const hasHost = target !== undefined && domain.type === 'custom';
  return {
    start_with: (await linkBaseOf(outside, domain)) || null,
    host: hasHost ? trackingHostOf(domain) : null,
    host_target: hasHost ? target : null,
    is_host_used: hasHost && isTrackingHostSeen(domain),
  };
}
