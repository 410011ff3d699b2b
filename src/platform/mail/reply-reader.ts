// What a server says on a connection, reply by reply.
import type { Socket } from 'node:net';
import { messageOf } from '../errors/index.ts';

/** No server needs more for one answer. */
const REPLY_LENGTH_MAX = 64 * 1024;
const LAST_LINE = /^\d{3}(?: |$)/;

export interface ReplyReader {
  /** The lines of the next reply, joined by line breaks. Rejects when the connection breaks, or stays silent so long. */
  next(timeoutMs: number): Promise<string>;
  readonly isOpen: boolean;
  /** Why not. */
  readonly problem: string;
  /** Cuts the connection; what waits rejects. */
  fail(problem: string): void;
}

interface Waiting {
  resolve(text: string): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/** Takes over what a socket receives. A server that speaks unasked ends the connection, such as one that is idle. */
export function readReplies(socket: Socket): ReplyReader {
  let received = '';
  let lines: string[] = [];
  let problem = '';
  const replies: string[] = [];
  let waiting: Waiting | undefined;

  function settle(): Waiting | undefined {
    const one = waiting;
    if (one) clearTimeout(one.timer);
    waiting = undefined;
    return one;
  }

  function fail(why: string): void {
    if (problem !== '') return;
    problem = why;
    socket.destroy();
    settle()?.reject(new Error(why));
  }

  function hear(chunk: Buffer): void {
    received += chunk.toString('latin1');
    let from = 0;
    for (let end = received.indexOf('\n'); end >= 0; end = received.indexOf('\n', from)) {
      const line = received.slice(from, end).replace(/\r$/, '');
      from = end + 1;
      lines.push(line);
      if (!LAST_LINE.test(line)) continue;
      replies.push(Buffer.from(lines.join('\n'), 'latin1').toString('utf8'));
      lines = [];
    }
    received = received.slice(from);
    const length = lines.reduce((sum, line) => sum + line.length, received.length);
    if (length > REPLY_LENGTH_MAX || replies.length > 100) return fail('the server’s answer does not end');
    if (replies.length > 0) settle()?.resolve(replies.shift() as string);
  }

  socket.on('data', hear);
  socket.on('error', (error) => fail(messageOf(error)));
  socket.once('end', () => fail('the server closed the connection'));
  socket.once('close', () => fail('the connection was closed'));
  return {
    get isOpen() {
      return problem === '' && socket.writable && replies.length === 0 && received === '' && lines.length === 0;
    },
    get problem() {
      return problem;
    },
    fail,
    next(timeoutMs) {
      const heard = replies.shift();
      if (heard !== undefined) return Promise.resolve(heard);
      if (problem !== '') return Promise.reject(new Error(problem));
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => fail(`the server was silent for ${timeoutMs} ms`), timeoutMs);
        waiting = { resolve, reject, timer };
      });
    },
  };
}
