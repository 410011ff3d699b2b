// Brings a loaded page to rest, so that the same document always gives the same pixels.

/**
 * Runs in the page (by the protocol; the page's own scripts are off). Everything is taken from the prototypes, because
 * a document can hide `document.fonts` behind an `<img name=fonts>`. Finite animations go to their end, as a reader
 * sees them, endless ones to their start. What Chromium moves by itself is put to rest: a marquee stands still, a
 * progress bar without a value is empty. Resolves when the fonts are loaded; images are decoded by the capture.
 */
export const SETTLE = `(async () => {
  const all = (selector) => Array.from(Document.prototype.querySelectorAll.call(document, selector));
  for (const animation of Document.prototype.getAnimations.call(document)) {
    const end = animation.effect ? Number(animation.effect.getComputedTiming().endTime) : 0;
    if (Number.isFinite(end) && animation.playbackRate > 0) animation.finish();
    else animation.cancel();
  }
  for (const svg of all('svg')) {
    if (!(svg instanceof SVGSVGElement)) continue;
    SVGSVGElement.prototype.pauseAnimations.call(svg);
    SVGSVGElement.prototype.setCurrentTime.call(svg, 0);
  }
  for (const marquee of all('marquee')) {
    const still = Document.prototype.createElement.call(document, 'div');
    for (const { name, value } of Array.from(marquee.attributes)) Element.prototype.setAttribute.call(still, name, value);
    const { display, width, height, backgroundColor } = getComputedStyle(marquee);
    Object.assign(still.style, { display, width, height, backgroundColor, overflow: 'hidden' });
    while (marquee.firstChild) Node.prototype.appendChild.call(still, marquee.firstChild);
    Element.prototype.replaceWith.call(marquee, still);
  }
  for (const progress of all('progress:not([value])')) Element.prototype.setAttribute.call(progress, 'value', '0');
  const fonts = Object.getOwnPropertyDescriptor(Document.prototype, 'fonts').get.call(document);
  await Object.getOwnPropertyDescriptor(FontFaceSet.prototype, 'ready').get.call(fonts);
})()`;
