import { basename } from 'node:path';
import type { Client, Reply } from '@galley/sdk';
import type { EmailsGiven } from '../emails.ts';
import { untilSignal } from '../interrupt.ts';
import { readEmailFile } from '../email-file.ts';
import { STANDARD_INPUT } from '../message-file.ts';
import { connect, jsonOf, orRefused, plain } from '../service/connect.ts';
import { approve, invite, requestChanges, review } from './run-review.ts';

type Cause = Reply<'GET /v1/emails/{email_id}/versions/{number}/findings'>['items'][number];

const line = (text: string): void => void process.stdout.write(`${text}\n`);
const minute = (at: string): string => at.slice(0, 16).replace('T', ' ');

/** Says so where there is more than was shown. */
function tellRest(shown: number, total: number): void {
  if (total > shown) line(`These are ${shown} of ${total}; --limit shows more.`);
}

/** The part of a request that is the email. Throws `UsageError` for what is none. */
async function contentOf(source: string, { subject, from, type }: EmailsGiven) {
  const besides = { ...(subject !== undefined && { subject }), ...(from !== undefined && { from }) };
  if (/^https?:\/\//i.test(source)) return { url: source, ...besides };
  const { kind, bytes, html } = await readEmailFile(source, { type, data: undefined });
  return kind === 'eml'
    ? { mime: bytes.toString('base64'), transfer_encoding: 'base64' as const, ...besides }
    : { html, ...besides };
}

const nameOf = (source: string): string | undefined =>
  source === STANDARD_INPUT || /^https?:\/\//i.test(source) ? undefined : basename(source);

async function list(client: Client, { search, folder, tag: [tag], limit, json }: EmailsGiven): Promise<number> {
  const { items, total } = await client.call('GET /v1/emails', { query: { search, folder, tag, limit } });
  if (json) items.forEach((item) => line(jsonOf(item)));
  else if (items.length === 0) line('No email that fits. `galley emails create FILE` makes one.');
  else
    for (const { id, name, version, folder: place, status, updated_at: at } of items)
      line(
        `${id}  ${plain(name, 80)}  version ${version}, ${status.state}` +
          `${status.state === 'untested' ? '' : `, ${status.errors} errors`}${place === '' ? '' : `  in ${plain(place)}`}` +
          `  ${minute(at)} UTC`,
      );
  if (!json) tellRest(items.length, total);
  return 0;
}

async function create(client: Client, given: EmailsGiven): Promise<number> {
  const [source = ''] = given.words;
  const content = await contentOf(source, given);
  // Without a subject or a title it is called as its file is.
  const name = given.name ?? ('html' in content && !/<title/i.test(content.html) ? nameOf(source) : undefined);
  const email = await client.call('POST /v1/emails', {
    body: {
      ...content,
      ...(name !== undefined && { name }),
      ...(given.folder !== undefined && { folder: given.folder }),
      ...(given.tag.length > 0 && { tags: given.tag }),
    },
  });
  line(given.json ? jsonOf(email) : `${email.id}  ${plain(email.name)}, version 1`);
  return 0;
}

async function add(client: Client, given: EmailsGiven): Promise<number> {
  const [id = '', source = ''] = given.words;
  const path = { email_id: id };
  const body = await contentOf(source, given);
  const made = await client.call('POST /v1/emails/{email_id}/versions', { path, body });
  if (given.json) line(jsonOf(made));
  else
    line(
      made.is_new ? `Version ${made.number} is there.` : `Version ${made.number} says the same; no new one was made.`,
    );
  return 0;
}

async function versions(client: Client, { words: [id = ''], limit, json }: EmailsGiven): Promise<number> {
  const asked = { path: { email_id: id }, query: { limit } };
  const { items, total } = await client.call('GET /v1/emails/{email_id}/versions', asked);
  for (const item of items)
    line(
      json
        ? jsonOf(item)
        : `${item.number}  ${item.origin}  ${item.size_bytes} bytes  ${minute(item.created_at)} UTC  “${plain(item.subject, 80)}”`,
    );
  if (!json) tellRest(items.length, total);
  return 0;
}

const pathOf = ({ words: [id = ''], version }: EmailsGiven) => ({ path: { email_id: id, number: version } });

async function test(client: Client, given: EmailsGiven): Promise<number> {
  const { tests, from, json } = given;
  const body = { tests, ...(from !== undefined && { from }) };
  const { items, refused } = await client.call('POST /v1/emails/{email_id}/versions/{number}/tests', {
    ...pathOf(given),
    body,
  });
  if (json) line(jsonOf({ items, refused }));
  else {
    for (const { kind, id, state, links } of items) line(`${kind}  ${id}  ${state}  ${links.page ?? links.self}`);
    for (const { kind, message } of refused) line(`${kind}  not started: ${plain(message)}`);
  }
  return refused.length > 0 ? 1 : 0;
}

function showCause({ severity, message, fix, gain, is_new: isNew, rule }: Cause): void {
  line(`  ${severity}  ${plain(message)}${isNew ? ' (new)' : ''}`);
  line(`    ${rule}; repairing it gains ${gain} of 100 readers.${fix === null ? '' : ` ${plain(fix)}`}`);
}

async function overview(client: Client, given: EmailsGiven): Promise<number> {
  const found = await client.call('GET /v1/emails/{email_id}/versions/{number}/overview', pathOf(given));
  const code = found.verdict === 'ready' ? 0 : 1;
  if (given.json) return (line(jsonOf(found)), code);
  line(plain(found.summary));
  for (const { title, verdict, reason } of found.checklist)
    line(`  ${verdict.replace('_', ' ').padEnd(9)}  ${title}: ${plain(reason)}`);
  if (found.repairs.length > 0) line('What gains the most readers:');
  found.repairs.forEach(showCause);
  return code;
}

async function findings(client: Client, given: EmailsGiven): Promise<number> {
  const { limit, json } = given;
  const asked = { ...pathOf(given), query: { limit } };
  const { items, total } = await client.call('GET /v1/emails/{email_id}/versions/{number}/findings', asked);
  if (json) items.forEach((item) => line(jsonOf(item)));
  else if (items.length === 0) line('Tests of this version found no errors and no warnings, as far as any ran.');
  else items.forEach(showCause);
  if (!json) tellRest(items.length, total);
  return 0;
}

async function compare(client: Client, { words: [id = '', from = '', to = ''], json }: EmailsGiven): Promise<number> {
  const asked = { path: { email_id: id }, query: { from, to } };
  const found = await client.call('GET /v1/emails/{email_id}/comparison', asked);
  if (json) return (line(jsonOf(found)), 0);
  line(`Version ${found.from} to ${found.to}: ${found.summary}.`);
  for (const { message } of found.fixed) line(`  fixed  ${plain(message)}`);
  for (const { message } of found.new) line(`  new    ${plain(message)}`);
  for (const { name } of found.pictures?.changed ?? []) line(`  other picture  ${plain(name)}`);
  for (const { kind, reason } of found.not_compared) line(`  not compared: ${kind}. ${reason}`);
  return 0;
}

async function remove(client: Client, { words: [id = ''], json }: EmailsGiven): Promise<number> {
  const reply = await client.call('DELETE /v1/emails/{email_id}', { path: { email_id: id } });
  line(json ? jsonOf(reply) : reply.message);
  return 0;
}

const WORK: Record<string, (client: Client, given: EmailsGiven) => Promise<number>> = {
  list,
  create,
  add,
  versions,
  test,
  overview,
  findings,
  compare,
  review,
  approve,
  'request-changes': requestChanges,
  invite,
  delete: remove,
};

/** Returns the exit code. */
export function runEmails(given: EmailsGiven): Promise<number> {
  const client = connect(given);
  return untilSignal(
    () => orRefused(WORK[given.verb]!(client, given)),
    async () => undefined,
  );
}
