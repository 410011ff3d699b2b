// Small pictures of the pictures that a message carries.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  assert.equal((await app.call('POST /v1/sandbox', { body: { name: 'pictures' } })).status, 201);
});
after(() => app.close());

const filled = (width: number, height: number, background: string | object) =>
  sharp({ create: { width, height, channels: 4, background: background as string } });

interface File {
  name: string;
  type: string;
  body: Buffer;
}

/** Puts a message with these files into the inbox; answers them as the service lists them. */
async function put(files: readonly File[]): Promise<any[]> {
  const parts = files.map(
    ({ name, type, body }) =>
      `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n` +
      `Content-Transfer-Encoding: base64\r\n\r\n${body.toString('base64').replaceAll(/.{76}/g, '$&\r\n')}\r\n`,
  );
  const message =
    'From: a@garden.example\r\nTo: b@example.net\r\nSubject: Pictures\r\nMIME-Version: 1.0\r\n' +
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHello\r\n' +
    `${parts.join('')}--b--\r\n`;
  const made = await app.call('POST /v1/sandbox/pictures/messages', { body: { to: 'b@example.net', message } });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { sandbox_message_id: id } = made.body;
  const { attachments } = (await app.call(`GET /v1/sandbox/pictures/messages/${id}`)).body;
  assert.deepEqual(
    attachments.map(({ name }: any) => name),
    files.map(({ name }) => name),
  );
  return attachments;
}

describe('thumbnails of the files of a message', () => {
  it('fit into 180 by 120 pixels, on white, and are never larger than the picture', async () => {
    const files = await put([
      { name: 'wide.png', type: 'image/png', body: await filled(2000, 1000, '#d00000').png().toBuffer() },
      { name: 'small.webp', type: 'image/webp', body: await filled(20, 10, '#00d000').webp().toBuffer() },
      {
        name: 'clear.gif',
        type: 'image/gif',
        body: await filled(60, 60, { r: 0, g: 0, b: 0, alpha: 0 }).gif().toBuffer(),
      },
      {
        name: 'turned.jpg',
        type: 'image/jpeg',
        body: await filled(400, 200, '#0000d0').withMetadata({ orientation: 6 }).jpeg().toBuffer(),
      },
    ]);
    const found = [];
    for (const { thumbnail_url: url } of files) {
      const { status, headers, body } = await app.call(`GET ${url}`);
      assert.deepEqual(
        [status, headers.get('content-type'), headers.get('cache-control'), headers.get('x-content-type-options')],
        [200, 'image/jpeg', 'private, max-age=86400', 'nosniff'],
      );
      const { width, height } = await sharp(body).metadata();
      const { data } = await sharp(body).raw().toBuffer({ resolveWithObject: true });
      found.push([width, height, ...[...data.subarray(0, 3)].map((value) => Math.round(value / 32))]);
    }
    assert.deepEqual(found, [
      [180, 90, 7, 0, 0],
      [20, 10, 0, 7, 0],
      [60, 60, 8, 8, 8],
      [60, 120, 0, 0, 7],
    ]);
  });

  it('are there for pictures alone, whatever a file calls itself', async () => {
    const png = await filled(40, 40, '#d00000').png().toBuffer();
    const bomb = await filled(6000, 6000, '#ffffff').png({ compressionLevel: 9 }).toBuffer();
    const files = await put([
      { name: 'page.png', type: 'image/png', body: Buffer.from('<script>alert(1)</script>') },
      { name: 'cut.png', type: 'image/png', body: png.subarray(0, 60) },
      { name: 'huge.png', type: 'image/png', body: bomb },
      { name: 'drawing.svg', type: 'image/svg+xml', body: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
      { name: 'picture.txt', type: 'text/plain', body: png },
    ]);
    assert.deepEqual(
      files.map(({ thumbnail_url: url }) => url !== null),
      [true, true, true, false, false],
    );
    const answers = [];
    for (const { url } of files) {
      const { status, body } = await app.call(`GET ${url}/thumbnail`);
      answers.push([status, status === 200 ? 'a picture' : body.message]);
    }
    const none = (number: number): string =>
      `The file with the number ${number} is no picture: PNG, JPEG, GIF, WebP and AVIF have thumbnails.`;
    assert.deepEqual(answers, [
      [404, none(0)],
      [404, 'The picture with the number 1 is damaged.'],
      [404, 'The picture has 6000 by 6000 pixels; thumbnails are made of up to 25 megapixels.'],
      [404, none(3)],
      [200, 'a picture'],
    ]);
    const other = await app.call(`GET ${files[0].url.replace(/0$/, '5')}/thumbnail`);
    assert.deepEqual([other.status, other.body.message], [404, 'The message has no file with the number 5.']);
    assert.equal((await app.call(`GET ${files[4].url}/thumbnail`, { key: null })).status, 401);
  });
});
