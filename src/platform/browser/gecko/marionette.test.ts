import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { describe, it } from 'node:test';
import { RenderError } from '../errors.ts';
import { packetReader, speakMarionette } from './marionette.ts';

/** A program's end of a Marionette stream, which answers each command with `reply`. */
function program(reply: (command: string, id: number) => unknown): Duplex {
  const reader = packetReader();
  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      for (const packet of reader.push(chunk)) {
        const [, id, command] = packet as [number, number, string];
        const answer = reply(command, id);
        if (answer !== undefined) stream.push(framed(answer));
      }
      done();
    },
  });
  stream.push(framed({ applicationType: 'gecko', marionetteProtocol: 3 }));
  return stream;
}

function framed(packet: unknown): string {
  const text = JSON.stringify(packet);
  return `${Buffer.byteLength(text)}:${text}`;
}

describe('packetReader', () => {
  it('puts packets together however the stream was split, counting bytes and not characters', () => {
    const bytes = Buffer.from(framed([1, 1, null, { value: 'grün 🙂' }]) + framed([1, 2, null, {}]));
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const reader = packetReader();
      const packets = [...reader.push(bytes.subarray(0, cut)), ...reader.push(bytes.subarray(cut))];
      assert.deepEqual(packets, [
        [1, 1, null, { value: 'grün 🙂' }],
        [1, 2, null, {}],
      ]);
    }
  });

  it('refuses what is no packet, and a packet that is too large, before it is there', () => {
    for (const bytes of ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', '99999999999:{', '-1:{}', ':{}']) {
      assert.throws(() => packetReader().push(Buffer.from(bytes)), RenderError, bytes);
    }
  });
});

describe('speakMarionette', () => {
  it('gives each command its own answer', async () => {
    const marionette = speakMarionette(program((command, id) => [1, id, null, { value: command }]));
    assert.deepEqual(await Promise.all([marionette.send('A', {}, 1000), marionette.send('B', {}, 1000)]), ['A', 'B']);
    marionette.close();
  });

  it('throws what the program refused, with its words as the cause', async () => {
    const marionette = speakMarionette(program((_, id) => [1, id, { error: 'no such window', message: 'gone' }, null]));
    await assert.rejects(marionette.send('A', {}, 1000), { reason: 'not_drawn', cause: 'no such window: gone' });
    marionette.close();
  });

  it('throws when the program does not answer in time', async () => {
    const marionette = speakMarionette(program(() => undefined));
    await assert.rejects(marionette.send('A', {}, 5), { reason: 'timeout' });
    marionette.close();
  });

  it('throws for commands that wait when the stream ends, and for those after it', async () => {
    const stream = program(() => undefined);
    const marionette = speakMarionette(stream);
    const waiting = assert.rejects(marionette.send('A', {}, 1000), { reason: 'crashed' });
    stream.destroy();
    await waiting;
    await assert.rejects(marionette.send('B', {}, 1000), { reason: 'crashed' });
  });
});
