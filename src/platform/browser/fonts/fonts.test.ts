import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { createChromium, type ChromiumRenderer } from '../chromium/chromium.ts';
import { readCmap, writeCmap } from './cmap.ts';
import { readGlyphs, readMetrics, tableOf } from './glyphs.ts';
import { instanceAt } from './instance.ts';
import { mergeFonts } from './merge.ts';
import { readOutline, writeOutline } from './outline.ts';
import { checkFonts, describeFonts, findFontsConf, readTable } from './fonts.ts';
import { readSfnt, readWoff, writeSfnt } from './sfnt.ts';
import { chromiumsHere, NEVER, requestOf, RUNTIME_DIR, starterFor } from '../../../../test/harness/browsers.ts';
import type { Asset } from '../types.ts';
import { readWoff2 } from './woff2.ts';

const PACKAGES = join(import.meta.dirname, '../../../../node_modules');
const woff = (name: string): Buffer => readFileSync(join(PACKAGES, '@fontsource/arimo/files', name));
const latin = readWoff(woff('arimo-latin-400-normal.woff'));
const cyrillic = readWoff(woff('arimo-cyrillic-400-normal.woff'));

describe('font files', () => {
  it('keep every table from WOFF to TrueType and back', () => {
    const again = readSfnt(writeSfnt(latin));
    assert.deepEqual([...again.tables.keys()].sort(), [...latin.tables.keys()].sort());
    for (const [tag, table] of latin.tables) assert.ok(table.equals(again.tables.get(tag)!), tag);
  });

  it('are refused when cut short or something else', () => {
    const bytes = woff('arimo-latin-400-normal.woff');
    assert.throws(() => readWoff(bytes.subarray(0, 2000)), RangeError);
    assert.throws(() => readWoff(Buffer.from('<svg>'.repeat(20))), TypeError);
  });

  it('keep their character map when it is written again', () => {
    const map = readCmap(tableOf(latin, 'cmap'));
    assert.ok(map.size > 100 && map.has(0x41));
    assert.deepEqual([...readCmap(writeCmap(map))].sort(), [...map].sort());
  });

  it('keep their outlines when they are written again', () => {
    const simple = readGlyphs(latin).filter((glyph) => glyph.length > 0 && glyph.readInt16BE(0) > 0);
    assert.ok(simple.length > 50);
    for (const glyph of simple) assert.deepEqual(readOutline(writeOutline(readOutline(glyph))), readOutline(glyph));
  });

  it('merge: every character of both, each with its own width, composed letters whole', () => {
    const merged = readSfnt(writeSfnt(mergeFonts([latin, cyrillic])));
    const [codes, metrics, glyphs] = [readCmap(tableOf(merged, 'cmap')), readMetrics(merged), readGlyphs(merged)];
    for (const font of [cyrillic, latin]) {
      const [ownMetrics, ownGlyphs] = [readMetrics(font), readGlyphs(font)];
      for (const [code, glyph] of readCmap(tableOf(font, 'cmap'))) {
        const at = codes.get(code)!;
        assert.equal(metrics[at]!.advance, ownMetrics[glyph]!.advance, `width of U+${code.toString(16)}`);
        assert.equal(glyphs[at]!.length === 0, ownGlyphs[glyph]!.length === 0);
      }
    }
    assert.equal(tableOf(merged, 'maxp').readUInt16BE(4), glyphs.length);
  });
});

/** Text in a font, black on white. */
function sample(text: string, style: string, face = ''): string {
  return `<meta charset="utf-8"><style>${face} p { margin: 20px; font-size: 40px; ${style} }</style><p>${text}</p>`;
}

describe('the prepared fonts in Chromium', () => {
  let chromium: ChromiumRenderer;
  before(async () => {
    chromium = createChromium(await starterFor((await chromiumsHere()).at(-1)!));
  });
  after(() => chromium.close());
  const picture = async (html: string, font?: Buffer): Promise<Buffer> => {
    const assets = async (): Promise<Asset | undefined> => font && { status: 200, contentType: 'font/ttf', body: font };
    return (await chromium.render(requestOf(html, { assets, height: 100 }), NEVER)).png;
  };

  it('show the usual names in fonts of the same widths, and leave unknown names to the next one', async () => {
    for (const [asked, shown] of [
      ['Arial', 'Arimo'],
      ['helvetica', 'Arimo'],
      ['Times New Roman', 'Tinos'],
      ['Courier New', 'Cousine'],
      ['Georgia', 'Gelasio'],
      ['Calibri', 'Carlito'],
      ['Cambria', 'Caladea'],
      ['Verdana', 'DejaVu Sans'],
      ['Segoe UI', 'Open Sans'],
      ['Hiragino Sans', 'Noto Sans JP'],
      ['NoSuchFont, Georgia', 'Gelasio'],
    ] as const) {
      const [a, b] = await Promise.all(
        [asked, shown].map((family) =>
          picture(sample('Hamburgefonstiv 123', `font-family: ${family.includes(',') ? family : `'${family}'`}`)),
        ),
      );
      assert.ok(a!.equals(b!), `${asked} is ${shown}`);
    }
    const arial = await picture(sample('Hamburgefonstiv', 'font-family: Arial'));
    assert.ok(!arial.equals(await picture(sample('Hamburgefonstiv', 'font-family: Georgia'))));
  });

  it('show Cyrillic and Greek in the letters of the family itself', async () => {
    for (const [script, text] of [
      ['cyrillic', 'Съешь ещё булок'],
      ['greek', 'Ξεσκεπάζω'],
    ] as const) {
      const face = "@font-face { font-family: own; src: url('https://a.test/own.ttf'); }";
      // Without kerning, whose rules the merged file has for Latin only.
      const arial = await picture(sample(text, 'font-family: Arial; font-kerning: none'));
      const own = await picture(
        sample(text, 'font-family: own; font-kerning: none', face),
        woff(`arimo-${script}-400-normal.woff`),
      );
      assert.ok(arial.equals(own), script);
    }
  });

  it('have a glyph of their own for every script, with weights where the family has them', async () => {
    const missing = await picture(sample('\u{10ffff}', 'font-family: Arial'));
    for (const letter of [
      'я',
      'ξ',
      'ž',
      'ả',
      'ש',
      'م',
      'ส',
      'न',
      '简',
      '繁',
      'が',
      '한',
      '€',
      '₽',
      '→',
      '✓',
      '★',
      '😀',
      '①',
    ]) {
      const shown = await picture(sample(letter, 'font-family: Arial'));
      assert.ok(!shown.equals(missing), letter);
    }
    for (const [family, weights] of [
      ['Segoe UI', [300, 400, 600, 700]],
      ['Roboto', [300, 400, 500, 700]],
      ['Arial', [400, 700]],
      ['Noto Sans SC', [400, 700]],
    ] as const) {
      const shown = await Promise.all(
        weights.map((weight) => picture(sample('Text 简体', `font-family: '${family}'; font-weight: ${weight}`))),
      );
      assert.equal(new Set(shown.map((png) => png.toString('base64'))).size, weights.length, family);
    }
  });

  it('cut weights out of a variable font as FreeType does', async () => {
    const slice = await readWoff2(
      readFileSync(join(PACKAGES, '@fontsource-variable/noto-sans-jp/files/noto-sans-jp-latin-wght-normal.woff2')),
    );
    for (const weight of [400, 700]) {
      const face = "@font-face { font-family: own; font-weight: 100 900; src: url('https://a.test/own.ttf'); }";
      const style = `font-family: own; font-weight: ${weight}; font-kerning: none`;
      const ours = await picture(
        sample('Hamburgefonstiv @&%é', style, face),
        writeSfnt(instanceAt(readSfnt(slice), weight)),
      );
      const theirs = await picture(sample('Hamburgefonstiv @&%é', style, face), slice);
      const [a, b] = await Promise.all([ours, theirs].map((png) => sharp(png).removeAlpha().raw().toBuffer()));
      assert.equal(a!.length, b!.length);
      const difference = a!.reduce((sum, value, index) => sum + Math.abs(value - b![index]!), 0) / a!.length;
      assert.ok(difference < 0.2, `mean difference of ${difference} gray levels at ${weight}`);
    }
  });
});

describe('the table of fonts', () => {
  it('names every font that set-up made, byte for byte', async () => {
    assert.deepEqual(await describeFonts(dirname(await findFontsConf(RUNTIME_DIR))), await readTable());
  });

  it('refuses a font that came out otherwise, and fonts of other packages', async () => {
    const made = dirname(await findFontsConf(RUNTIME_DIR));
    const copy = mkdtempSync(join(tmpdir(), 'galley-fonts-'));
    cpSync(join(made, 'ttf'), join(copy, 'ttf'), { recursive: true });
    await checkFonts(copy, basename(made));
    await assert.rejects(
      checkFonts(copy, 'fonts-000000000000'),
      /^Error: The fonts' packages changed, and fonts-table\.json is about others/,
    );
    const path = join(copy, 'ttf/noto-sans-jp-400-normal.ttf');
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
    await assert.rejects(
      checkFonts(copy, basename(made)),
      /^Error: 1 of 67 fonts came out other than fonts-table\.json says \(noto-sans-jp-400-normal\.ttf\): a package is damaged\. Delete node_modules and start again\.$/,
    );
    rmSync(copy, { recursive: true });
  });
});

describe('finding the fonts', () => {
  it('finds what set-up made, and says what to do when it has not run', async () => {
    assert.match(await findFontsConf(RUNTIME_DIR), /fonts\.conf$/);
    const empty = mkdtempSync(join(tmpdir(), 'galley-test-'));
    await assert.rejects(findFontsConf(empty), /setup\.mjs/);
    rmSync(empty, { recursive: true });
  });
});
