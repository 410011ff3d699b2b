// Runs inside Thunderbird, after gecko-page.js and gecko-chrome.js.
/* global Ci, ChromeUtils, Components, Services, state, galleyPage */

const MESSAGE_WINDOW = 'chrome://messenger/content/messageWindow.xhtml';
const FAR_SCHEMES = ['http', 'https'];
const OWN_SCHEMES = ['data', 'about', 'chrome', 'resource', 'cid', 'moz-icon'];
const { ACCEPT, REJECT_REQUEST } = Ci.nsIContentPolicy;

/**
 * What a message may load besides Thunderbird's own rules: the web (which is the proxy), itself, and parts of itself.
 */
function mayLoad(uri, info) {
  if (state.isOwnLoad(info) || FAR_SCHEMES.includes(uri.scheme) || OWN_SCHEMES.includes(uri.scheme)) return true;
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

/** Opens the message window, with a first message that makes everything in it ready. */
async function install(messageUri) {
  state.refuseOwnLoads();
  refuseFiles();
  const uri = Services.io.newURI(messageUri);
  state.window = Services.ww.openWindow(null, MESSAGE_WINDOW, '_blank', 'all,chrome,dialog=no', uri);
  await once(state.window, 'load');
  await once(state.window, 'MsgLoaded');
  state.messageBrowser = state.window.document.getElementById('messageBrowser');
  state.about = state.messageBrowser.contentWindow;
  state.browser = state.about.document.getElementById('messagepane');
}

/** Shows a message; resolves with the size of its document in CSS pixels once everything in it has loaded. */
async function open({ messageUri, messageUrl, images, width, height, pixelRatio }) {
  const { window, messageBrowser, about, browser } = state;
  Services.prefs.setBoolPref('mailnews.message_display.disable_remote_image', !images);
  state.forgetEarlierDocuments();
  state.messageUrl = messageUrl;
  // The whole message area gets the width: Thunderbird shrinks wide images by it, not by the pane inside it.
  messageBrowser.style.cssText = `flex: none; width: ${width}px; min-width: ${width}px; max-width: ${width}px;`;
  state.fitViewport(browser, { width, height, pixelRatio });
  const loaded = once(window, 'MsgLoaded');
  about.displayMessage(messageUri);
  await loaded;
  await galleyPage.settle(browser.contentDocument, (ms) => new Promise((resolve) => window.setTimeout(resolve, ms)));
  return galleyPage.measure(browser.contentDocument);
}

/** Leaves nothing of the message behind for the next one. */
function leave() {
  state.about.displayMessage(null);
  state.messageUrl = undefined;
}

Object.assign(state.commands, { install, open, leave });
