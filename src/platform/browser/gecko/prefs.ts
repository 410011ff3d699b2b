// Settings of the profiles that Gecko programs draw with: empty profiles that ask nothing and call nobody.

type PrefValue = boolean | number | string;
export type Prefs = Record<string, PrefValue>;

interface GeckoPrefsOptions {
  marionettePort: number;
  /** The proxy that answers for the whole web, on loopback. */
  proxyPort: number;
}

/** Nothing listens on the discard port. */
const DEAD_PROXY_PORT = 9;

const QUIET: Prefs = {
  'app.normandy.enabled': false,
  'app.update.auto': false,
  'app.update.disabledForTesting': true,
  'app.update.enabled': false,
  'browser.cache.disk.enable': false,
  'browser.shell.checkDefaultBrowser': false,
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

const NO_NETWORK: Prefs = {
  // A document's addresses stay as its sender wrote them.
  'dom.security.https_first': false,
  'dom.security.https_first_schemeless': false,
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
  'network.proxy.no_proxies_on': '',
  'network.proxy.type': 1,
  'network.stricttransportsecurity.preloadlist': false,
  'network.trr.mode': 5,
  'network.websocket.enabled': false,
  'security.mixed_content.upgrade_display_content': false,
};

const AS_SHOWN: Prefs = {
  'gfx.color_management.mode': 0,
  'image.animation_mode': 'none',
  'layers.acceleration.disabled': true,
  'ui.useOverlayScrollbars': 1,
  'widget.gtk.overlay-scrollbars.enabled': true,
};

/** Every setting that all Gecko programs share. */
export function geckoPrefs(options: GeckoPrefsOptions): Prefs {
  const proxies: Prefs = {};
  for (const [kind, port] of [
    ['http', options.proxyPort],
    ['ssl', options.proxyPort],
    ['socks', DEAD_PROXY_PORT],
  ] as const) {
    proxies[`network.proxy.${kind}`] = '127.0.0.1';
    proxies[`network.proxy.${kind}_port`] = port;
  }
  return { ...QUIET, ...NO_NETWORK, ...AS_SHOWN, ...proxies, 'marionette.port': options.marionettePort };
}

const THUNDERBIRD: Prefs = {
  'app.donation.eoy.version.viewed': 9999,
  'calendar.timezone.useSystemTimezone': false,
  'mail.accounthub.enabled': false,
  'mail.chat.enabled': false,
  'mail.dark-reader.enabled': true,
  'mail.dark-reader.show-toggle': false,
  'mail.inappnotifications.enabled': false,
  'mail.phishing.detection.enabled': false,
  'mail.provider.enabled': false,
  'mail.provider.suppress_dialog_on_startup': true,
  'mail.rights.version': 9999,
  'mail.shell.checkDefaultClient': false,
  'mail.spotlight.firstRunDone': true,
  'mail.winsearch.firstRunDone': true,
  'mailnews.auto_config.fetchFromISP.enabled': false,
  'mailnews.start_page.enabled': false,
  'mailnews.start_page_override.mstone': 'ignore',
};

/** What a Thunderbird needs besides; everything else is as in a fresh installation. */
export function thunderbirdPrefs(colorScheme: 'light' | 'dark'): Prefs {
  const isDark = colorScheme === 'dark';
  return {
    ...THUNDERBIRD,
    'browser.theme.content-theme': isDark ? 0 : 1,
    'browser.theme.toolbar-theme': isDark ? 0 : 1,
    'layout.css.prefers-color-scheme.content-override': isDark ? 0 : 1,
    'ui.systemUsesDarkTheme': isDark ? 1 : 0,
  };
}

/** What a Firefox needs besides. Its color scheme is set per document. */
export const FIREFOX_PREFS: Prefs = {
  'browser.aboutwelcome.enabled': false,
  'browser.chrome.site_icons': false,
  'browser.newtabpage.enabled': false,
  'browser.sessionstore.resume_from_crash': false,
  'browser.startup.homepage': 'about:blank',
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.startup.page': 0,
  // One document at a time, from one origin: a process per site is only memory.
  'dom.ipc.processCount': 1,
  'fission.autostart': false,
  'media.autoplay.default': 5,
  'startup.homepage_welcome_url': 'about:blank',
};

/** The text of a profile's `user.js`. */
export function userJs(prefs: Prefs): string {
  return Object.entries(prefs)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');
}
