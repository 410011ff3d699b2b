// Runs inside Firefox, after gecko-page.js and gecko-chrome.js.
/* global gBrowser, state */

function install() {
  state.refuseOwnLoads();
  state.browser = gBrowser.selectedBrowser;
}

/** Readies the one tab for a document. */
function prepare({ documentUrl, width, height, pixelRatio, colorScheme }) {
  state.forgetEarlierDocuments();
  state.documentUrl = documentUrl;
  state.fitViewport(state.browser, { width, height, pixelRatio });
  const { browsingContext } = state.browser;
  browsingContext.prefersColorSchemeOverride = colorScheme;
  browsingContext.allowJavascript = false;
}

function leave() {
  state.documentUrl = undefined;
}

Object.assign(state.commands, { install, prepare, leave });
