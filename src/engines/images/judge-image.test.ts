import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../findings/index.ts';
import { findImages } from './find-images.ts';
import type { ImageLoad, ImageSubject, SkipReason } from './image-finding.ts';
import { judgeImage, judgeImages } from './judge-image.ts';
import { hasMergeTag } from './load-rules.ts';
import { PLAIN_HEADER, type ImageFacts, type PixelFacts } from './types.ts';

const facts = (over: Partial<ImageFacts> = {}): ImageFacts => ({
  ...PLAIN_HEADER,
  width: 600,
  height: 300,
  colourDepthBits: 24,
  status: 'ok',
  format: 'png',
  mediaType: 'image/png',
  bytes: 50_000,
  isAnimated: (over.frames ?? 1) > 1,
  hasAlpha: false,
  isOverLimit: false,
  ...over,
});
const load = (over: Partial<ImageLoad> = {}): ImageLoad => ({
  status: 200,
  redirects: 0,
  contentType: 'image/png',
  loadTimeMs: 80,
  finalUrl: 'https://e.example/a.png',
  ...over,
});

/** An image of a message; the last one written counts. */
function subject(html: string, over: Partial<ImageSubject> = {}): ImageSubject {
  const found = findImages(html).at(-1)!;
  return { url: found.url, found, ...over };
}
const img = (attributes: string, over: Partial<ImageSubject> = {}): ImageSubject =>
  subject(`<img src="https://e.example/a.png" ${attributes}>`, over);
const of = (findings: Finding[], rule: string): Finding | undefined =>
  findings.find((finding) => finding.rule === `images/${rule}`);
const verdict = (image: ImageSubject, rule: string): string | undefined => {
  const finding = of(judgeImage(image), rule);
  return (
    finding &&
    [finding.severity, ...(finding.details?.['impact'] === undefined ? [] : [finding.details['impact']])].join(' ')
  );
};

/** Everything visible has one lightness; half of the picture is transparent. */
function logo(lightness: number, over: Partial<PixelFacts> = {}): PixelFacts {
  const histogram = Array.from({ length: 101 }, (_, at) => (at === lightness ? 1 : 0));
  return {
    meanLuminance: 0,
    transparentShare: 0.5,
    lightness: histogram,
    contour: histogram,
    contourShare: 0.05,
    isBlank: false,
    isOpaque: false,
    ...over,
  };
}

describe('judgeImage on alternative text', () => {
  const cases: [attributes: string, rule: string, expected: string | undefined][] = [
    ['', 'alt', 'error critical'],
    ['alt=""', 'alt', 'pass'],
    ['alt="Our spring list"', 'alt', 'pass'],
    ['role="presentation"', 'alt', undefined],
    ['alt="hero_2x.png"', 'alt-file-name', 'warning serious'],
    ['alt="IMG_2041"', 'alt-file-name', 'warning serious'],
    ['alt="image"', 'alt-placeholder', 'warning moderate'],
    ['alt="A cat" aria-label="hero_2x.png"', 'alt-file-name', 'warning serious'],
    ['title="hero_2x.png"', 'alt', 'error critical'],
    [`alt="${'long '.repeat(30)}"`, 'alt-long', 'info minor'],
    ['width="1" height="1"', 'alt', 'warning minor'],
  ];
  for (const [attributes, rule, expected] of cases) {
    it(`gives ${expected ?? 'nothing'} as ${rule} for ${attributes.slice(0, 30) || 'no attribute'}`, () =>
      assert.equal(verdict(img(attributes), rule), expected));
  }
  it('calls an alt equal to the name of its file a file name, but not an honest word', () => {
    assert.equal(
      verdict(subject('<img src="https://e.example/hero-banner-2.png" alt="hero-banner-2">'), 'alt-file-name'),
      'warning serious',
    );
    assert.equal(verdict(subject('<img src="https://e.example/logo.png" alt="Logo">'), 'alt'), 'pass');
  });
  it('wants a name for a link that is nothing but an image', () => {
    assert.equal(
      verdict(subject('<a href="/sale"><img src="https://e.example/a.png" alt=""></a>'), 'alt-linked'),
      'error serious',
    );
    assert.equal(
      verdict(subject('<a href="/sale">Sale <img src="https://e.example/a.png" alt=""></a>'), 'alt-linked'),
      undefined,
    );
  });
  it('tells what completes a relative address', () => {
    const addressed = (html: string, baseUrl?: string) => {
      const found = findImages(html, baseUrl).at(-1)!;
      const { severity, message, clients } =
        of(judgeImage({ url: found.url, found }), 'absolute-url') ??
        of(judgeImage({ url: found.url, found }), 'https')!;
      return [severity, message.replace(/\d+ of \d+/, 'N of N'), (clients?.length ?? 0) > 0];
    };
    assert.deepEqual(addressed('<img src="a.png">'), [
      'error',
      '“a.png” is not a URL that email clients can load.',
      false,
    ]);
    assert.deepEqual(addressed('<img src="a.png">', 'https://e.example/x/'), [
      'warning',
      '“a.png” is a relative address, completed here by that of the page: sent as a message, it leads nowhere.',
      false,
    ]);
    const based = '<base href="https://e.example/"><img src="/a.png">';
    assert.deepEqual(addressed(based), [
      'warning',
      '“/a.png” is a relative address, which the message’s base element completes; N of N clients ignore that element.',
      true,
    ]);
    assert.deepEqual(addressed(based, 'https://other.example/'), addressed(based));
    assert.deepEqual(addressed('<img src="https://e.example/a.png">', 'https://e.example/x/'), [
      'pass',
      'It is loaded over https.',
      false,
    ]);
  });
  it('says where', () => {
    const finding = of(judgeImage(subject('<p>\n <img src="https://e.example/a.png"></p>')), 'alt')!;
    assert.deepEqual(finding.where, {
      line: 2,
      column: 2,
      offset: 5,
      selector: 'html > body > p > img',
      snippet: '<img src="https://e.example/a.png">',
    });
    assert.equal(finding.message, 'a.png has no alternative text.');
  });
});

describe('judgeImage on size', () => {
  it('finds what Outlook would show at another width', () => {
    assert.equal(verdict(img('style="width:300px"', { facts: facts() }), 'width-attribute'), 'warning serious');
    assert.equal(verdict(img('', { facts: facts() }), 'width-attribute'), 'info minor');
    assert.equal(verdict(img('width="300"', { facts: facts() }), 'width-attribute'), 'pass');
  });
  it('finds distortion, with a tolerance of two per cent', () => {
    assert.equal(verdict(img('width="300" height="200"', { facts: facts() }), 'aspect-ratio'), 'warning serious');
    assert.equal(verdict(img('width="300" height="152"', { facts: facts() }), 'aspect-ratio'), 'pass');
    assert.equal(verdict(img('width="300" height="157"', { facts: facts() }), 'aspect-ratio'), 'warning moderate');
    assert.equal(verdict(img('width="300"', { facts: facts() }), 'aspect-ratio'), undefined);
  });
  it('judges pixels per CSS pixel', () => {
    const at = (width: number) => judgeImage(img(`width="${width}"`, { facts: facts() }));
    assert.equal(
      of(at(800), 'upscaled')?.message,
      'a.png is 600 px wide and shown at 800 px: it is blurred everywhere.',
    );
    assert.deepEqual(
      [of(at(600), 'retina')?.severity, of(at(300), 'retina')?.severity, of(at(150), 'retina')?.severity],
      ['info', 'pass', 'warning'],
    );
    assert.equal(of(at(300), 'retina')?.details?.['retina_factor'], 2);
  });
  it('leaves vectors, dots and backgrounds alone', () => {
    assert.equal(verdict(img('width="900"', { facts: facts({ format: 'svg' }) }), 'upscaled'), undefined);
    assert.equal(verdict(img('width="1" height="1"', { facts: facts({ width: 1, height: 1 }) }), 'retina'), undefined);
    assert.equal(
      verdict(subject('<table background="https://e.example/a.png" width="900">', { facts: facts() }), 'upscaled'),
      undefined,
    );
  });
});

describe('judgeImage on address and loading', () => {
  const address = (src: string) =>
    judgeImage(subject(`<img src="${src}">`))
      .map(({ rule, severity }) => `${severity} ${rule}`)
      .filter((text) => !text.endsWith('/alt'));

  it('judges the address as written', () => {
    assert.deepEqual(address('https://e.example/a.png'), ['pass images/https']);
    assert.deepEqual(address('http://e.example/a.png'), ['warning images/https']);
    assert.deepEqual(address('//e.example/a.png'), ['warning images/absolute-url']);
    assert.deepEqual(address('images/a.png'), ['error images/absolute-url']);
    assert.deepEqual(address('file:///C:/a.png'), ['error images/absolute-url']);
    assert.deepEqual(address(''), ['error images/source']);
    assert.deepEqual(address('cid:part1'), []);
    assert.deepEqual(address('{{ product.image }}'), []);
    assert.deepEqual(address('*|LOGO|*'), []);
  });
  it('names an image by its file, or where the address ends in none, by the address', () => {
    const named = (url: string) => of(judgeImage({ url }), 'https')?.message.split(' is loaded')[0];
    assert.deepEqual(
      [
        'http://e.example/a/photo.jpg?v=1',
        'http://e.example/270',
        'http://e.example/',
        'http://e.example/600x230/666666',
      ].map(named),
      ['photo.jpg', 'http://e.example/270', 'http://e.example', 'http://e.example/600x230/666666'],
    );
  });
  it('finds what does not load, and says why', () => {
    const broken = (over: Partial<ImageLoad>) => of(judgeImage(img('', { load: load(over) })), 'broken')!;
    assert.deepEqual(
      [broken({ status: 404 }).severity, broken({ status: 404 }).message],
      ['error', 'a.png cannot be loaded: the server answers 404.'],
    );
    assert.equal(
      broken({ status: null, failure: 'its host cannot be reached.' }).message,
      'a.png cannot be loaded: its host cannot be reached.',
    );
    assert.deepEqual(
      [broken({}).severity, broken({}).details],
      ['pass', { status_code: 200, load_time_ms: 80, redirects: 0, final_url: 'https://e.example/a.png' }],
    );
  });
  it('says what was not looked at, and why', () => {
    const skipped = (src: string, skipped: SkipReason) =>
      of(judgeImage({ ...subject(`<img src="${src}" alt="">`), skipped }), 'not-checked')!;
    assert.deepEqual(
      [skipped('{{ logo }}', 'merge_tag').severity, skipped('{{ logo }}', 'merge_tag').details],
      ['info', { impact: 'minor', reason: 'merge_tag' }],
    );
    assert.equal(
      skipped('cid:logo', 'part_not_given').message,
      'cid:logo was not checked: it is a part of the message, of which only the HTML was given.',
    );
    assert.deepEqual(
      [
        'https://e.example/*|ID|*.png',
        '{{ logo }}',
        'https://e.example/%%id%%.png',
        'https://e.example/a.png',
        'data:image/png;base64,{{a}}',
      ].map(hasMergeTag),
      [true, true, true, false, false],
    );
  });
  it('reports redirects and slow loading', () => {
    assert.deepEqual(
      [1, 3].map((redirects) => verdict(img('', { load: load({ redirects }) }), 'redirect')),
      ['info minor', 'warning moderate'],
    );
    assert.deepEqual(
      [80, 1_500, 4_000].map((loadTimeMs) => verdict(img('', { load: load({ loadTimeMs }) }), 'load-time')),
      ['pass', 'info minor', 'warning moderate'],
    );
  });
});

describe('judgeImage on the file', () => {
  const file = (rule: string, over: Partial<ImageFacts>, more: Partial<ImageSubject> = {}) =>
    verdict({ url: 'https://e.example/a.png', facts: facts(over), ...more }, rule);

  it('finds what is no image, or a damaged one', () => {
    assert.equal(file('not-an-image', { status: 'not_an_image', format: null, mediaType: null }), 'error critical');
    const sentAs = (contentType: string) =>
      of(
        judgeImage({
          url: 'https://e.example/a.png',
          load: load({ contentType }),
          facts: facts({ status: 'not_an_image', format: null, mediaType: null }),
        }),
        'not-an-image',
      )?.message;
    assert.deepEqual(['text/html', 'image/png', ''].map(sentAs), [
      'a.png is not an image, but text/html.',
      'a.png is not an image, although it is sent as image/png.',
      'a.png is not an image.',
    ]);
    assert.equal(file('damaged', { status: 'truncated' }), 'error serious');
    assert.equal(file('damaged', { status: 'corrupt' }), 'error serious');
    assert.equal(file('damaged', {}), 'pass');
    assert.equal(file('damaged', {}, { isUndecodable: true }), 'error serious');
  });
  it('reports properties in the words of the API', () => {
    const image = {
      url: 'https://e.example/a.gif',
      load: load(),
      facts: facts({
        format: 'gif',
        mediaType: 'image/gif',
        frames: 12,
        durationMs: 1_200,
        asPlayedDurationMs: 1_200,
        loops: 'endless',
        colourDepthBits: 7,
        paletteColours: 128,
        transparency: 'binary',
        hasAlpha: true,
      }),
    };
    assert.deepEqual(of(judgeImage(image), 'properties'), {
      rule: 'images/properties',
      severity: 'info',
      message: 'GIF, 600 × 300 pixels, 50 KB, 12 frames.',
      details: {
        dimensions: '600x300',
        width: 600,
        height: 300,
        format: 'gif',
        type: 'image/gif',
        bytes: 50_000,
        color_depth: 7,
        palette_colors: 128,
        color_space: 'rgb',
        transparency: 'binary',
        progressive: false,
        density_dpi: null,
        color_profile: false,
        animated: true,
        frame_count: 12,
        animation_duration_ms: 1_200,
        played_duration_ms: 1_200,
        loops: 'endless',
        load_time_ms: 80,
      },
    });
  });
  it('compares extension, header and bytes', () => {
    assert.equal(file('extension', {}), 'pass');
    assert.equal(file('extension', { format: 'jpeg', mediaType: 'image/jpeg' }), 'warning minor');
    assert.equal(file('extension', {}, { url: 'https://e.example/image?id=1' }), undefined);
    assert.deepEqual(
      ['image/png', 'image/jpeg', 'text/html; charset=utf-8', ''].map((contentType) =>
        file('content-type', {}, { load: load({ contentType }) }),
      ),
      ['pass', 'warning moderate', 'error serious', 'error serious'],
    );
    assert.equal(file('content-type', {}, { url: 'data:image/gif;base64,AAAA' }), 'warning moderate');
  });
  it('weighs', () => {
    assert.deepEqual(
      [199_000, 201_000, 1_100_000].map((bytes) => file('bytes', { bytes })),
      ['pass', 'warning moderate', 'error serious'],
    );
    assert.equal(file('pixels', { isOverLimit: true }), 'error critical');
    const total = judgeImages([
      { url: 'a', facts: facts({ bytes: 700_000 }) },
      { url: 'b', facts: facts({ bytes: 700_000 }) },
      { url: 'b', facts: facts({ bytes: 700_000 }) },
    ]);
    assert.deepEqual(
      total.map(({ rule, severity, details }) => [rule, severity, details]),
      [
        [
          'images/total-bytes',
          'warning',
          { impact: 'moderate', total_bytes: 1_400_000, image_count: 2, total_load_time_ms: 0 },
        ],
      ],
    );
    assert.deepEqual(judgeImages([{ url: 'a' }]), []);
  });
  it('names the clients that do not show a format', () => {
    const webp = of(
      judgeImage({ url: 'a.webp', facts: facts({ format: 'webp', mediaType: 'image/webp' }) }),
      'format',
    )!;
    assert.equal(webp.severity, 'warning');
    assert.ok(
      webp.clients!.includes('Outlook 2021') && !webp.clients!.includes('Gmail (Chrome)'),
      String(webp.clients),
    );
    assert.match(webp.source!, /^caniemail image-webp, tested \d{4}-\d\d-\d\d$/);
    assert.deepEqual(
      (['jpeg', 'png', 'gif', 'avif', 'heif'] as const).map((format) => file('format', { format })),
      ['pass', 'pass', 'pass', 'warning serious', 'error critical'],
    );
    assert.equal(file('inline-data', {}, { url: 'data:image/png;base64,AAAA' }), 'error serious');
  });
  it('finds colors and turns that old clients get wrong', () => {
    assert.equal(file('color-space', { colourSpace: 'cmyk' }), 'warning serious');
    assert.equal(file('orientation', { orientation: 6 }), 'warning moderate');
  });
  it('tells a tracking pixel from a spacer', () => {
    const dot = facts({ width: 1, height: 1, format: 'gif', mediaType: 'image/gif' });
    assert.equal(
      verdict(
        subject('<img src="https://t.example/o?id=1" width="1" height="1" alt="">', { facts: dot }),
        'tracking-pixel',
      ),
      'info minor',
    );
    assert.equal(
      verdict(subject('<img src="https://t.example/open/abc" alt="">', { facts: dot }), 'tracking-pixel'),
      'info minor',
    );
    assert.equal(
      verdict(
        subject('<img src="https://e.example/spacer.gif" width="1" height="1" alt="">', { facts: dot }),
        'tracking-pixel',
      ),
      undefined,
    );
    assert.equal(
      verdict(
        subject('<img src="https://e.example/x.gif" width="600" height="1" alt="">', { facts: dot }),
        'tracking-pixel',
      ),
      undefined,
    );
    assert.equal(
      verdict(subject('<img src="https://e.example/x.gif" width="600" height="20">', { facts: dot }), 'alt'),
      'warning minor',
    );
  });
});

describe('judgeImage on motion', () => {
  const gif = (over: Partial<ImageFacts>, pixels?: PixelFacts): ImageSubject => ({
    url: 'https://e.example/a.gif',
    ...(pixels && { pixels }),
    facts: facts({
      format: 'gif',
      mediaType: 'image/gif',
      frames: 10,
      durationMs: 2_000,
      asPlayedDurationMs: 2_000,
      loops: 'endless',
      ...over,
    }),
  });

  it('wants movement to end within five seconds', () => {
    assert.equal(verdict(gif({}), 'motion'), 'warning serious');
    assert.equal(verdict(gif({ loops: 3 }), 'motion'), 'warning serious');
    assert.equal(verdict(gif({ loops: 2 }), 'motion'), 'pass');
    assert.equal(of(judgeImage(gif({})), 'motion')?.fix, 'Let it play 2 times at most.');
    assert.equal(verdict(gif({ frames: 1, isAnimated: false }), 'motion'), undefined);
  });
  it('looks at the first frame, which is all that Outlook on Windows shows', () => {
    const blank = of(judgeImage(gif({}, logo(50, { isBlank: true }))), 'first-frame')!;
    assert.deepEqual([blank.severity, blank.clients?.includes('Outlook 2016')], ['warning', true]);
    assert.equal(verdict(gif({}, logo(50)), 'first-frame'), 'info minor');
  });
});

describe('judgeImage on the ground behind', () => {
  const png = facts({ hasAlpha: true, transparency: 'alpha' });
  const on = (ground: string, pixels: PixelFacts) =>
    subject(`<td bgcolor="${ground}"><img src="https://e.example/a.png">`.replace('<td', '<table><tr><td'), {
      facts: png,
      pixels,
    });

  it('finds a dark logo that vanishes in dark mode, and the clients where it does', () => {
    const finding = of(judgeImage(on('#ffffff', logo(10))), 'dark-mode')!;
    assert.equal(finding.severity, 'warning');
    assert.ok(
      finding.clients!.includes('Gmail app (iPhone), dark') && finding.clients!.includes('Outlook.com (Chrome), dark'),
      String(finding.clients),
    );
    assert.match(
      finding.message,
      /vanishes in dark mode: in .* the ground becomes #[0-9a-f]{6}, and 100 % of its contour has a contrast below 2:1\.$/,
    );
  });
  it('passes a logo that is light enough, has an outline, or no transparency', () => {
    assert.equal(verdict(on('#ffffff', logo(65)), 'dark-mode'), 'pass');
    assert.equal(verdict(on('#ffffff', logo(10, { contour: logo(95).contour })), 'dark-mode'), 'pass');
    assert.equal(verdict(on('#ffffff', logo(10, { transparentShare: 0.01 })), 'dark-mode'), 'pass');
    assert.equal(verdict(subject('<img src="a.png">', { facts: facts(), pixels: logo(10) }), 'dark-mode'), undefined);
    assert.equal(verdict(on('#ffffff', logo(10, { isOpaque: true })), 'dark-mode'), undefined);
  });
  it('finds a white logo on a white ground, and one that full inversion brings there', () => {
    assert.equal(verdict(on('#ffffff', logo(98)), 'contrast'), 'warning serious');
    assert.equal(verdict(on('#101010', logo(98)), 'contrast'), 'pass');
    const inverted = of(judgeImage(on('#101010', logo(98))), 'dark-mode')!;
    assert.ok(
      inverted.clients!.includes('Gmail app (iPhone), dark') &&
        !inverted.clients!.includes('Gmail app (Android), dark'),
      String(inverted.clients),
    );
  });
  it('says nothing where another picture is behind', () => {
    assert.equal(
      verdict(
        subject('<table><tr><td background="https://e.example/b.png"><img src="https://e.example/a.png">', {
          facts: png,
          pixels: logo(10),
        }),
        'dark-mode',
      ),
      undefined,
    );
  });
  it('is milder where only the contour is lost', () => {
    const mixed = logo(10, {
      lightness: Array.from({ length: 101 }, (_, at) => (at === 10 ? 0.3 : at === 90 ? 0.7 : 0)),
    });
    assert.equal(verdict(on('#ffffff', mixed), 'dark-mode'), 'info moderate');
  });
});
