import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import caniemail from '../../../data/caniemail/caniemail.json' with { type: 'json' };
import { declarationProbes, sheetProbes } from '../client-emulation/table-probes/css-probes.ts';
import { htmlProbes } from '../client-emulation/table-probes/html-probes.ts';
import { featureOf, freshSupport } from '../caniemail/index.ts';
import { analyzeCode, type AnalyzedFeature, type AnalyzeOptions } from './index.ts';

/** The data as it lies on the disk, read here by the simplest means. */
const raw = caniemail as unknown as {
  data: {
    slug: string;
    title: string;
    category: string;
    notes_by_num: Record<string, string>;
    stats: Record<string, Record<string, [string, string][]>>;
  }[];
};

interface Case {
  html: string;
  /** The source that the first instance stands at. */
  at: string;
  options?: AnalyzeOptions;
}

/** Features that stand in a declaration's value: the place is that of the unit, function or color. */
const inValue = /^css-(?:unit-\w+|function-[\w-]+|(?:linear|radial|conic)-gradient|rgba?|modern-color)$/;

function declarationCases(slug: string): Case[] {
  return (declarationProbes[slug] ?? []).flatMap((text) => {
    const value = text.slice(text.indexOf(':') + 1);
    const at = slug === 'css-important' ? '!important' : inValue.test(slug) ? value : text;
    return [
      // Entities and line breaks before the place must not move it.
      {
        html:
          '<!doctype html>\n<p>&amp;</p>\r\n  <b style="quotes:&quot;&eacute;&quot;;\r\n' +
          `    ${text.replaceAll('"', "'")}">x</b>`,
        at: at.replaceAll('"', "'"),
      },
      { html: `<style>\n/* why */ @media print{.two{zoom:1}}\n.one{\n  ${text}}</style>`, at },
    ];
  });
}

function sheetCases(slug: string): Case[] {
  const probe = sheetProbes[slug];
  if (!probe) return [];
  const at = sheetPlaces[slug] ?? probe.css;
  return [{ html: `<title>t</title>\n<style type="text/css">\n  ${probe.css}\n</style>`, at }];
}

/** Where it is not the start of the sheet. */
const sheetPlaces: Record<string, string> = {
  'css-at-media-device-pixel-ratio': '(-webkit-min-device-pixel-ratio',
  'css-at-media-hover': '(hover',
  'css-at-media-orientation': '(orientation',
  'css-at-media-prefers-color-scheme': '(prefers-color-scheme',
  'css-at-media-prefers-reduced-motion': '(prefers-reduced-motion',
  'css-comments': '/*',
  'css-nesting': '& b',
};

function htmlCases(slug: string): Case[] {
  const probe = htmlProbes[slug];
  if (!probe) return [];
  return [{ html: `\n ${probe.html}`, at: htmlPlaces[slug] ?? startOf(probe.needle, probe.html) }];
}

const htmlPlaces: Record<string, string> = {
  'html-body': '<body',
  'html-comments': '<!--probe',
  'html-doctype': '<!doctype',
  'html-style': '<style',
  'html-image-maps': 'usemap',
  'html-button-reset': '<button',
  'html-button-submit': '<button',
  'html-meta-color-scheme': '<meta',
  'html-img': '<img',
  'css-inert-attribute': 'inert',
};

/** The tag of `video`, the attribute of `td[align]`, the tag of `input[type=text]`, the address of an image. */
function startOf(needle: string, html: string): string {
  const [, tag, attribute] = /^(\w+)(?:\[([\w-]+))?/.exec(needle)!;
  if (!attribute || tag === 'input') return `<${tag}`;
  return html
    .slice(html.indexOf(`${attribute}=`) < 0 ? html.indexOf(` ${attribute}`) + 1 : html.indexOf(`${attribute}=`))
    .slice(0, attribute.length);
}

/** An animated PNG of one pixel: signature, IHDR, acTL. */
const animatedPng = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAACGFjVEwAAAABAAAAAPONk3AAAAAASUVORK5CYII=';

const otherCases: Record<string, Case[]> = {
  amp: [
    { html: '<!doctype html><html ⚡4email><p>x</p>', at: '' },
    { html: '<p>x</p>', at: '', options: { ampHtml: '<!doctype html><html amp4email><body>x' } },
  ],
  bimi: [
    { html: '<p>x</p>', at: '', options: { headers: [{ name: 'BIMI-Selector', value: 'v=BIMI1; s=brand' }] } },
    {
      html: '<p>x</p>',
      at: '',
      options: {
        headers: [{ name: 'Authentication-Results', value: 'mx.test; dkim=pass; bimi=pass header.d=x.test' }],
      },
    },
  ],
  'image-apng': [
    { html: '<p>x</p>\n<img src="https://x.test/a.apng" alt="">', at: 'src' },
    { html: `<img src="data:image/png;base64,${animatedPng}" alt="">`, at: 'src' },
    {
      html: '<img alt="" src="https://x.test/a.png">',
      at: 'src',
      options: { imageFormats: new Map([['https://x.test/a.png', 'apng']]) },
    },
  ],
  'html-input-text': [{ html: '<form>\n<input name="q"></form>', at: '<input' }],
  'image-webp': [{ html: '<div style="color:red;background:url(x.webp)">', at: 'background' }],
};

function casesOf(slug: string): Case[] {
  return [...declarationCases(slug), ...sheetCases(slug), ...htmlCases(slug), ...(otherCases[slug] ?? [])];
}

function featureIn({ html, options }: Case, slug: string): AnalyzedFeature | undefined {
  return analyzeCode(html, options).features.find((feature) => feature.slug === slug);
}

describe('code analysis, feature by feature', () => {
  it('finds every feature of the data at its line and column', () => {
    let cases = 0;
    for (const { slug } of raw.data) {
      const list = casesOf(slug);
      assert.ok(list.length > 0, `${slug} has no probe`);
      for (const one of list) {
        const feature = featureIn(one, slug);
        assert.ok(feature, `${slug} not found in ${one.html}`);
        cases++;
        if (!one.at) continue;
        const offset = one.html.indexOf(one.at);
        const lines = one.html.slice(0, offset).split(/\r\n|\n/);
        const [first] = feature.instances;
        assert.deepEqual(
          { offset: first?.offset, line: first?.line, column: first?.column },
          { offset, line: lines.length, column: lines.at(-1)!.length + 1 },
          `${slug} at ${one.at} in ${JSON.stringify(one.html)}`,
        );
      }
    }
    console.log(`feature table: ${raw.data.length} of ${raw.data.length} features found, in ${cases} messages`);
  });

  it('classes every platform and version as the data does, and the newest as far as that still holds', () => {
    let cells = 0;
    for (const { slug, title, category, stats, notes_by_num: notes } of raw.data) {
      const feature = featureIn(casesOf(slug)[0]!, slug)!;
      assert.equal(feature.title, title);
      assert.equal(feature.category, category);
      const seen = new Map(feature.support.map((row) => [`${row.family} ${row.platform} ${row.version}`, row]));
      let expected = 0;
      for (const [family, platforms] of Object.entries(stats)) {
        for (const [platform, versions] of Object.entries(platforms)) {
          for (const [version, text] of versions) {
            const row = seen.get(`${family} ${platform} ${version}`);
            const where = `${slug} ${family} ${platform} ${version}: ${text}`;
            assert.ok(row, where);
            expected++;
            const { support, stale, source } = freshSupport(featureOf(slug)!, { family, platform });
            if (row.isNewest && (stale ?? source) !== undefined) {
              assert.deepEqual([row.level, row.notes], [support.level, support.notes], where);
              continue;
            }
            assert.equal(row.level, text.trim()[0], where);
            assert.deepEqual(
              row.notes.map((number) => `#${number}`),
              text.trim().split(/\s+/).slice(1),
              where,
            );
            for (const number of row.notes) assert.equal(feature.notes[number], notes[number], where);
          }
        }
      }
      assert.equal(feature.support.length, expected, slug);
      cells += expected;
    }
    console.log(`feature table: ${cells} cells, 0 wrong`);
    assert.ok(cells > 15_000, `${cells}`);
  });

  it('finds none of them in a message that only speaks of them', () => {
    const words = [
      ...Object.values(declarationProbes).flat(),
      ...Object.values(sheetProbes).map(({ css }) => css),
      ...Object.values(htmlProbes).map(({ html }) => html),
    ];
    const text = words.join(' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
    const found = analyzeCode(`<title>${text}</title><em title="${text}">${text}</em>`).features.map(
      ({ slug }) => slug,
    );
    assert.deepEqual(found, []);
  });
});
