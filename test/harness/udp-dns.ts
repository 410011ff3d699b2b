// A name server on loopback that knows one zone and answers NXDOMAIN to the rest, for programs that are not ours.
import dgram from 'node:dgram';
import type { AddressInfo } from 'node:net';

/**
 * `'mail.example.com A': ['192.0.2.1']`, `'example.com MX': ['10 mail.example.com']`,
 * `'example.com TXT': ['v=spf1 …']`.
 */
export type Zone = Readonly<Record<string, readonly string[]>>;

const TYPES: Readonly<Record<number, string>> = {
  1: 'A',
  2: 'NS',
  5: 'CNAME',
  12: 'PTR',
  15: 'MX',
  16: 'TXT',
  28: 'AAAA',
};

export interface DnsServer {
  port: number;
  /** `mail.example.com A` of every question, in order. */
  asked: string[];
  /** One more name, or another answer. */
  add(name: string, values: readonly string[]): void;
  close(): Promise<void>;
}

export async function startUdpDns(zone: Zone): Promise<DnsServer> {
  const records = new Map(Object.entries(zone).map(([key, values]) => [key.toLowerCase(), values]));
  const names = new Set([...records.keys()].map((key) => key.split(' ')[0] as string));
  const asked: string[] = [];
  const socket = dgram.createSocket('udp4');
  socket.on('message', (query, from) => {
    const reply = answer(query, { records, names, asked });
    if (reply) socket.send(reply, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    port: (socket.address() as AddressInfo).port,
    asked,
    add(key, values) {
      records.set(key.toLowerCase(), values);
      names.add(key.toLowerCase().split(' ')[0] as string);
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

interface Known {
  records: ReadonlyMap<string, readonly string[]>;
  names: ReadonlySet<string | undefined>;
  asked: string[];
}

/** RFC 1035 §4. What follows the question (Rspamd's OPT record) is given back: it ignores answers without it. */
function answer(query: Buffer, { records, names, asked }: Known): Buffer | undefined {
  let end = 12;
  const labels: string[] = [];
  while (query[end]) {
    labels.push(query.toString('latin1', end + 1, end + 1 + query[end]!));
    end += query[end]! + 1;
  }
  end += 5;
  if (end > query.length) return undefined;
  const name = labels.join('.').toLowerCase();
  const type = query.readUInt16BE(end - 4);
  const typeName = TYPES[type] ?? '';
  asked.push(`${name} ${typeName}`);
  const values = records.get(`${name} ${typeName.toLowerCase()}`) ?? [];
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8480 | (names.has(name) ? 0 : 3), 2);
  header.writeUInt16BE(values.length, 6);
  const rest = values.map((value) => record(type, dataOf(typeName, value)));
  return Buffer.concat([header, query.subarray(12, end), ...rest, query.subarray(end)]);
}

/** A record that is named by the question. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function dataOf(type: string, value: string): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number));
  if (type === 'TXT') return Buffer.concat((value.match(/[^]{1,255}/g) ?? ['']).map((part) => counted(part)));
  if (type === 'MX') {
    const [preference, host = ''] = value.split(' ');
    return Buffer.concat([Buffer.from([Number(preference) >> 8, Number(preference) & 255]), nameOf(host)]);
  }
  if (type === 'AAAA') throw new Error('AAAA records are not written here');
  return nameOf(value);
}

const counted = (text: string): Buffer => Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)]);
const nameOf = (name: string): Buffer =>
  Buffer.concat([...name.split('.').filter(Boolean).map(counted), Buffer.from([0])]);
