import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { NEVER, requestOf, chromiumsHere, starterFor } from '../../../test/harness/browsers.ts';
import { solidPng, RED } from '../../../test/harness/engine-bed.ts';
import { createChromium, type ChromiumRenderer } from './chromium/chromium.ts';
import { effortBounds } from './guard/render-bounds.ts';
import type { MeasuredLayout } from './layout.ts';
import { SHADOWING_HTML } from './property-names.fixture.ts';
import type { Asset, RenderRequest } from './types.ts';

const asset = (body: Buffer): Asset => ({ status: 200, contentType: 'image/png', body });

describe('the faults that a picture shows', () => {
  let chromium: ChromiumRenderer;
  before(async () => {
    const [install] = await chromiumsHere();
    // A busy machine takes longer than a quick render may; what is tried patiently is what counts.
    chromium = createChromium(await starterFor(install!), { bounds: effortBounds().patient });
  });
  after(() => chromium.close());
  const measure = async (html: string, changes: Partial<RenderRequest> = {}): Promise<MeasuredLayout> => {
    const { layout } = await chromium.render(requestOf(`<!doctype html><body>${html}`, changes), NEVER);
    assert.ok(layout, 'every whole picture is measured');
    return layout;
  };
  const none = ({ overlaps, cuts, images, contrasts }: MeasuredLayout) => ({ overlaps, cuts, images, contrasts });
  const NOTHING = { overlaps: [], cuts: [], images: [], contrasts: [] };

  it('are none in an ordinary message, nor in what is hidden on purpose', async () => {
    const hidden = [
      'display:none',
      'font-size:1px;color:#fff',
      'max-height:0;overflow:hidden;color:#fff',
      'opacity:0',
      'visibility:hidden;color:#fff',
      'width:1px;height:1px;overflow:hidden;position:absolute',
      'position:absolute;left:-9999px;color:#fff',
      'color:transparent',
    ];
    const layout = await measure(
      `${hidden.map((style) => `<div style="${style}">Preheader text that nobody sees</div>`).join('')}
       <h1 style="line-height:1">Autumn sale of coats and boots and hats and gloves</h1><p>Hello</p>
       <table><tr><td style="overflow:hidden;border-radius:4px;background:#111;color:#fff">Button</td></tr></table>
       <p style="color:#949494">Light gray, just above three to one</p>
       <p style="width:80px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">A long line that ends in dots</p>`,
      { width: 400 },
    );
    assert.deepEqual(none(layout), NOTHING);
    assert.equal(layout.isComplete, true);
  });

  it('say which text is hard to read, on what is really behind it', async () => {
    const picture = { 'https://img.example/dark.png': asset(await solidPng([20, 20, 60], 400, 100)) };
    const assets = async (url: string) => picture[url as keyof typeof picture];
    const layout = await measure(
      `<p style="color:#ddd">Pale on white</p>
       <p style="color:#fff;background:#fff">Invisible</p>
       <div style="background:url(https://img.example/dark.png);width:400px;height:50px;color:#222">Dark on a dark image</div>
       <div style="background:url(https://img.example/dark.png);width:400px;height:50px;color:#fff">White on a dark image</div>
       <div style="background:url(https://img.example/gone.png);width:400px;height:50px;color:#fff">White on an image that is gone</div>
       <div style="position:relative;height:40px"><div style="position:absolute;inset:0;background:#000"></div>
         <span style="position:relative;color:#fff">White on what lies behind</span></div>`,
      { assets },
    );
    assert.deepEqual(
      layout.contrasts.map(({ text }) => text),
      ['Pale on white', 'Invisible', 'Dark on a dark image', 'White on an image that is gone'],
    );
    const [pale, invisible, dark] = layout.contrasts;
    assert.deepEqual([pale!.color, pale!.behind, pale!.ratio], ['#dddddd', '#ffffff', 1.36]);
    assert.equal(invisible!.ratio, 1);
    assert.equal(dark!.behind, '#14143c');
  });

  it('say which text is cut off, and which lies over another', async () => {
    const layout = await measure(
      `<div id="box" style="height:30px;width:200px;overflow:hidden;font:16px/24px Arial">First line is seen, and those that
         follow are lost to the reader</div>
       <div style="font:16px/20px Arial;height:20px">Below</div><div style="font:16px/20px Arial;margin-top:-18px">Above it</div>`,
    );
    assert.deepEqual(
      layout.cuts.map(({ selector, lines }) => [selector, lines > 0]),
      [['#box', true]],
    );
    assert.deepEqual(
      layout.overlaps.map(({ text, other }) => [text, other]),
      [['Above it', 'Below']],
    );
  });

  it('say which images are missing or stretched, but not of trackers and spacers', async () => {
    const found = asset(await solidPng(RED, 200, 100));
    const assets = async (url: string) => (url.endsWith('gone.png') ? undefined : found);
    const layout = await measure(
      `<img src="https://img.example/gone.png" width="120" height="80" alt="A coat">
       <img src="https://img.example/gone.png" width="1" height="1">
       <img src="https://img.example/a.png" width="200" height="100"><img src="https://img.example/a.png" width="100">
       <img id="tall" src="https://img.example/a.png" width="100" height="100">
       <img src="https://img.example/a.png" width="100" height="100" style="object-fit:cover">
       <img src="https://img.example/a.png" width="600" height="1">`,
      { assets },
    );
    assert.deepEqual(
      layout.images.map(({ fault, alt, selector }) => [fault, alt || selector]),
      [
        ['missing', 'A coat'],
        ['stretched', '#tall'],
      ],
    );
    assert.deepEqual(
      [layout.images[1]!.natural, layout.images[1]!.shown],
      [
        [200, 100],
        [100, 100],
      ],
    );
  });

  it('say what makes a message wider than its screen', async () => {
    const wide = await measure('<div><table id="wide" width="600"><tr><td>Wide</table></div><p>Text', { width: 375 });
    assert.ok(wide.width > 600 && wide.viewportWidth === 375);
    assert.match(wide.widest!.selector, /^#wide/);
    assert.equal((await measure('<p>Narrow', { width: 375 })).widest, undefined);
  });

  it('are measured in hostile documents, too, within bounds', async () => {
    assert.deepEqual((await measure(`${SHADOWING_HTML}<p style="color:#eee">Pale`)).contrasts.at(-1)?.text, 'Pale');
    const many = await measure(Array.from({ length: 9_000 }, (_, n) => `<i style="color:#eee">t${n}</i> `).join(''));
    assert.equal(many.isComplete, false);
    assert.ok(many.contrasts.length <= 120);
    const deep = await measure(`${'<div style="overflow:hidden">'.repeat(400)}<p>Deep`);
    assert.deepEqual(none(deep), NOTHING);
  });

  it('are measured where the browser itself darkens the message', async () => {
    const layout = await measure('<p style="color:#333">Dark text</p>', { colorScheme: 'dark', forceDark: true });
    assert.deepEqual(layout.contrasts, []);
  });
});
