import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { startSite, type Site } from '../../../test/harness/link-playground.ts';
import { checkAsset, createFetch, fetchAll, type GuardedFetch } from './index.ts';
import { imageProblem, sniffImage } from './image-check.ts';

const canvas = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#c30' } });

describe('fetchAll', () => {
  let site: Site;
  let door: GuardedFetch;
  let png: Buffer;
  let bomb: Buffer;
  let running = 0;
  let runningMax = 0;

  before(async () => {
    png = await canvas(20, 10).png().toBuffer();
    // The header promises 9000 × 9000 pixels; a decoder would make room for them before it sees that none follow.
    bomb = Buffer.from(png);
    bomb.writeUInt32BE(9000, 16);
    bomb.writeUInt32BE(9000, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    site = await startSite({
      handle: (request, response) => {
        running += 1;
        runningMax = Math.max(runningMax, running);
        response.on('finish', () => (running -= 1));
        const path = request.url!;
        if (path.startsWith('/big')) response.end(Buffer.alloc(1000));
        else if (path === '/lying.png') response.setHeader('Content-Type', 'text/html; charset=utf-8').end(png);
        else if (path === '/bomb.png') response.setHeader('Content-Type', 'image/png').end(bomb);
        else if (path === '/cut.gif') response.setHeader('Content-Type', 'image/gif').end('GIF89a');
        else if (path === '/gone.png') response.writeHead(404, { 'Content-Type': 'text/html' }).end('gone');
        else if (path === '/a.css') response.setHeader('Content-Type', 'Text/CSS; charset=utf-8').end('a{}');
        else response.end(png);
      },
    });
    door = createFetch({ allowHosts: [`127.0.0.1:${site.port}`], userAgent: 'x' });
  });
  after(async () => {
    door.close();
    await site.close();
  });
  const limits = { concurrency: 4, countMax: 100, totalBytesMax: 10_000_000, sizeBytesMax: 1_000_000, timeoutMs: 5000 };
  const at = (path: string) => `${site.origin}${path}`;

  it('fetches each URL once and keeps the order of the list', async () => {
    site.requests.length = 0;
    const urls = ['/1', '/2', '/1', '/3'].map(at);
    const found = await fetchAll(urls, { ...limits, fetch: door });
    assert.deepEqual([...found.keys()], ['/1', '/2', '/3'].map(at));
    assert.deepEqual(site.requests.toSorted(), ['GET /1', 'GET /2', 'GET /3']);
  });
  it('goes by the bytes of an image, not by its declared type', async () => {
    const found = await fetchAll([at('/lying.png'), at('/1'), at('/a.css')], { ...limits, fetch: door });
    assert.deepEqual(
      [...found.values()].map((asset) => 'contentType' in asset && asset.contentType),
      ['image/png', 'image/png', 'text/css'],
    );
  });
  it('hands on the status of what is gone', async () => {
    const gone = (await fetchAll([at('/gone.png')], { ...limits, fetch: door })).get(at('/gone.png'))!;
    assert.deepEqual(gone, { status: 404, contentType: 'text/html', body: Buffer.from('gone') });
  });
  it('keeps images away that would burst or cannot be read', async () => {
    const found = await fetchAll([at('/bomb.png'), at('/cut.gif')], { ...limits, fetch: door });
    assert.deepEqual([...found.values()], [{ error: 'image_too_large' }, { error: 'image_broken' }]);
  });
  it('judges parts of a message in the same way', async () => {
    assert.deepEqual(await checkAsset(png, 'application/octet-stream; name=x'), {
      contentType: 'image/png',
      body: png,
    });
    assert.deepEqual(await checkAsset(bomb, 'image/png'), { error: 'image_too_large' });
    assert.equal('contentType' in (await checkAsset(Buffer.from('x'), '')), true);
  });
  it('says why an asset is missing', async () => {
    const found = await fetchAll(['http://10.0.0.1/a.png', 'ftp://a/'], { ...limits, fetch: door });
    assert.deepEqual([...found.values()], [{ error: 'refused' }, { error: 'invalid_url' }]);
  });
  it('stops at the count, the size of one and the size of all', async () => {
    const urls = ['/big1', '/big2', '/big3', '/big4'].map(at);
    const kinds = async (over: Partial<typeof limits>) =>
      [...(await fetchAll(urls, { ...limits, concurrency: 1, ...over, fetch: door })).values()].map((asset) =>
        'error' in asset ? asset.error : asset.body.length,
      );
    assert.deepEqual(await kinds({ countMax: 2 }), [1000, 1000, 'too_many', 'too_many']);
    assert.deepEqual(await kinds({ sizeBytesMax: 999 }), Array(4).fill('too_large'));
    assert.deepEqual(await kinds({ totalBytesMax: 2500 }), [1000, 1000, 'total_too_large', 'total_too_large']);
  });
  it('never has more fetches under way than allowed', async () => {
    runningMax = 0;
    await fetchAll(
      Array.from({ length: 20 }, (_, index) => at(`/${index}`)),
      { ...limits, concurrency: 3, fetch: door },
    );
    assert.ok(runningMax <= 3 && runningMax > 0, String(runningMax));
  });
  it('throws the reason of the signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await assert.rejects(fetchAll([at('/1')], { ...limits, fetch: door, signal }), { message: 'enough' });
  });
});

describe('sniffImage', () => {
  it('knows what sharp and browsers agree on', async () => {
    const image = canvas(8, 8);
    assert.equal(sniffImage(await image.clone().png().toBuffer()), 'image/png');
    assert.equal(sniffImage(await image.clone().jpeg().toBuffer()), 'image/jpeg');
    assert.equal(sniffImage(await image.clone().gif().toBuffer()), 'image/gif');
    assert.equal(sniffImage(await image.clone().webp().toBuffer()), 'image/webp');
    assert.equal(sniffImage(await image.clone().avif({ effort: 0 }).toBuffer()), 'image/avif');
    assert.equal(sniffImage(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), undefined);
    assert.equal(sniffImage(Buffer.alloc(0)), undefined);
    assert.equal(sniffImage(Buffer.from('BMW is a car maker from Munich')), undefined);
  });
});

describe('imageProblem', () => {
  /** An animation whose frames differ, so that none is merged into another. */
  const frames = (count: number, side: number) => {
    const pixels = Buffer.alloc(count * side * side * 3, Buffer.from([200, 10, 90, 30, 250, 7, 5]));
    return sharp(pixels, { raw: { width: side, height: count * side, channels: 3, pageHeight: side } });
  };

  it('counts the frames of an animation', async () => {
    const gif = await frames(5, 10).gif().toBuffer();
    const limits = { pixelsMax: 1000, framesMax: 5, framePixelsMax: 500 };
    assert.equal(await imageProblem(gif, 'image/gif', limits), undefined);
    assert.equal(await imageProblem(gif, 'image/gif', { ...limits, framesMax: 4 }), 'image_too_large');
    assert.equal(await imageProblem(gif, 'image/gif', { ...limits, framePixelsMax: 499 }), 'image_too_large');
    assert.equal(await imageProblem(gif, 'image/gif', { ...limits, pixelsMax: 99 }), 'image_too_large');
  });
  it('reads the size of a bitmap, stored from the bottom or the top', async () => {
    const header = Buffer.alloc(54);
    header.write('BM');
    header.writeInt32LE(100_000, 18);
    header.writeInt32LE(-100_000, 22);
    assert.equal(sniffImage(header), 'image/bmp');
    assert.equal(await imageProblem(header, 'image/bmp'), 'image_too_large');
    header.writeInt32LE(10, 18);
    assert.equal(await imageProblem(header, 'image/bmp'), undefined);
  });
});
