import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { bytesOf, Diverter } from './picture-bytes.ts';

/** What the driver hears of these messages when they come in pieces of so many bytes. */
function heard(messages: readonly string[], size: number): any[] {
  const pipe = Buffer.from(messages.map((message) => `${message}\0`).join(''));
  const forwarded: Buffer[] = [];
  const diverter = new Diverter((chunk) => forwarded.push(Buffer.from(chunk)));
  for (let at = 0; at < pipe.length; at += size) diverter.take(pipe.subarray(at, at + size));
  return Buffer.concat(forwarded)
    .toString()
    .split('\0')
    .slice(0, -1)
    .map((message) => JSON.parse(message));
}

const picture = (id: number, bytes: Buffer): string =>
  JSON.stringify({ id, result: { data: bytes.toString('base64') }, sessionId: 'F00' });

describe('bytes taken from the pipe of a browser', () => {
  it('are those that were sent, however the messages are cut', () => {
    const bytes = [0, 1, 2, 3, 4, 300].map((length) => randomBytes(length));
    const others = [
      '{}',
      '{"id":1,"result":{}}',
      '{"method":"Page.loaded","params":{"data":"not an answer","name":"ü"}}',
    ];
    const messages = bytes.flatMap((each, n) => [others[n % 3]!, picture(100 + n, each)]);
    for (const size of [1, 2, 3, 4, 5, 7, 47, 48, 49, 64, 333, 100_000]) {
      const found = heard(messages, size);
      assert.equal(found.length, messages.length);
      for (const [n, message] of found.entries()) {
        if (n % 2 === 0) assert.deepEqual(message, JSON.parse(messages[n]!), `pieces of ${size}`);
        else {
          assert.deepEqual([message.id, message.sessionId], [100 + (n - 1) / 2, 'F00']);
          assert.ok(bytesOf(message.result.data).equals(bytes[(n - 1) / 2]!), `pieces of ${size}`);
        }
      }
    }
  });

  it('are of any size, each read once', () => {
    const bytes = [3_000_001, 20_000_000, 10].map((length) => randomBytes(length));
    const found = heard(
      bytes.map((each, n) => picture(n, each)),
      65_536,
    );
    for (const [n, { result }] of found.entries()) {
      assert.ok(bytesOf(result.data).equals(bytes[n]!));
      assert.throws(() => bytesOf(result.data), /not asked for in time/);
    }
  });

  it('are read from the answer itself where the browser writes it in another order', () => {
    const [{ result }] = heard([`{"result":{"data":"${Buffer.from('as ever').toString('base64')}"},"id":7}`], 10);
    assert.equal(bytesOf(result.data).toString(), 'as ever');
  });
});
