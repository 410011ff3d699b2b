// A name server on loopback whose zones are lists: a function answers each question, in its own time.
import dgram from 'node:dgram';
import type { AddressInfo } from 'node:net';

/** What is answered: addresses, words (TXT), a response code (2 SERVFAIL, 3 NXDOMAIN, 5 REFUSED), or silence. */
export interface ListAnswer {
  addresses?: readonly string[];
  words?: string;
  code?: number;
  isSilent?: boolean;
  afterMs?: number;
}

/** `undefined`: no such name. */
type Answering = (name: string, type: 'A' | 'TXT' | 'other') => ListAnswer | undefined;

export interface ListDns {
  /** `127.0.0.1:5353` */
  address: string;
  /** Questions of each name. */
  asked: Map<string, number>;
  /** The most that were open at once. */
  most(): number;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<number, 'A' | 'TXT'>> = { 1: 'A', 16: 'TXT' };
const NXDOMAIN = 3;

function recordsOf(answer: ListAnswer | undefined, type: number): Buffer[] {
  const values =
    type === 16
      ? answer?.words === undefined
        ? []
        : [Buffer.concat([Buffer.from([Buffer.byteLength(answer.words)]), Buffer.from(answer.words)])]
      : type === 1
        ? (answer?.addresses ?? []).map((address) => Buffer.from(address.split('.').map(Number)))
        : [];
  return values.map((data) => {
    const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, 0]);
    head.writeUInt16BE(data.length, 10);
    return Buffer.concat([head, data]);
  });
}

/** RFC 1035 §4.1. */
function replyTo(query: Buffer, end: number, answer: ListAnswer | undefined): Buffer {
  const records = recordsOf(answer, query.readUInt16BE(end - 4));
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(0x8180 | (answer === undefined ? NXDOMAIN : (answer.code ?? 0)), 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  return Buffer.concat([head, query.subarray(12, end), ...records]);
}

/** Starts it. */
export async function startListDns(answering: Answering): Promise<ListDns> {
  const asked = new Map<string, number>();
  let open = 0;
  let most = 0;
  const socket = dgram.createSocket('udp4');
  const timers = new Set<NodeJS.Timeout>();
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (; query[at]; at += query[at]! + 1) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
    const end = at + 5;
    const name = labels.join('.').toLowerCase();
    asked.set(name, (asked.get(name) ?? 0) + 1);
    const answer = answering(name, TYPES[query.readUInt16BE(end - 4)] ?? 'other');
    if (answer?.isSilent) return;
    open += 1;
    most = Math.max(most, open);
    const send = (): void => {
      open -= 1;
      socket.send(replyTo(query, end, answer), from.port, from.address);
    };
    if (answer?.afterMs === undefined) return void setImmediate(send);
    const timer = setTimeout(() => {
      timers.delete(timer);
      send();
    }, answer.afterMs);
    timers.add(timer);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    asked,
    most: () => most,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
}
