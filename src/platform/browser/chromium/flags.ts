// Chromium's flags, and the headers with which the mail is served. Each line closes a way out or removes a difference
// between machines.

/** The document's address: a real origin with headers, though nothing but the interceptor answers there. */
export const MAIL_ORIGIN = 'https://mail.test';

/** Sent with every document. `sandbox` keeps scripts, forms, frames, plug-ins and refreshes dead. */
export const MAIL_CSP = [
  "default-src 'none'",
  'img-src https: http: data:',
  "style-src 'unsafe-inline' https: http: data:",
  'font-src https: http: data:',
  'media-src https: http: data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  'sandbox',
].join('; ');

const DISABLED_FEATURES = [
  // An http image stays the http image that the sender wrote, so that its asset is found.
  'AutoupgradeMixedContent',
  'HttpsUpgrades',
  'Translate',
  'MediaRouter',
  'OptimizationHints',
  'DialMediaRouteProvider',
  'PaintHolding',
  'InterestFeedContentSuggestions',
  'NetworkTimeServiceQuerying',
  'SpareRendererForSitePerProcess',
  // A document without scripts and frames, alone in its browser context, needs no new process at each navigation:
  // that would cost a third of a render. Contexts never share a process.
  'IsolateSandboxedIframes',
  'ProactivelySwapBrowsingInstance',
  'RenderDocument',
];

const FLAGS = [
  '--headless',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-component-extensions-with-background-pages',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-extensions',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-client-side-phishing-detection',
  '--disable-back-forward-cache',
  '--disable-hang-monitor',
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--metrics-recording-only',
  '--no-pings',
  '--no-service-autorun',
  '--password-store=basic',
  '--use-mock-keychain',
  '--mute-audio',
  // Names resolve to nothing and every connection goes to a port where nobody listens: even preconnect stays inside.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  // The same pixels everywhere.
  '--hide-scrollbars',
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--force-color-profile=srgb',
  '--force-device-scale-factor=1',
  '--lang=en-US',
  '--disable-site-isolation-trials',
  // Fewer, larger tiles: pictures are far longer than a screen.
  '--default-tile-width=1024',
  '--default-tile-height=1024',
  // A picture waits for its images, and an animated one shows its first frame.
  '--disable-checker-imaging',
  '--blink-settings=imageAnimationPolicy=2',
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
  '--disable-background-timer-throttling',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
];

/** The flags of one process with its own empty profile. */
export function chromiumFlags(options: {
  profileDir: string;
  hasSandbox: boolean;
  hasSmallSharedMemory: boolean;
}): string[] {
  return [
    ...FLAGS,
    `--user-data-dir=${options.profileDir}`,
    ...(options.hasSandbox ? [] : ['--no-sandbox']),
    ...(options.hasSmallSharedMemory ? ['--disable-dev-shm-usage'] : []),
    'about:blank',
  ];
}
