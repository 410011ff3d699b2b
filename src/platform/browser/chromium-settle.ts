// Brings a loaded page to rest, so that the same document always gives the same pixels.

/**
 * Runs in the page (by the protocol; the page's own scripts are off). Everything is taken from the prototypes, because a
 * document can hide `document.fonts` behind an `<img name=fonts>`. Finite animations go to their end, as a reader sees
 * them; endless ones to their start. Resolves when fonts are loaded and images decoded.
 */
export const SETTLE = `(async () => {
  const get = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
  const all = (selector) => Array.from(Document.prototype.querySelectorAll.call(document, selector));
  for (const animation of Document.prototype.getAnimations.call(document)) {
    const end = animation.effect ? animation.effect.getComputedTiming().endTime : 0;
    try {
      if (Number.isFinite(Number(end)) && animation.playbackRate !== 0) animation.finish();
      else animation.cancel();
    } catch { animation.cancel(); }
  }
  for (const svg of all('svg')) {
    if (!(svg instanceof SVGSVGElement)) continue;
    SVGSVGElement.prototype.pauseAnimations.call(svg);
    SVGSVGElement.prototype.setCurrentTime.call(svg, 0);
  }
  for (const marquee of all('marquee')) HTMLMarqueeElement.prototype.stop.call(marquee);
  const fonts = get(Document.prototype, 'fonts').call(document);
  await Object.getOwnPropertyDescriptor(FontFaceSet.prototype, 'ready').get.call(fonts);
})()`;

