// Runs inside a Gecko program, in its privileged context. `state` lives as long as the process.
/* global Cc, Ci, IOUtils, Services, OffscreenCanvas, DOMRect */

const state = (globalThis.galleyState ??= { browser: undefined, documentUrl: undefined, commands: {} });

const NS_BINDING_ABORTED = 0x804b0002;

/** A load that no document has asked for: the program's own business, or a navigation. */
function isOwnLoad({ loadingPrincipal }) {
  return !loadingPrincipal || loadingPrincipal.isSystemPrincipal;
}

/** What a document asks for goes to the proxy, as does the document itself; all else stays in here. */
function refuseOwnLoads() {
  const observer = {
    observe(subject) {
      const channel = subject.QueryInterface(Ci.nsIHttpChannel);
      if (isOwnLoad(channel.loadInfo) && channel.URI.spec !== state.documentUrl) channel.cancel(NS_BINDING_ABORTED);
    },
  };
  Services.obs.addObserver(observer, 'http-on-modify-request');
}

/** The next document gets nothing that an earlier one has loaded. */
function forgetEarlierDocuments() {
  Cc['@mozilla.org/image/tools;1'].getService(Ci.imgITools).getImgCacheForDocument(null).clearCache(false);
  Services.cache2.clear();
}

/** Gives the viewport its size in CSS pixels, and its screen. */
function fitViewport(browser, { width, height, pixelRatio }) {
  const fixed = (name, size) => `${name}: ${size}px; min-${name}: ${size}px; max-${name}: ${size}px;`;
  browser.style.cssText = `flex: none; ${fixed('width', width)} ${fixed('height', height)}`;
  browser.browsingContext.overrideDPPX = pixelRatio;
}

/** Writes the top of the document to a file as RGBA rows, band by band, since one canvas has a limit. */
async function capture({ path, width, height, scale, pixelWidth, bandHeight }) {
  const pixels = { width: pixelWidth, height: 0 };
  for (let top = 0; top < height; top += bandHeight) {
    const rect = new DOMRect(0, top, width, Math.min(bandHeight, height - top));
    // What is not painted stays transparent, which a document in a viewport never is: that shows a failure.
    const bitmap = await state.browser.browsingContext.currentWindowGlobal.drawSnapshot(
      rect,
      scale,
      'rgba(0, 0, 0, 0)',
    );
    const context = new OffscreenCanvas(pixels.width, bitmap.height).getContext('2d', { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, pixels.width, bitmap.height);
    await IOUtils.write(path, new Uint8Array(data.buffer), { mode: top === 0 ? 'overwrite' : 'append' });
    pixels.height += bitmap.height;
    bitmap.close();
  }
  return pixels;
}

Object.assign(state, { isOwnLoad, refuseOwnLoads, forgetEarlierDocuments, fitViewport });
state.commands.capture = capture;
