// What `galley send` does when its command line can be read.
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { Client } from '@galley/sdk';
import { findAssets } from '../../../engines/html/index.ts';
import { parseAddressList, parseMime } from '../../../engines/mime/index.ts';
import { findEmails } from '../check/find-emails.ts';
import { FOLDER_URL } from '../folder-files.ts';
import { untilSignal } from '../interrupt.ts';
import { titleOf } from '../local-source.ts';
import { readEmailFile } from '../email-file.ts';
import { fillSubject, readMergeData } from '../merge-data.ts';
import { STANDARD_INPUT } from '../message-file.ts';
import type { SendOptions } from '../send.ts';
import { connect, persistently, plain, sentenceOf } from '../service/connect.ts';
import { tell } from '../tell.ts';
import { UsageError } from '../usage.ts';
import { readList, readTo, type Batch } from './recipients.ts';

const TRIES = 4;
const NAMED_MAX = 5;

interface Letter {
  source: string;
  domain: string;
  path: 'POST /v3/{domain_name}/messages' | 'POST /v3/{domain_name}/messages.mime';
  /** Fields of the form, but for the recipients. */
  fields: [name: string, value: string | Blob][];
}

function domainOf(source: string, address: string | undefined): string {
  const domain = parseAddressList(address ?? '')
    .mailboxes[0]?.address.split('@')
    .at(-1);
  if (domain !== undefined) return domain;
  throw new UsageError(
    `${source} has no sender such as ann@example.com, so its domain is not known. Name it: --domain.`,
  );
}

/** Pictures that lie beside an HTML file: readers could not load them. */
function tellOfPictures(source: string, html: string): void {
  const beside = [...new Set(findAssets(html, FOLDER_URL).map(({ url }) => url))]
    .filter((url) => url.startsWith(FOLDER_URL))
    .map((url) => plain(url.slice(FOLDER_URL.length), 80));
  if (beside.length === 0) return;
  const more = beside.length > NAMED_MAX ? ` and ${beside.length - NAMED_MAX} more` : '';
  tell(`${source}: not sent, for they have no URL of their own: ${beside.slice(0, NAMED_MAX).join(', ')}${more}.`);
}

async function readLetter(source: string, options: SendOptions): Promise<Letter> {
  const data = await readMergeData(options.data);
  const { kind, bytes, html } = await readEmailFile(source, { type: options.type, data });
  const { from, subject: given, domain } = options;
  if (kind === 'eml') {
    const strange = (['from', 'subject'] as const).find((name) => options[name] !== undefined);
    if (strange !== undefined)
      throw new UsageError(`--${strange} goes with HTML; ${source} is a message that names its own.`);
    const sender = domain === undefined ? (await parseMime(bytes)).from[0]?.address : undefined;
    const message = new Blob([Uint8Array.from(bytes)], { type: 'message/rfc822' });
    return {
      source,
      domain: domain ?? domainOf(source, sender),
      path: 'POST /v3/{domain_name}/messages.mime',
      fields: [['message', message]],
    };
  }
  if (html.trim() === '') throw new UsageError(`${source} holds no HTML.`);
  if (from === undefined)
    throw new UsageError(`${source} is HTML and names no sender: --from "Ann <ann@example.com>".`);
  const subject =
    (await fillSubject(given, data)) ?? (titleOf(html) || (source === STANDARD_INPUT ? '' : basename(source)));
  tellOfPictures(source, html);
  return {
    source,
    domain: domain ?? domainOf('--from', from),
    path: 'POST /v3/{domain_name}/messages',
    fields: [
      ['from', from],
      ['subject', subject],
      ['html', html],
    ],
  };
}

function formOf(letter: Letter, { to, variables }: Batch, { tag = [], at, test }: SendOptions): FormData {
  const form = new FormData();
  for (const [name, value] of letter.fields)
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, 'message.eml');
  for (const address of to) form.append('to', address);
  for (const name of tag) form.append('o:tag', name);
  if (at !== undefined) form.append('o:deliverytime', at);
  if (test) form.append('o:testmode', 'yes');
  if (variables) form.append('recipient-variables', JSON.stringify(variables));
  return form;
}

/** Where messages go; undefined where the key may not ask. */
async function modeOf(client: Client, signal: AbortSignal): Promise<string | undefined> {
  return client.call('GET /v1/galley/queue', {}, { signal }).then(
    ({ delivery }) => delivery,
    (error: unknown) => (sentenceOf(error), undefined),
  );
}

/** Sends every message to every batch, until one is refused. Returns the exit code. */
async function sendAll(
  { client, signal }: { client: Client; signal: AbortSignal },
  { letters, batches, options }: { letters: readonly Letter[]; batches: readonly Batch[]; options: SendOptions },
): Promise<number> {
  const total = letters.length * batches.length;
  const ids: string[] = [];
  for (const letter of letters)
    for (const batch of batches) {
      // The same key again is the same call: what was taken before the connection broke is not taken twice.
      const headers = { 'idempotency-key': randomUUID() };
      const given = { path: { domain_name: letter.domain }, body: formOf(letter, batch, options) };
      try {
        const { id } = await persistently(() => client.call(letter.path, given, { signal, headers }), {
          signal,
          tries: TRIES,
        });
        ids.push(id);
        const { source } = letter;
        const recipients = batch.to.length;
        const said = `${source}: queued for ${recipients === 1 ? batch.to[0] : `${recipients} recipients`}: ${id}`;
        process.stdout.write(
          `${options.json ? JSON.stringify({ source, id, domain: letter.domain, recipients }) : said}\n`,
        );
      } catch (error) {
        tell(`${letter.source}: ${sentenceOf(error)}`);
        if (total > 1) tell(`Galley took ${ids.length} of ${total} calls; nothing of this one or those after it.`);
        return 1;
      }
    }
  if (options.json) return 0;
  if ((await modeOf(client, signal)) === 'capture') tell('Nothing leaves this machine: messages are captured.');
  tell(`Follow ${ids.length === 1 ? 'it' : 'the last'}: galley logs --follow --since 1h --message '${ids.at(-1)}'`);
  return 0;
}

/** Hands the messages to Galley. Returns the exit code; throws {@link UsageError}. */
export async function runSend(options: SendOptions): Promise<number> {
  const client = connect(options);
  const { sources } = await findEmails(options.sources, { type: options.type, isMaking: true });
  const page = sources.find((source) => /^https?:/i.test(source));
  if (page !== undefined) throw new UsageError(`${page} is a web page; save it as a file and name that.`);
  const batches = options.list === undefined ? readTo(options.to ?? []) : await readList(options.list);
  const letters: Letter[] = [];
  for (const source of sources) letters.push(await readLetter(source, options));
  return untilSignal(
    (signal) => sendAll({ client, signal }, { letters, batches, options }),
    async () => undefined,
  );
}
