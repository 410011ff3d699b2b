// Reads collections of mail from directories: labels, dates, languages, and the envelope that Received fields tell.
import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseMime, type ParsedMail } from '../../src/engines/mime/index.ts';
import type { SpamInput } from '../../src/engines/spam-rules/index.ts';
import type { FilterEnvelope } from '../../src/platform/spam-filters/index.ts';
import { computeHere } from '../../src/platform/compute/index.ts';
import { composeTest, senderOfNobody } from '../../src/features/proof/spam-tests/index.ts';
import type { Corpus } from './corpora.ts';

export interface CorpusMail {
  corpus: Corpus;
  /** Path below the corpus's directory. */
  name: string;
  digest: string;
  raw: Buffer;
  input: SpamInput;
  envelope: FilterEnvelope;
  receivedAt: Date | undefined;
}

/** Not mail: descriptions, lists, and what carries no message. */
const OTHER =
  /(?:^|\/)(?:cmds|readme|license|index|\.)[^/]*$|\.(?:json|md|cf|pm|pl|sh|csv|label|feed|py|pyc|png|jpg|gif|psd)$/i;
/** Fields that filters wrote into the message: what another filter said is no evidence. */
const SAID_BY_FILTERS =
  /^(?:X-Spam-[^:]*|X-Spam|X-Rspamd[^:]*|X-Forefront-Antispam-Report[^:]*|X-Microsoft-Antispam[^:]*|X-MS-Exchange-[^:]*|X-SID-[^:]*|X-Barracuda[^:]*|X-Proofpoint[^:]*|X-IronPort[^:]*|X-Pyzor[^:]*|X-Razor[^:]*|X-Bogosity[^:]*|X-CRM114[^:]*):[^\n]*\n(?:[ \t][^\n]*\n)*/gim;

/** Messages of a directory, in the order of their names, each text once. */
export async function readCorpus(corpus: Corpus, directory: string): Promise<CorpusMail[]> {
  const mails = new Map<string, CorpusMail>();
  const pattern = corpus.kind === 'html' ? '**/*.{html,htm}' : '**/*';
  const names: string[] = [];
  for await (const entry of glob(pattern, { cwd: directory, withFileTypes: true }))
    if (entry.isFile()) names.push(join(entry.parentPath, entry.name));
  names.sort();
  for (const path of names) {
    const name = path.slice(directory.length).replace(/^\/+/, '');
    if (OTHER.test(name)) continue;
    const read = corpus.kind === 'html' ? await readTemplate(path) : await readMessage(path);
    if (!read) continue;
    const digest = createHash('sha256').update(read.same).digest('hex').slice(0, 24);
    if (!mails.has(digest))
      mails.set(digest, {
        corpus,
        name,
        digest,
        raw: read.raw,
        input: read.input,
        envelope: read.envelope,
        receivedAt: read.receivedAt,
      });
  }
  return [...mails.values()];
}

type Read = Pick<CorpusMail, 'raw' | 'input' | 'envelope' | 'receivedAt'> & {
  /** What two copies have in common. */ same: string;
};

async function readMessage(path: string): Promise<Read | undefined> {
  const text = (await readFile(path))
    .toString('latin1')
    .replace(/^From [^\n]*\n/, '')
    .replace(/\r\n/g, '\n');
  const end = text.search(/\n\n/);
  const head = (end < 0 ? text : text.slice(0, end + 1)).replace(SAID_BY_FILTERS, '');
  if (!/^[!-9;-~]+:/m.test(head) || !/^(?:from|received|subject):/im.test(head)) return undefined;
  const raw = Buffer.from(`${head}${end < 0 ? '' : text.slice(end + 1)}`.replace(/\n/g, '\r\n'), 'latin1');
  const mail = await parseMime(raw);
  const receivedAt = receivedAtOf(mail);
  const same =
    `${mail.subject}\n${mail.from[0]?.address ?? ''}\n` +
    `${(mail.text ?? mail.html ?? '').replace(/\s+/g, ' ').slice(0, 4000)}`;
  return { raw, input: inputOf(mail, raw, receivedAt), envelope: envelopeOf(mail, receivedAt), receivedAt, same };
}

const AT = new Date('2026-11-21T09:00:00Z');

async function readTemplate(path: string): Promise<Read | undefined> {
  const html = await readFile(path, 'utf8');
  const words =
    html
      .replace(/<(style|script|head)\b[\s\S]*?<\/\1>/gi, ' ')
      .replace(/<[^>]*>/g, ' ')
      .match(/\p{L}{2,}/gu)?.length ?? 0;
  // Fragments, previews of several and pages that only show mail are no mail.
  if (!/<body/i.test(html) || words < 25 || /<iframe|<nav[\s>]|bootstrap|jquery/i.test(html)) return undefined;
  const subject =
    /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1]?.trim() ||
    basename(path)
      .replace(/\.html?$/, '')
      .replace(/[-_]+/g, ' ');
  const { raw, mailFrom, envelope } = await composeTest(
    { compute: computeHere },
    {
      content: { kind: 'html', subject, html, text: null, from: null, fromName: null, headers: {} },
      envelope: null,
      isLiveUnsubscribe: false,
    },
    { senderOf: senderOfNobody, id: 'measured', at: AT },
  );
  const mail = await parseMime(raw);
  return {
    raw,
    same: html.replace(/\s+/g, ' '),
    receivedAt: undefined,
    input: inputOf(mail, raw, AT),
    envelope: {
      ip: envelope?.ip ?? '8.8.8.8',
      helo: envelope?.helo ?? 'mail.example.com',
      reverseDns: envelope?.reverseDns ?? null,
      mailFrom,
      rcptTo: [mail.to[0]?.address ?? ''],
      receivedAt: AT.toISOString(),
    },
  };
}

function inputOf(mail: ParsedMail, raw: Buffer, receivedAt: Date | undefined): SpamInput {
  return {
    ...(mail.html !== undefined && { html: mail.html }),
    ...(mail.text !== undefined && { text: mail.text }),
    headers: mail.headerList,
    subject: mail.subject,
    attachments: mail.attachments,
    rawBytes: raw.length,
    ...(receivedAt && { receivedAt: receivedAt.toISOString() }),
  };
}

/** When the last server took it; without a Received field, what Date says. */
function receivedAtOf(mail: ParsedMail): Date | undefined {
  const received = mail.headerList.find(({ name }) => name.toLowerCase() === 'received')?.value;
  for (const text of [/;\s*([^;]*)$/.exec(received ?? '')?.[1], mail.headers['date']]) {
    const time = Date.parse((text ?? '').replace(/\([^()]*\)\s*$/, '').trim());
    if (!Number.isNaN(time) && time > Date.UTC(1995, 0) && time < Date.UTC(2027, 0)) return new Date(time);
  }
  return undefined;
}

const OWN = /^(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01])|0)\./;

/** The first hop from a public address, read from the top: what the receiving server saw. */
function envelopeOf(mail: ParsedMail, receivedAt: Date | undefined): FilterEnvelope {
  const address = /<([^<>\s]*@[^<>\s]*)>/.exec(mail.headers['return-path'] ?? '')?.[1] ?? mail.from[0]?.address ?? '';
  const common = {
    mailFrom: address,
    rcptTo: [mail.to[0]?.address ?? 'reader@local-receiver.example'],
    ...(receivedAt && { receivedAt: receivedAt.toISOString() }),
  };
  for (const { name, value } of mail.headerList) {
    if (name.toLowerCase() !== 'received') continue;
    const ip = /[[(](\d{1,3}(?:\.\d{1,3}){3})[\])]/.exec(value)?.[1];
    if (!ip || OWN.test(ip)) continue;
    const helo = /from\s+([^\s()]+)/i.exec(value)?.[1] ?? 'unknown';
    const reverse = /\(([a-z0-9][a-z0-9.-]*\.[a-z]{2,})\.?\s*[[(]/i.exec(value)?.[1] ?? null;
    return { ip, helo, reverseDns: reverse ?? (/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(helo) ? helo : null), ...common };
  }
  return { ip: '8.8.8.8', helo: 'mail.example.com', reverseDns: 'mail.example.com', ...common };
}
