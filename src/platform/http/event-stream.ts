// An answer of server-sent events (HTML, 9.2), for as long as there are any.
import { Readable } from 'node:stream';
import { HttpReply } from './contract.ts';

/** What a reader has not taken by then is not added to. */
const UNREAD_BYTES_MAX = 64 * 1024;

export interface EventStream {
  reply: HttpReply;
  /**
   * Sends one event, its data as JSON. False: it was left out, for the reader is far behind and it is not one of the
   * last ones.
   */
  send(name: string, data: object, options?: { isLast?: boolean }): boolean;
  /** Shows that the service is there. */
  beat(): void;
  end(): void;
  /** Called once, when the stream has ended or its reader has gone. */
  onClose(listener: () => void): void;
}

/** Begins an answer; its connection ends with it, so that it does not hold up the end of the service. */
export function eventStream(): EventStream {
  const stream = new Readable({ read() {} });
  const push = (text: string): void => {
    if (!stream.destroyed && !stream.readableEnded) stream.push(text);
  };
  push(': events follow\n\n');
  return {
    reply: new HttpReply(stream, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      connection: 'close',
      // For proxies that would keep events back.
      'x-accel-buffering': 'no',
    }),
    send(name, data, { isLast = false } = {}) {
      if (!isLast && stream.readableLength >= UNREAD_BYTES_MAX) return false;
      push(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      return true;
    },
    beat: () => push(': still here\n\n'),
    end: () => void (stream.destroyed || stream.push(null)),
    onClose: (listener) => void stream.once('close', listener),
  };
}
