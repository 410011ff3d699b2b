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
