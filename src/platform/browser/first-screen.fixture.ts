// What every engine answers when it is asked for a first screen, or for a part.
import assert from 'node:assert/strict';
import { BLUE, css, GREEN, isNear, pixelsOf, RED, renderRequest } from '../../../test/harness/engine-bed.ts';
import type { Rendering, RenderRequest } from './types.ts';

/** Red for 300 CSS pixels, blue for 300, green to its end; the right half in the opposite order. */
function flag(width: number, height: number): string {
  const rows = [RED, BLUE, GREEN].map((color, index) => {
    const rest = index === 2 ? height - 600 : 300;
    return `<div style="height:${rest}px;background:linear-gradient(90deg,${css(color)} 50%,${css([RED, BLUE, GREEN][2 - index]!)} 50%)"></div>`;
  });
  return `<!doctype html><body style="margin:0"><div style="width:${width}px">${rows.join('')}</div></body>`;
}

type Render = (request: RenderRequest) => Promise<Rendering>;

/** A viewport of 600 × 400 before long documents and short ones. */
export async function checkFirstScreens(
  render: Render,
  toRequest: (html: string) => Partial<RenderRequest>,
): Promise<void> {
  const first = (html: string, changes: Partial<RenderRequest> = {}): Promise<Rendering> =>
    render(renderRequest({ width: 600, height: 400, extent: 'first_screen', ...toRequest(html), ...changes }));
  for (const [pixelRatio, contentHeight, height, isWhole] of [
    [1, 5_000, 400, false],
    [1, 4_000, 4_000, true],
    [2, 1_500, 800, false],
    [2, 1_000, 2_000, true],
    [1, 30_000, 400, false],
  ] as const) {
    const made = await first(flag(600, contentHeight), { pixelRatio, heightMax: 20_000 });
    assert.deepEqual(
      [made.width, made.height, made.contentHeight, made.isWhole, made.isCut],
      [600 * pixelRatio, height, contentHeight, isWhole, contentHeight > 20_000],
    );
    const pixels = await pixelsOf(made);
    assert.deepEqual([pixels.width, pixels.height], [made.width, made.height]);
    for (const [y, color] of [
      [298, RED],
      [302, BLUE],
      [398, BLUE],
    ] as const)
      assert.ok(isNear(pixels.at(5, y * pixelRatio), color), `${y} of ${contentHeight} at ${pixelRatio}`);
  }
  const whole = await render(renderRequest({ width: 600, height: 400, ...toRequest(flag(600, 5_000)) }));
  assert.deepEqual([whole.height, whole.isWhole, whole.isCut], [5_000, true, false]);
}

/** The same, twice as wide as the viewport: shrunk, it shows twice as much, or all of it where `isWhole`. */
export async function checkShrunkFirstScreen(render: Render, isWhole: boolean): Promise<void> {
  const looked = { width: 600, height: 400, fitWidth: true, extent: 'first_screen' } as const;
  const made = await render(renderRequest({ html: flag(1_200, 12_000), ...looked }));
  assert.deepEqual(
    [made.width, made.height, made.contentHeight, made.isWhole],
    [600, isWhole ? 6_000 : 400, 12_000, isWhole],
  );
  const pixels = await pixelsOf(made);
  for (const [x, y, color] of [
    [5, 148, RED],
    [595, 148, GREEN],
    [5, 298, BLUE],
    [5, 302, GREEN],
    [595, 398, RED],
  ] as const)
    assert.ok(isNear(pixels.at(x, y), color), `${x}, ${y}`);
}

/** Parts of a picture at the pixel ratio of a phone: where the colors change is where it is in the whole. */
export async function checkParts(render: Render): Promise<void> {
  const html = flag(400, 2_000);
  const shown = { width: 400, height: 500, pixelRatio: 3 };
  const part = (top: number, changes: Partial<RenderRequest> = {}): Promise<Rendering> =>
    render(renderRequest({ html, ...shown, part: { top, height: 500 }, ...changes }));
  const second = await part(500);
  assert.deepEqual([second.width, second.height, second.contentHeight, second.isWhole], [1_200, 1_500, 2_000, false]);
  const pixels = await pixelsOf(second);
  for (const [y, color] of [
    [1, BLUE],
    [297, BLUE],
    [303, GREEN],
    [1_499, GREEN],
  ] as const)
    assert.ok(isNear(pixels.at(5, y), color), `${y}`);
  const last = await part(1_800);
  assert.deepEqual([last.height, last.layout], [600, undefined], 'the document ends in it');
  await assert.rejects(part(2_100), { name: 'RenderError', reason: 'not_drawn' });
  // Twice as wide as the screen: shrunk, so that a part shows twice as much of it.
  const shrunk = await part(500, { html: flag(800, 2_000), fitWidth: true });
  assert.deepEqual([shrunk.width, shrunk.height], [1_200, 1_500]);
  const green = await pixelsOf(await part(0, { html: flag(800, 2_000), fitWidth: true }));
  assert.ok(isNear(green.at(5, 897), BLUE) && isNear(green.at(5, 903), GREEN), 'blue ends at 300 of 1,000 px');
}
