// Runs beside a document in a Gecko program, privileged: names that the document gives to its elements hide nothing
// here. The text of this file goes before the commands that are sent.

function endAnimation(animation) {
  const end = Number(animation.effect?.getComputedTiming().endTime ?? 0);
  // Finite ones as a reader sees them in the end, endless ones as they begin.
  if (Number.isFinite(end) && animation.playbackRate !== 0) animation.finish();
  else animation.cancel();
}

/** Brings a document to rest: resolves when everything that it waits for has loaded and nothing moves. */
async function settle(doc, pause) {
  while (doc.readyState !== 'complete' || [...doc.images].some((image) => !image.complete)) await pause(10);
  for (const animation of doc.getAnimations()) endAnimation(animation);
  for (const svg of doc.querySelectorAll('svg')) svg.pauseAnimations?.();
  for (const marquee of doc.querySelectorAll('marquee')) marquee.stop?.();
  await doc.fonts.ready;
}

/** CSS pixels: the viewport's width, and the size of the document, which is never less than the viewport's. */
function measure(doc) {
  const { innerWidth, innerHeight } = doc.defaultView;
  const elements = [doc.documentElement, doc.scrollingElement].filter((element) => element);
  return {
    viewportWidth: innerWidth,
    width: Math.max(innerWidth, ...elements.map((element) => element.scrollWidth)),
    height: Math.max(innerHeight, ...elements.map((element) => element.scrollHeight)),
  };
}

/** Both, for a document that has its own context. */
async function settleAndMeasure(doc) {
  await settle(doc, (ms) => new Promise((resolve) => doc.defaultView.setTimeout(resolve, ms)));
  return measure(doc);
}

globalThis.galleyPage = { settle, measure, settleAndMeasure };
