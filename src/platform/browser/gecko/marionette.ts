// Client of Marionette, the remote-control protocol of Gecko programs (protocol 3): JSON packets over a byte stream,
// each preceded by its length in bytes and a colon.
// https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
import type { Duplex } from 'node:stream';
import { RenderError } from '../errors.ts';

/** Replies carry measures, never pictures. */
const PACKET_BYTES_MAX = 8 * 1024 * 1024;
const HEADER_CHARS_MAX = 20;

export interface Marionette {
  /**
   * Sends a command such as `WebDriver:ExecuteScript` and resolves with its value.
   * Throws `RenderError`: `not_drawn` when the program answers with an error, `crashed` when the stream ends,
   * `timeout` when `timeoutMs` pass.
   */
  send(command: string, parameters: object, timeoutMs: number): Promise<unknown>;
  close(): void;
}

interface Waiting {
  command: string;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/**
 * Splits a byte stream into packets. `push` gives the complete ones; throws `RenderError` (`crashed`) on a malformed or
 * oversized one.
 */
export function packetReader(): { push(chunk: Buffer): unknown[] } {
  let pending: Buffer = Buffer.alloc(0);
  const next = (): unknown => {
    const colon = pending.subarray(0, HEADER_CHARS_MAX).indexOf(0x3a);
    if (colon < 0 && pending.length < HEADER_CHARS_MAX) return undefined;
    const header = pending.toString('latin1', 0, Math.max(colon, 0));
    const length = Number(header);
    if (!/^\d+$/.test(header) || length > PACKET_BYTES_MAX) {
      throw new RenderError('crashed', 'The engine sent a packet that is no Marionette packet, or too large.', header);
    }
    if (pending.length < colon + 1 + length) return undefined;
    const packet: unknown = JSON.parse(pending.toString('utf8', colon + 1, colon + 1 + length));
    pending = pending.subarray(colon + 1 + length);
    return packet;
  };
  return {
    push(chunk) {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const packets: unknown[] = [];
      for (let packet = next(); packet !== undefined; packet = next()) packets.push(packet);
      return packets;
    },
  };
}

type Reply = [
  type: number,
  id: number,
  error: { error: string; message: string } | null,
  result: { value?: unknown } | null,
];

function isReply(packet: unknown): packet is Reply {
  return Array.isArray(packet) && packet[0] === 1 && typeof packet[1] === 'number';
}

/** Speaks Marionette over a connected stream. */
export function speakMarionette(stream: Duplex): Marionette {
  const waiting = new Map<number, Waiting>();
  const reader = packetReader();
  let lastId = 0;
  let closed: Error | undefined;

  const settle = (id: number): Waiting | undefined => {
    const entry = waiting.get(id);
    waiting.delete(id);
    clearTimeout(entry?.timer);
    return entry;
  };
  const shut = (cause: unknown): void => {
    closed ??= new RenderError('crashed', 'The connection to the engine is closed.', cause);
    for (const id of waiting.keys()) settle(id)?.reject(closed);
    stream.destroy();
  };
  const receive = (packet: unknown): void => {
    // The first packet is the program's greeting; anything else that is no reply is none of ours.
    if (!isReply(packet)) return;
    const [, id, error, result] = packet;
    const entry = settle(id);
    if (error)
      entry?.reject(
        new RenderError('not_drawn', `The engine refused ${entry.command}.`, `${error.error}: ${error.message}`),
      );
    else entry?.resolve(result?.value ?? result);
  };

  stream.on('data', (chunk: Buffer) => {
    try {
      for (const packet of reader.push(chunk)) receive(packet);
    } catch (error) {
      shut(error);
    }
  });
  stream.on('error', shut).on('close', () => shut('stream closed'));

  return {
    send(command, parameters, timeoutMs) {
      if (closed) return Promise.reject(closed);
      const id = ++lastId;
      const body = Buffer.from(JSON.stringify([0, id, command, parameters]));
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          settle(id)?.reject(
            new RenderError('timeout', 'The engine ran over its time.', `${command}: ${timeoutMs} ms`),
          );
        }, timeoutMs);
        waiting.set(id, { command, resolve, reject, timer });
        stream.write(`${body.length}:`);
        stream.write(body);
      });
    },
    close: () => shut('closed by the service'),
  };
}
