// Runs inside Thunderbird, in its privileged context: the text of this file goes before every command that is sent.
// `state` lives as long as the process.
/* global Cc, Ci, ChromeUtils, Components, IOUtils, Services, OffscreenCanvas, DOMRect */

const state = (globalThis.galleyState ??= { window: undefined, assetBase: undefined, messageUrl: undefined, blocked: [] });

const MESSAGE_WINDOW = 'chrome://messenger/content/messageWindow.xhtml';
const FAR_SCHEMES = ['http', 'https'];
const OWN_SCHEMES = ['data', 'about', 'chrome', 'resource', 'cid', 'moz-icon'];
const { ACCEPT, REJECT_REQUEST } = Ci.nsIContentPolicy;

/** Sends every web request of the program to the asset server, whatever its address was. */
function redirectToAssets() {
  const observer = {
    observe(subject) {
      const channel = subject.QueryInterface(Ci.nsIHttpChannel);
      const { spec } = channel.URI;
      if (state.assetBase === undefined) channel.cancel(0x804b0002);
      else if (!spec.startsWith(state.assetBase)) channel.redirectTo(Services.io.newURI(state.assetBase + encodeURIComponent(spec)));
    },
  };
  Services.obs.addObserver(observer, 'http-on-modify-request');
}

/** What a message may load besides Thunderbird's own rules: the web (see above), itself, and parts of itself. */
function mayLoad(uri, info) {
  const isProgram = !info.loadingPrincipal || info.loadingPrincipal.isSystemPrincipal;
  if (isProgram || FAR_SCHEMES.includes(uri.scheme) || OWN_SCHEMES.includes(uri.scheme)) return true;
  return uri.scheme === 'mailbox' && state.messageUrl !== undefined && uri.spec.startsWith(state.messageUrl);
}

/** The second fence around files and mailboxes of this machine, behind Thunderbird's own. */
function refuseFiles() {
  const policy = {
    QueryInterface: ChromeUtils.generateQI(['nsIContentPolicy']),
    shouldLoad: (uri, info) => (mayLoad(uri, info) ? ACCEPT : REJECT_REQUEST),
    shouldProcess: () => ACCEPT,
  };
  const contract = '@galley/content-policy;1';
  const id = Components.ID('{7c1d1f0e-7d7c-4f4a-9a53-1d7e5a0a7a01}');
  const registrar = Components.manager.QueryInterface(Ci.nsIComponentRegistrar);
  registrar.registerFactory(id, 'Message loads', contract, { createInstance: (iid) => policy.QueryInterface(iid) });
  Services.catMan.addCategoryEntry('content-policy', contract, contract, false, true);
}

function once(target, event) {
  return new Promise((resolve) => target.addEventListener(event, resolve, { once: true }));
}

function parts() {
  const messageBrowser = state.window.document.getElementById('messageBrowser');
  const about = messageBrowser.contentWindow;
  return { messageBrowser, about, pane: about.document.getElementById('messagepane') };
}

async function install(messageUri) {
  redirectToAssets();
  refuseFiles();
  const uri = Services.io.newURI(messageUri);
  state.window = Services.ww.openWindow(null, MESSAGE_WINDOW, '_blank', 'all,chrome,dialog=no', uri);
  await once(state.window, 'load');
  await once(state.window, 'MsgLoaded');
  return Services.appinfo.version;
}

function fit(width, height, pixelRatio) {
  const { messageBrowser, pane } = parts();
  // The whole message area gets the width: Thunderbird shrinks wide images by it, not by the pane inside it.
  messageBrowser.style.cssText = `flex: none; width: ${width}px; min-width: ${width}px; max-width: ${width}px;`;
  pane.style.cssText = `flex: none; width: ${width}px; height: ${height}px; min-height: ${height}px; max-height: ${height}px;`;
  pane.browsingContext.overrideDPPX = pixelRatio;
}

function forgetEarlierMessages() {
  Cc['@mozilla.org/image/tools;1'].getService(Ci.imgITools).getImgCacheForDocument(null).clearCache(false);
  Services.cache2.clear();
}

async function settle(pane) {
  const { window } = state;
  const pause = () => new Promise((resolve) => window.setTimeout(resolve, 10));
  const doc = pane.contentDocument;
  while (doc.readyState !== 'complete' || [...doc.images].some((image) => !image.complete)) await pause();
  for (const animation of doc.getAnimations()) {
    const end = Number(animation.effect?.getComputedTiming().endTime ?? 0);
    if (Number.isFinite(end) && animation.playbackRate !== 0) animation.finish();
    else animation.cancel();
  }
  await doc.fonts.ready;
}

/** Shows a message; resolves with the size of its document in CSS pixels once everything in it has loaded. */
async function open({ messageUri, messageUrl, assetBase, images, width, height, pixelRatio }) {
  Services.prefs.setBoolPref('mailnews.message_display.disable_remote_image', !images);
  forgetEarlierMessages();
  Object.assign(state, { assetBase, messageUrl });
  const { about, pane } = parts();
  fit(width, height, pixelRatio);
  const loaded = once(state.window, 'MsgLoaded');
  about.displayMessage(messageUri);
  await loaded;
  await settle(pane);
  const root = pane.contentDocument.documentElement;
  return { width: pane.contentWindow.innerWidth, clientWidth: root.clientWidth, height: root.scrollHeight };
}

/** Writes the top of the shown message to a file as RGBA rows, band by band, since one canvas has a limit. */
async function capture({ path, width, height, pixelRatio, bandHeight }) {
  const { pane } = parts();
  const pixels = { width: Math.round(width * pixelRatio), height: 0 };
  for (let top = 0; top < height; top += bandHeight) {
    const rect = new DOMRect(0, top, width, Math.min(bandHeight, height - top));
    // What is not painted stays transparent: a message's pane is always opaque, so that shows a failure.
    const bitmap = await pane.browsingContext.currentWindowGlobal.drawSnapshot(rect, pixelRatio, 'rgba(0, 0, 0, 0)');
    const context = new OffscreenCanvas(pixels.width, bitmap.height).getContext('2d', { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, pixels.width, bitmap.height);
    await IOUtils.write(path, new Uint8Array(data.buffer), { mode: top === 0 ? 'overwrite' : 'append' });
    pixels.height += bitmap.height;
    bitmap.close();
  }
  return pixels;
}

/** Leaves nothing of the message behind for the next one. */
async function leave() {
  const { about } = parts();
  about.displayMessage(null);
  Object.assign(state, { assetBase: undefined, messageUrl: undefined });
}

state.commands = { install, open, capture, leave };
