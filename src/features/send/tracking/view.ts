import type { Outside } from '../../../platform/feature/index.ts';
import {
  isTrackingHostSeen,
  linkBaseOf,
  linkHostOf,
  trackingHostOf,
  type SendingDomain,
} from '../sending-domains/index.ts';
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

export function linksView(outside: Pick<Outside, 'config'>, domain: SendingDomain) {
  const target = linkHostOf(outside);
  const hasHost = target !== undefined && domain.type === 'custom';
  return {
    start_with: linkBaseOf(outside, domain) || null,
    host: hasHost ? trackingHostOf(domain) : null,
    host_target: hasHost ? target : null,
    is_host_used: hasHost && isTrackingHostSeen(domain),
  };
}
