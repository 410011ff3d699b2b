import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { sql } from '../../../platform/db/index.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { animation, imageServer, photo, type ImageServer } from './image-server.fixture.ts';

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

async function tested(body: object, operation = ''): Promise<any> {
  const { body: begun } = await app.call(`POST ${PATH}${operation}`, { body });
  await app.idle();
  return (await app.call(`GET ${PATH}/${begun.items.id}`)).body.items;
}

/** Asks until it is done: on a busy machine the first answer may be that it is still processing. */
async function optimized(id: string, imageId?: string): Promise<any> {
  const operation = `POST ${PATH}/${id}/optimize${imageId ? `/${imageId}` : ''}`;
  const first = await app.call(operation);
  if (first.body.meta?.status !== 'Processing') return first;
  await app.idle();
  return app.call(operation);
}

const linked = (...names: string[]) => tested({ links: names.map((name) => `${site.url}/${name}`) });

describe('optimized images', () => {
  it('are smaller, look the same, and keep their format; other formats stand beside them with a warning', async () => {
    const {
      id,
      images: [image],
    } = await linked('photo.jpg');
    const { status, body } = await optimized(id);
    assert.deepEqual([status, body.meta, body.items.length, body.items[0].id], [200, { status: 'Completed' }, 1, id]);
    const [same, ...others] = body.items[0].optimized_images;
    const { optimized_url, optimized_size_bytes, saved_percent, visual_difference, encoder, ...rest } = same;
    assert.deepEqual(rest, {
      id: rest.id,
      original_image_id: image.id,
      image_url: `${site.url}/photo.jpg`,
      status: 'Complete',
      kind: 'same_format',
      optimized_file_size: String(optimized_size_bytes),
      optimized_format: 'jpeg',
      optimized_mime_type: 'image/jpeg',
      load_time_ms: null,
      original_size_bytes: image.size_bytes,
      width: 1200,
      height: 800,
    });
    assert.ok(
      saved_percent > 20 &&
        visual_difference.ssim >= 0.985 &&
        visual_difference.delta_e <= 3 &&
        encoder.startsWith('mozjpeg'),
      JSON.stringify(same),
    );
    const served = await app.call(`GET ${optimized_url}`, { key: null });
    assert.deepEqual(
      [served.status, served.headers.get('content-type'), served.body.length],
      [200, 'image/jpeg', optimized_size_bytes],
    );
    assert.equal((await sharp(served.body).metadata()).width, 1200);
    assert.deepEqual([...new Set(others.map(({ kind }: any) => kind))], ['alternative']);
    for (const { client_support_warning: warning } of others)
      assert.match(warning, /^\d+ of \d+ clients do not show it: Outlook/);
    assert.deepEqual((await app.call(`GET ${PATH}/${id}`)).body.items.image_optimization, body.items[0]);
  });

  it('can be one of several; the original stays when nothing is smaller', async () => {
    const {
      id,
      images: [, small],
    } = await linked('photo.jpg', 'small.png');
    const { body } = await optimized(id, small.id);
    assert.deepEqual([body.meta, body.items.id], [{ status: 'Completed' }, small.id]);
    const [first] = body.items.optimized_images;
    assert.deepEqual(
      [first.kind, first.saved_percent, first.optimized_url, first.optimized_file_size],
      ['original', 0, small.stored_url, String(small.size_bytes)],
    );
    assert.deepEqual(
      new Set(body.items.optimized_images.map((one: any) => one.original_image_id)),
      new Set([small.id]),
    );
  });

  it('are scaled to what dense screens show, where the message says how large that is', async () => {
    const html = `<img src="${site.url}/photo.jpg" width="200" alt="A meadow">`;
    const { id } = await tested({ html }, '/html-validate');
    const { body } = await optimized(id);
    const resized = body.items[0].optimized_images.find(({ kind }: any) => kind === 'resized');
    assert.deepEqual([resized.width, resized.height, resized.optimized_format], [400, 267, 'jpeg']);
    assert.ok(resized.saved_percent > 80);
  });

  it('of animations keep their frames, and of drawings are pictures that every client shows', async () => {
    const { id } = await linked('hundred.gif', 'mark.svg');
    const { body } = await optimized(id);
    const [gif, original, drawn] = body.items[0].optimized_images;
    assert.deepEqual(
      [
        gif.kind,
        gif.optimized_format,
        (await sharp((await app.call(`GET ${gif.optimized_url}`)).body, { pages: -1 }).metadata()).pages,
      ],
      ['same_format', 'gif', 100],
    );
    assert.deepEqual(
      [original.kind, original.optimized_format, drawn.kind, drawn.optimized_format, drawn.client_support_warning],
      ['original', 'svg', 'alternative', 'png', undefined],
    );
  });

  it('are not made of what is broken, and it is said why', async () => {
    const { id } = await linked('half.jpg', 'bomb.png', 'missing.png');
    const { body } = await optimized(id);
    const said = body.items[0].optimized_images.map(({ status, error_message: message }: any) => [status, message]);
    assert.deepEqual(
      [body.meta.status, said],
      [
        'Completed',
        [
          ['Error', 'The image is damaged and cannot be decoded.'],
          ['Error', 'The image unfolds to more pixels than can be held in memory.'],
          ['Error', 'The image could not be loaded, or is none.'],
        ],
      ],
    );
  });
});

/** Bytes in the middle of the last frame's data, none of which is a code that stands in its table. */
async function lastFrameDamaged(): Promise<Buffer> {
  const gif = await animation(5);
  return Buffer.from(gif.fill(0xff, gif.length - 12, gif.length - 2));
}

describe('a damaged image', () => {
  it('is damaged to its test and to optimizing alike, in every format', async () => {
    const png = await sharp(await photo(90, 60))
      .png()
      .toBuffer();
    const flipped = Buffer.from(png);
    flipped[png.length >> 1]! ^= 1;
    const gif = await animation(5);
    const webp = await sharp(gif, { pages: -1 }).webp().toBuffer();
    const tiff = await sharp(png).tiff().toBuffer();
    const files: [name: string, type: string, body: Buffer, isDamaged: boolean][] = [
      ['last-frame.gif', 'image/gif', await lastFrameDamaged(), true],
      ['no-end.gif', 'image/gif', gif.subarray(0, -1), true],
      ['whole.gif', 'image/gif', gif, false],
      ['flipped.png', 'image/png', flipped, true],
      ['no-end.png', 'image/png', png.subarray(0, -12), true],
      ['whole.png', 'image/png', png, false],
      ['cut.webp', 'image/webp', webp.subarray(0, -20), true],
      ['whole.webp', 'image/webp', webp, false],
      ['cut.tif', 'image/tiff', tiff.subarray(0, 200), true],
      ['cut.jpg', 'image/jpeg', (await photo(90, 60)).subarray(0, -200), true],
      ['cut.avif', 'image/avif', (await sharp(png).avif({ effort: 0 }).toBuffer()).subarray(0, -100), true],
    ];
    for (const [name, type, body] of files) site.set(`/${name}`, type, body);
    const { id, images } = await linked(...files.map(([name]) => name));
    const { body } = await optimized(id);
    const said = images.map((image: any) => {
      const own = body.items[0].optimized_images.filter((one: any) => one.original_image_id === image.id);
      return [
        image.url.split('/').at(-1),
        image.failures.some(({ rule }: any) => rule === 'damaged'),
        own.some((one: any) => one.error_message?.startsWith('The image is damaged') ?? false),
        own.some((one: any) => one.optimized_url),
      ];
    });
    assert.deepEqual(
      said,
      files.map(([name, , , isDamaged]) => [name, isDamaged, isDamaged, !isDamaged]),
    );
  });
});

describe('an optimization under way', () => {
  it('is shown as such, and started again when its worker is lost', async () => {
    const {
      id,
      images: [image],
    } = await linked('logo.png');
    const file = image.stored_url.split('/').at(-1);
    await app.galley.outside.db.run(sql`
      insert into image_optimizations (inspection_id, version, file, status, updated_at)
      values (${id}, 1, ${file}, 'Processing', ${app.clock.now()})
    `);
    const { image_optimization: shown } = (await app.call(`GET ${PATH}/${id}`)).body.items;
    assert.deepEqual(shown, {
      id,
      optimized_images: [
        {
          id: shown.optimized_images[0].id,
          original_image_id: image.id,
          image_url: image.url,
          load_time_ms: null,
          status: 'Processing',
        },
      ],
    });
    app.clock.advance(11 * 60_000);
    const { body } = await optimized(id);
    assert.deepEqual([body.meta.status, body.items[0].optimized_images[0].kind], ['Completed', 'same_format']);
  });
});

describe('files of an image test', () => {
  it('may be kept forever, cannot run scripts, and need no key', async () => {
    const {
      images: [mark],
    } = await linked('mark.svg');
    const { status, headers, body } = await app.call(`GET ${mark.stored_url}`, { key: null });
    assert.deepEqual(
      [
        status,
        headers.get('content-type'),
        headers.get('x-content-type-options'),
        headers.get('content-security-policy'),
      ],
      [200, 'image/svg+xml', 'nosniff', "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"],
    );
    assert.match(body.toString(), /<script>/);
    assert.equal(headers.get('cache-control'), 'private, max-age=31536000, immutable');
    const again = await app.call(`GET ${mark.stored_url}`, {
      key: null,
      headers: { 'if-none-match': headers.get('etag')! },
    });
    assert.equal(again.status, 304);
    const kept = await app.call(`GET ${mark.stored_url}?download`, { key: null });
    assert.match(kept.headers.get('content-disposition')!, /^attachment; filename="[0-9a-f]{32}\.svg"$/);
  });

  it('are found by their whole address only', async () => {
    const {
      images: [image],
    } = await linked('photo.jpg');
    const [, , , , , id, folder, file] = image.stored_url.split('/');
    const wrong = [
      `${id}/${'0'.repeat(32)}/${file}`,
      `${id}/${folder}/${'0'.repeat(32)}.jpg`,
      `${id}/${folder}/input-1.json`,
      `${id}/${folder}/..%2Finput-1.json`,
      `${id}/..%2F${folder}/${file}`,
      `${'0'.repeat(24)}/${folder}/${file}`,
    ];
    for (const path of wrong)
      assert.equal((await app.call(`GET /files/images/${path}`, { key: null })).status, 404, path);
    assert.equal((await app.call(`GET ${image.stored_url}`, { key: null })).status, 200);
  });

  it('go with their test', async () => {
    const {
      id,
      images: [image],
    } = await linked('logo.png');
    await optimized(id);
    const { blobs } = app.galley.outside;
    assert.ok((await blobs.count(`inspections/${id}`)) > 2);
    assert.deepEqual((await app.call(`DELETE ${PATH}/${id}`)).body, { message: 'The image test was deleted.' });
    await app.idle();
    assert.equal(await blobs.count(`inspections/${id}`), 0);
    assert.equal((await app.call(`GET ${image.stored_url}`, { key: null })).status, 404);
  });
});

describe('running an image test again', () => {
  it('looks at what is there now, and forgets what was made of the files before', async () => {
    site.set('/changing.jpg', 'image/jpeg', await photo(300, 200));
    const before = await linked('changing.jpg');
    const { id } = before;
    await optimized(id);
    site.set('/changing.jpg', 'image/jpeg', await photo(320, 200));
    const { status, body } = await app.call(`POST ${PATH}/${id}/reprocess`);
    assert.deepEqual(
      [status, body],
      [200, { meta: { status: 'Processing' }, items: { id, links: { self: `${PATH}/${id}` } } }],
    );
    await app.idle();
    const { items } = (await app.call(`GET ${PATH}/${id}`)).body;
    assert.deepEqual(
      [items.images[0].id, items.images[0].width, items.image_optimization],
      [before.images[0].id, 320, undefined],
    );
    assert.equal((await app.call(`GET ${before.images[0].stored_url}`)).status, 404);
    assert.equal((await optimized(id)).body.items[0].optimized_images[0].width, 320);
  });
});

describe('wrong requests about images', () => {
  const refused = async (operation: string, body?: unknown) => {
    const answer = await app.call(operation, body === undefined ? {} : { body });
    return [answer.status, answer.body];
  };

  it('get an answer that names the field', async () => {
    const said = async (operation: string, body: unknown) =>
      ((await refused(`POST ${PATH}${operation}`, body))[1] as { message: string }).message;
    assert.equal(await said('', {}), 'links is required.');
    assert.match(await said('', { links: [] }), /^links must not have fewer than 1 items/);
    assert.match(await said('', { links: [7] }), /^links\[0\] must be string/);
    assert.equal(await said('/html-validate', {}), 'html, url, mime: give exactly one of them.');
    assert.equal(await said('/html-validate', { html: ' ' }), 'html is empty.');
    assert.equal(await said('/upload', {}), 'image is required.');
    assert.equal(await said('/upload', { image: '' }), 'image is empty.');
    assert.equal(await said('/upload', { image: '<svg>' }), 'image is not base64.');
    assert.equal(await said('/upload', { image: 7 }), 'image must be a file of a multipart body, or base64.');
    assert.deepEqual(await refused(`POST ${PATH}/upload`, { image: 'A'.repeat(21 * 1024 * 1024 - 100) }), [
      413,
      { message: `image is ${((21 * 1024 * 1024 - 100) * 3) / 4} bytes; at most 15728640 (15 MiB) are accepted.` },
    ]);
    assert.equal((await refused(`GET ${PATH}?limit=1001`))[0], 400);
  });

  it('about what is not there get 404, and without a key 401', async () => {
    const id = '0'.repeat(24);
    const missing = [404, { message: `No image test has the id "${id}".` }];
    for (const operation of [
      `GET ${PATH}/${id}`,
      `DELETE ${PATH}/${id}`,
      `POST ${PATH}/${id}/reprocess`,
      `POST ${PATH}/${id}/optimize`,
      `POST ${PATH}/${id}/optimize/${id}`,
    ])
      assert.deepEqual(await refused(operation), missing, operation);
    const { id: known } = await linked('logo.png');
    assert.deepEqual(await refused(`POST ${PATH}/${known}/optimize/${id}`), [
      404,
      { message: `No image in this test has the id "${id}".` },
    ]);
    assert.equal((await app.call(`GET ${PATH}`, { key: null })).status, 401);
  });

  it('to optimize what is still being loaded get 409', async () => {
    const { body } = await app.call(`POST ${PATH}`, { body: { links: [`${site.url}/held.png`] } });
    const { id } = body.items;
    const answer = await app.call(`POST ${PATH}/${id}/optimize`);
    assert.deepEqual(
      [answer.status, answer.headers.get('retry-after'), answer.body],
      [409, '1', { message: 'The image test is still processing; its images can be optimized when it is complete.' }],
    );
    const waiting = await app.call(`GET ${PATH}/${id}`);
    assert.deepEqual(
      [waiting.body.meta.status, waiting.headers.get('retry-after'), waiting.body.items],
      [
        'Processing',
        '1',
        {
          id,
          total_load_time_ms: null,
          total_size_bytes: null,
          images: [],
          passes: [],
          failures: [],
          informational: [],
        },
      ],
    );
    site.release();
    await app.idle();
    assert.equal((await app.call(`GET ${PATH}/${id}`)).body.meta.status, 'Complete');
  });
});
