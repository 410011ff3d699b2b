import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../../platform/db/index.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { darkLogo, imageServer, type ImageServer } from './image-server.fixture.ts';

let app: App;
let site: ImageServer;
before(async () => {
  site = await imageServer();
  app = await startApp({ GALLEY_ALLOW_HOSTS: '127.0.0.1' });
});
after(async () => {
  site.release();
  await app.close();
  await site.close();
});

const PATH = '/v1/inspect/images';
const ID = /^[0-9a-f]{24}$/;

/** Starts a test and returns its result when it is there. */
async function checked(operation: string, body: unknown): Promise<any> {
  const { status, body: begun } = await app.call(`POST ${PATH}${operation}`, { body });
  assert.equal(status, 200);
  return finished(begun.items.id);
}

async function finished(id: string): Promise<any> {
  await app.idle();
  const { body } = await app.call(`GET ${PATH}/${id}`);
  assert.equal(body.meta.status, 'Complete');
  return body;
}

const byPath = (test: any): Map<string, any> =>
  new Map(test.items.images.map((image: any) => [image.url.slice(site.url.length), image]));
const rules = (findings: { rule: string }[]): string[] => findings.map(({ rule }) => rule);
const messageOf = (findings: { rule: string; description: string }[], rule: string): string | undefined =>
  findings.find((finding) => finding.rule === rule)?.description;

describe('a relative image', () => {
  it('is loaded from beside the page that was read, with a warning, and from nowhere in a message', async () => {
    site.set('/mail/page.html', 'text/html', '<img src="../small.png" alt="A square" width="64">');
    const {
      items: {
        images: [shown],
      },
    } = await checked('/html-validate', { url: `${site.url}/mail/page.html` });
    assert.deepEqual(
      [shown.status, shown.width, messageOf(shown.failures, 'absolute-url')],
      [
        'Valid',
        64,
        '“../small.png” is a relative address, completed here by that of the page: ' +
          'sent as a message, it leads nowhere.',
      ],
    );
    const {
      items: {
        images: [lost],
      },
    } = await checked('/html-validate', { html: '<img src="../small.png" alt="A square" width="64">' });
    assert.deepEqual(
      [lost.status, lost.width, messageOf(lost.failures, 'absolute-url')],
      ['Invalid', null, '“../small.png” is not a URL that email clients can load.'],
    );
  });
});

describe('image tests by address', () => {
  it('start at once and end with what every image is', async () => {
    const { status, body } = await app.call(`POST ${PATH}`, { body: { links: [`${site.url}/photo.jpg`] } });
    const { id } = body.items;
    assert.match(id, ID);
    assert.deepEqual(
      [status, body],
      [200, { meta: { status: 'Processing' }, items: { id, links: { self: `${PATH}/${id}` } } }],
    );
    const { meta, items } = await finished(id);
    assert.match(meta.created_at + meta.updated_at, /Z.*Z$/);
    const [{ passes, failures, informational, load_time_ms, stored_url, id: imageId, ...image }] = items.images;
    assert.match(imageId, ID);
    assert.equal(typeof load_time_ms, 'number');
    assert.match(stored_url, new RegExp(`^${app.url}/files/images/${id}/[0-9a-f]{32}/[0-9a-f]{32}\\.jpg$`));
    const url = `${site.url}/photo.jpg`;
    assert.deepEqual(image, {
      url,
      status: 'Valid',
      found_in: null,
      alt: null,
      width: 1200,
      height: 800,
      display_width: null,
      display_height: null,
      format: 'jpeg',
      mime_type: 'image/jpeg',
      size_bytes: image.size_bytes,
      final_url: url,
      color_depth: 24,
      has_transparency: false,
    });
    assert.deepEqual(
      [rules(passes), rules(failures), rules(informational)],
      [['broken', 'load-time', 'damaged', 'extension', 'content-type', 'bytes', 'format'], ['https'], ['properties']],
    );
    assert.deepEqual(failures, [
      {
        id: failures[0].id,
        rule: 'https',
        description: 'photo.jpg is loaded without encryption; clients in a browser may refuse it in their https pages.',
        impact: 'moderate',
        recommendation: 'Use https.',
        details: [{ severity: 'warning' }],
      },
    ]);
    assert.deepEqual(
      [items.total_load_time_ms, items.total_size_bytes, rules(items.passes)],
      [load_time_ms, image.size_bytes, ['total-bytes']],
    );
  });

  it('tell of an animation its frames, duration, loops, colors, and show its first frame', async () => {
    const test = await checked('', { links: [`${site.url}/hundred.gif`] });
    const [{ gif, failures }] = test.items.images;
    const { first_frame_url: firstFrame, ...facts } = gif;
    assert.deepEqual(facts, {
      frames: 100,
      duration_ms: 5000,
      played_duration_ms: 5000,
      loops: 'endless',
      color_depth: 6,
      palette_colors: 64,
      has_transparency: false,
    });
    assert.ok(rules(failures).includes('motion'));
    const frame = await app.call(`GET ${firstFrame}`, { key: null });
    assert.deepEqual(
      [frame.status, frame.headers.get('content-type'), frame.body.toString('latin1', 1, 4)],
      [200, 'image/png', 'PNG'],
    );
  });

  it('find what is wrong with the bytes', async () => {
    const names = [
      'wrong.gif',
      'page.png',
      'missing.png',
      'huge.png',
      'half.jpg',
      'bomb.png',
      'picture.webp',
      'logo.png',
      'redirect',
    ];
    const images = byPath(await checked('', { links: names.map((name) => `${site.url}/${name}`) }));
    const of = (name: string, rule: string) => {
      const { status, failures, informational } = images.get(`/${name}`);
      return [status, messageOf([...failures, ...informational], rule)];
    };
    assert.deepEqual(of('wrong.gif', 'extension'), [
      'Invalid',
      'The name ends like a gif file, but the bytes are png.',
    ]);
    assert.deepEqual(of('wrong.gif', 'content-type'), [
      'Invalid',
      'The server says text/plain, so that strict clients do not show the image.',
    ]);
    assert.deepEqual(of('page.png', 'not-an-image'), ['Invalid', 'page.png is not an image, but text/html.']);
    assert.deepEqual(of('missing.png', 'broken'), ['Invalid', 'missing.png cannot be loaded: the server answers 404.']);
    assert.deepEqual(of('huge.png', 'broken'), ['Invalid', 'huge.png cannot be loaded: it is larger than 15 MiB.']);
    assert.deepEqual(of('half.jpg', 'damaged'), ['Invalid', 'half.jpg is cut off before its picture ends.']);
    assert.deepEqual(of('bomb.png', 'pixels'), [
      'Invalid',
      'bomb.png unfolds to 30000 × 30000 pixels, which brings phones down.',
    ]);
    assert.deepEqual([images.get('/bomb.png').width, images.get('/page.png').stored_url], [30000, null]);
    assert.match(of('picture.webp', 'format').join(), /^Valid,\d+ of \d+ clients do not show WEBP\.$/);
    assert.match(
      of('logo.png', 'dark-mode').join(),
      /^Valid,logo\.png is transparent and vanishes in dark mode: in .+ the ground becomes #[0-9a-f]{6}, and 100 % of its contour has a contrast below 2:1\.$/,
    );
    assert.deepEqual(
      [images.get('/redirect').final_url, of('redirect', 'redirect')[1]],
      [`${site.url}/photo.jpg`, 'redirect is reached after 1 redirect, each of which costs every reader a round trip.'],
    );
  });

  it('never reach a private address, whoever leads there, and do not say what is behind it', async () => {
    const links = [
      'http://10.0.0.1/a.png',
      'http://169.254.169.254/a.png',
      'http://[::1]:9/a.png',
      'http://localhost:9/a.png',
      'http://host.invalid/a.png',
      `${site.url}/inward`,
    ];
    const test = await checked('', { links });
    const said = test.items.images.map(
      ({ status, failures }: any) => `${status}: ${messageOf(failures, 'broken')?.replace(/^\S+ /, '')}`,
    );
    assert.deepEqual([...new Set(said)], ['Invalid: cannot be loaded: its host cannot be reached.']);
  });

  it('say what was not looked at', async () => {
    const {
      items: {
        images: [tag, part, ftp],
      },
    } = await checked('', { links: ['https://img.example/{{ id }}.png', 'cid:logo', 'ftp://img.example/a.png'] });
    assert.deepEqual(
      [tag.status, rules(tag.informational), part.status, rules(part.informational)],
      ['Skipped', ['not-checked'], 'Skipped', ['not-checked']],
    );
    assert.deepEqual(
      [ftp.status, messageOf(ftp.failures, 'broken')],
      [
        'Invalid',
        'a.png cannot be loaded: its address is not a complete http or https address without user name and password.',
      ],
    );
  });
});

describe('image tests of a message', () => {
  it('know where each image stands, and how large it is shown', async () => {
    const html =
      `<body>\n<p>Hello</p>\n<img src="${site.url}/photo.jpg" width="300" height="300" alt="A ` +
      `meadow">\n<table background="${site.url}/missing.png"><tr><td>` +
      `<img src="${site.url}/logo.png" width="100"></td></tr></table>`;
    const { items } = await checked('/html-validate', { html });
    const [photo, ground, logo] = items.images;
    const { line, column, selector, absolute_index, found_in, alt, display_width, display_height, width } = photo;
    assert.deepEqual(
      { line, column, selector, absolute_index, found_in, alt, display_width, display_height, width },
      {
        line: 3,
        column: 1,
        selector: 'html > body > img',
        absolute_index: html.indexOf('<img'),
        found_in: 'img src',
        alt: 'A meadow',
        display_width: 300,
        display_height: 300,
        width: 1200,
      },
    );
    assert.equal(
      messageOf(photo.failures, 'aspect-ratio'),
      'photo.jpg is shown at 300 × 300, which distorts its 1200 × 800 pixels by 50 %.',
    );
    assert.equal(
      messageOf(photo.failures, 'retina'),
      'photo.jpg has 4 pixels per CSS pixel, more than any screen shows.',
    );
    assert.deepEqual([ground.found_in, ground.status], ['table background', 'Invalid']);
    assert.deepEqual([logo.alt, messageOf(logo.failures, 'alt')], [null, 'logo.png has no alternative text.']);
  });

  it('judge what the message carries itself', async () => {
    const logo = (await darkLogo()).toString('base64');
    const html =
      `<img src="cid:logo@mail" alt="Galley" width="100"><img src="data:image/gif;base64,${logo}" alt="Galley" ` +
      'width="100"><img src="cid:gone" alt="">';
    const mime = [
      'From: a@example.com',
      'Subject: Hello',
      'MIME-Version: 1.0',
      'Content-Type: multipart/related; boundary=x',
      '',
      '--x',
      'Content-Type: text/html; charset=utf-8',
      '',
      html,
      '--x',
      'Content-Type: image/jpeg',
      'Content-Transfer-Encoding: base64',
      'Content-ID: <logo@mail>',
      '',
      logo,
      '--x--',
      '',
    ].join('\r\n');
    const {
      items: {
        images: [part, written, gone],
      },
    } = await checked('/html-validate', { mime });
    assert.deepEqual(
      [part.url, part.format, part.load_time_ms, messageOf(part.failures, 'content-type')],
      ['cid:logo@mail', 'png', null, 'The message says image/jpeg, but the bytes are image/png.'],
    );
    assert.ok(rules(part.failures).includes('dark-mode'));
    assert.deepEqual(
      [written.format, written.url.length < 70, rules(written.failures).includes('inline-data')],
      ['png', true, true],
    );
    assert.equal(
      messageOf(gone.failures, 'broken'),
      'cid:gone cannot be loaded: the message has no part with this Content-ID.',
    );
  });
});

describe('uploads of images', () => {
  it('answer with the whole result, and are kept like every test', async () => {
    const form = new FormData();
    form.set('image', new Blob([new Uint8Array(await darkLogo())], { type: 'image/png' }), 'logo.jpg');
    const { status: answered, body } = await app.call(`POST ${PATH}/upload`, { body: form });
    assert.deepEqual([answered, body.meta.status], [200, 'Complete']);
    const { url, status, format, width, failures } = body.items.images[0];
    assert.deepEqual({ url, status, format, width }, { url: 'logo.jpg', status: 'Valid', format: 'png', width: 200 });
    assert.deepEqual(rules(failures), ['extension', 'dark-mode']);
    assert.deepEqual((await app.call(`GET ${PATH}/${body.items.id}`)).body, body);
  });

  it('are taken as base64 too', async () => {
    const image = (await darkLogo()).toString('base64');
    for (const given of [image, `data:image/png;base64,${image}`]) {
      const { status, body } = await app.call(`POST ${PATH}/upload`, { body: { image: given, file_name: 'logo.png' } });
      assert.deepEqual([status, body.items.images[0].url, body.items.images[0].height], [200, 'logo.png', 80]);
    }
  });
});

describe('lists of image tests', () => {
  it('have a thousand on a page', async () => {
    const {
      items: { id },
    } = await checked('', { links: [`${site.url}/logo.png`, `${site.url}/missing.png`] });
    await app.galley.outside.db.run(sql`
      insert into inspections (
        id, account_id, kind, status, version, summary, created_at, version_created_at, updated_at, expires_at
      )
      select md5(number::text), account_id, kind, status, version, summary, created_at - number * interval '1 second',
        version_created_at, updated_at, expires_at
      from inspections, generate_series(1, 1000) as number
      where id = ${id}
    `);
    const { body: all } = await app.call(`GET ${PATH}?limit=1000`);
    assert.deepEqual([all.items.length, all.meta.count > 1000], [1000, true]);
    const { created_at, total_load_time_ms, images, ...item } = all.items.find((test: any) => test.id === id);
    assert.deepEqual(item, {
      id,
      name: `${new URL(site.url).host}/logo.png and 1 more`,
      status: 'Complete',
      total_size_bytes: item.total_size_bytes,
      image_count: 2,
      links: { self: `${PATH}/${id}` },
    });
    assert.deepEqual([typeof created_at, typeof total_load_time_ms], ['string', 'number']);
    const {
      body: { items: whole },
    } = await app.call(`GET ${PATH}/${id}`);
    assert.deepEqual(images[1].failures, whole.images[1].failures);
    assert.deepEqual(
      [images[1].failures.at(-1).rule, images[1].failures.at(-1).details[0].severity, 'passes' in images[1]],
      ['broken', 'error', false],
    );
    const { count } = all.meta;
    const { body: page } = await app.call(`GET ${PATH}?skip=1000&limit=500`);
    assert.equal(page.items.length, count - 1000);
    assert.equal(all.paging.next, `${app.url}${PATH}?limit=1000&skip=1000`);
    assert.equal((await app.call(`GET ${PATH}`)).body.items.length, 100);
  });
});
