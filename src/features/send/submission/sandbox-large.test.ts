// Messages into an inbox of the sandbox that are larger than what sending takes.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { connectSmtp } from '../../../../test/harness/smtp-client.ts';
import { DOMAIN, mailProgram, startBed, type Bed } from './submission.fixture.ts';

const MB = 1_000_000;
const PIECE = Buffer.alloc(MB, 'Galley proofs email. ');

let bed: Bed;
let inbox: any;
before(async () => {
  bed = await startBed({ GALLEY_POP3_PORT: '0' });
  await bed.app.call('POST /v1/sandbox', {
    body: { name: 'watched', forward: { domain: DOMAIN, to: ['me@b.example'] } },
  });
  inbox = (await bed.app.call('POST /v1/sandbox', { body: { name: 'large', checks: ['gate'] } })).body;
});
after(() => bed.close());

const auth = () => ({ user: inbox.smtp_user, pass: inbox.smtp_password });
const latest = async (query: string): Promise<any> =>
  (await bed.app.call(`GET /v1/sandbox/large/messages/latest?${query}`)).body;

/** A file of so many megabytes that is never whole in memory here, and its digest. */
function file(megabytes: number) {
  const hash = createHash('sha256');
  const pieces = function* (): Generator<Buffer> {
    for (let n = 0; n < megabytes; n += 1) {
      const piece = Buffer.concat([Buffer.from(`${n}\n`), PIECE.subarray(0, MB - `${n}\n`.length)]);
      hash.update(piece);
      yield piece;
    }
  };
  return { content: Readable.from(pieces()), digest: () => hash.digest('hex') };
}

async function refused(given: Record<string, unknown>): Promise<string> {
  const program = mailProgram(bed, given);
  try {
    await program.sendMail({ from: `ann@${DOMAIN}`, to: 'bob@example.net', subject: 'Large', attachments: [file(30)] });
    return 'taken';
  } catch (error) {
    return (error as { response: string }).response;
  } finally {
    program.close();
  }
}

describe('an inbox of the sandbox', () => {
  const sent = file(100);

  it('takes 100 MB of files in one message, and shows it', async () => {
    const program = mailProgram(bed, { auth: auth() });
    const { response } = await program.sendMail({
      from: 'app@shop.example',
      to: 'bob+big@example.net',
      subject: 'A hundred',
      html: '<p>See the file.<img src="cid:logo">',
      attachments: [
        { filename: 'hundred.bin', content: sent.content },
        { filename: 'logo.png', cid: 'logo', content: Buffer.from('not quite a picture'), contentType: 'image/png' },
      ],
    });
    program.close();
    assert.match(response, /^250 2\.0\.0 Kept in the sandbox as [0-9a-f]{24}, and delivered to nobody$/);
    const message = await latest('subject=hundred');
    assert.deepEqual(
      [message.subject, message.tags, message.attachment_count, message.inline_count, message.problems],
      ['A hundred', ['big'], 2, 1, []],
    );
    assert.deepEqual(message.attachments.map((one: any) => [one.name, one.content_type, one.size_bytes]).toSorted(), [
      ['hundred.bin', 'application/octet-stream', 100 * MB],
      ['logo.png', 'image/png', 19],
    ]);
    assert.ok(message.size_bytes > 133 * MB, String(message.size_bytes));
    const html = (await bed.app.call(`GET ${message.html_url}`)).body.toString();
    assert.ok(html.includes(`data:image/png;base64,${Buffer.from('not quite a picture').toString('base64')}`), html);
    assert.deepEqual(await readdir(join(bed.app.galley.outside.config.dataDir, 'incoming')), []);
  });

  it('gives its files and its source back, byte for byte', async () => {
    const { attachments, source_url: source, size_bytes: size } = await latest('subject=hundred');
    const hundred = attachments.find((one: any) => one.name === 'hundred.bin');
    const headers = { authorization: `Basic ${btoa(`api:${bed.app.key}`)}` };
    const digestOf = async (url: string): Promise<{ digest: string; bytes: number }> => {
      const hash = createHash('sha256');
      const response = await fetch(new URL(new URL(url).pathname, bed.app.url), { headers });
      assert.equal(response.status, 200);
      let bytes = 0;
      for await (const chunk of response.body!) {
        hash.update(chunk);
        bytes += chunk.length;
      }
      assert.equal(Number(response.headers.get('content-length')), bytes);
      return { digest: hash.digest('hex'), bytes };
    };
    assert.deepEqual(await digestOf(hundred.url), { digest: sent.digest(), bytes: 100 * MB });
    assert.equal((await digestOf(source)).bytes, size);
    const missing = await bed.app.call(`GET ${hundred.url.replace(/\d+$/, '9')}`);
    assert.deepEqual([missing.status, missing.body.message], [404, 'The message has no file with the number 9.']);
    assert.deepEqual(await readdir(join(bed.app.galley.outside.config.dataDir, 'incoming')), []);
  });

  it('says that nothing else takes so large a message', async () => {
    const { id, checks } = await latest('subject=hundred');
    const words = /^The message has \d+ bytes; \w+ takes? messages of up to 26214400 bytes\.$/;
    for (let check = checks[0]; ; check = (await latest('subject=hundred')).checks[0]) {
      if (check.status === 'queued') continue;
      assert.equal(check.status, 'refused');
      assert.match(check.message, words);
      break;
    }
    const released = await bed.app.call(`POST /v1/sandbox/large/messages/${id}/release`, {
      body: { domain: DOMAIN, to: 'me@example.org' },
    });
    assert.equal(released.status, 413);
    assert.match(released.body.message, words);
  });

  it('is gone with its bytes when it is deleted', async () => {
    const { id } = await latest('subject=hundred');
    await bed.app.call(`DELETE /v1/sandbox/large/messages/${id}`);
    await bed.app.idle();
    assert.equal((await bed.app.call('GET /v1/sandbox/large')).body.size_bytes, 0);
    assert.equal(await bed.app.galley.outside.blobs.count('messages'), 0);
  });
});

describe('what is too large', () => {
  it('is refused at MAIL FROM by its SIZE, with the bound of the login', async () => {
    for (const [login, pass, bound] of [
      [inbox.smtp_user, inbox.smtp_password, 157_286_400],
      [`ann@${DOMAIN}`, 'correct horse', 26_214_400],
    ] as const) {
      const client = await connectSmtp(bed.port);
      await client.say('EHLO dev.example');
      assert.match(await client.say(`AUTH PLAIN ${btoa(`\0${login}\0${pass}`)}`), /^235/);
      assert.match(await client.say(`MAIL FROM:<ann@${DOMAIN}> SIZE=${bound + 1}`), new RegExp(`^552 .*${bound}`));
      assert.match(await client.say(`MAIL FROM:<ann@${DOMAIN}> SIZE=${bound}`), /^250/);
      client.close();
    }
  });

  it('is refused at its end where nobody said how large it is', async () => {
    assert.match(await refused({}), /^552 5\.3\.4 A message may have 26214400 bytes here$/);
  });
});
