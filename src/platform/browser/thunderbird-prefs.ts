// Settings of the Thunderbird profile that draws messages: an empty profile that asks nothing, calls nobody and shows
// a message as a fresh installation shows it.

export type PrefValue = boolean | number | string;

export interface ThunderbirdPrefsOptions {
  marionettePort: number;
  /** The only port on loopback that leads anywhere. */
  assetPort: number;
  colorScheme: 'light' | 'dark';
}

/** Nothing listens on the discard port. */
const DEAD_PROXY_PORT = 9;

const QUIET: Record<string, PrefValue> = {
  'app.donation.eoy.version.viewed': 9999,
  'app.update.auto': false,
  'app.update.disabledForTesting': true,
  'app.update.enabled': false,
  'browser.cache.disk.enable': false,
  'browser.shell.checkDefaultBrowser': false,
  'calendar.timezone.useSystemTimezone': false,
  'datareporting.healthreport.uploadEnabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'datareporting.policy.dataSubmissionPolicyBypassNotification': true,
  'datareporting.usage.uploadEnabled': false,
  'dom.ipc.processPrelaunch.enabled': false,
  'extensions.autoDisableScopes': 15,
  'extensions.blocklist.enabled': false,
  'extensions.getAddons.cache.enabled': false,
  'extensions.installDistroAddons': false,
  'extensions.systemAddon.update.enabled': false,
  'extensions.update.enabled': false,
  'mail.accounthub.enabled': false,
  'mail.chat.enabled': false,
  'mail.inappnotifications.enabled': false,
  'mail.provider.enabled': false,
  'mail.provider.suppress_dialog_on_startup': true,
  'mail.rights.version': 9999,
  'mail.shell.checkDefaultClient': false,
  'mail.spotlight.firstRunDone': true,
  'mail.winsearch.firstRunDone': true,
  'mailnews.auto_config.fetchFromISP.enabled': false,
  'mailnews.start_page.enabled': false,
  'mailnews.start_page_override.mstone': 'ignore',
  // Marionette's own set of settings lets files read files; everything needed from it stands here.
  'remote.prefs.recommended': false,
  'security.fileuri.strict_origin_policy': true,
  'services.settings.server': 'data:,#off',
  'toolkit.cosmeticAnimations.enabled': false,
  'toolkit.startup.max_resumed_crashes': -1,
  'toolkit.telemetry.enabled': false,
  'toolkit.telemetry.server': 'data:,',
  'toolkit.telemetry.unified': false,
};

const NO_NETWORK: Record<string, PrefValue> = {
  'geo.provider.network.url': '',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.cookie.cookieBehavior': 2,
  'network.dns.disablePrefetch': true,
  'network.dns.disablePrefetchFromHTTPS': true,
  'network.http.speculative-parallel-limit': 0,
  'network.manage-offline-status': false,
  'network.prefetch-next': false,
  'network.predictor.enabled': false,
  'network.protocol-handler.external-default': false,
  'network.proxy.allow_hijacking_localhost': true,
  'network.proxy.failover_direct': false,
  'network.proxy.type': 1,
  'network.trr.mode': 5,
  'network.websocket.enabled': false,
};

const AS_SHOWN: Record<string, PrefValue> = {
  'gfx.color_management.mode': 0,
  'image.animation_mode': 'none',
  'layers.acceleration.disabled': true,
  'mail.phishing.detection.enabled': false,
  'ui.useOverlayScrollbars': 1,
  'widget.gtk.overlay-scrollbars.enabled': true,
};

function colorSchemePrefs(colorScheme: 'light' | 'dark'): Record<string, PrefValue> {
  const isDark = colorScheme === 'dark';
  return {
    'browser.theme.content-theme': isDark ? 0 : 1,
    'browser.theme.toolbar-theme': isDark ? 0 : 1,
    'layout.css.prefers-color-scheme.content-override': isDark ? 0 : 1,
    'mail.dark-reader.enabled': true,
    'mail.dark-reader.show-toggle': false,
    'ui.systemUsesDarkTheme': isDark ? 1 : 0,
  };
}

/** Every setting that differs from Thunderbird's defaults. */
export function thunderbirdPrefs(options: ThunderbirdPrefsOptions): Record<string, PrefValue> {
  const proxies = ['http', 'ssl', 'socks'].flatMap((kind) => [
    [`network.proxy.${kind}`, '127.0.0.1'],
    [`network.proxy.${kind}_port`, DEAD_PROXY_PORT],
  ]);
  return {
    ...QUIET,
    ...NO_NETWORK,
    ...(Object.fromEntries(proxies) as Record<string, PrefValue>),
    'network.proxy.no_proxies_on': `127.0.0.1:${options.assetPort}`,
    ...AS_SHOWN,
    ...colorSchemePrefs(options.colorScheme),
    'marionette.port': options.marionettePort,
  };
}

/** The text of a profile's `user.js`. */
export function userJs(prefs: Record<string, PrefValue>): string {
  return Object.entries(prefs).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join('');
}
