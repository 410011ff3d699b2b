// The message of a placement test, and its copy for one seed.
import { createHash } from 'node:crypto';
import { newMessageId } from '../../../engines/mime/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { readLine, templateFault } from '../../proof/_message/index.ts';
import {
  composeSigned,
  readHeaders,
  verifiedSender,
  type SeedDelivery,
  type SeedMessage,
  type SenderDoors,
} from '../../proof/_seeds/index.ts';
import { findDomain } from '../../send/sending-domains/index.ts';
import { findStored, renderStored } from '../../send/templates/index.ts';
import { fillTemplates, type Templates } from './computations.ts';
import type { PlacementResult } from './results-store.ts';

/** Variables of the template are filled, those of the recipient are not. */
export interface TestMessage {
  from: string;
  subject: string;
  html: string;
  text: string | null;
  headers: Record<string, string>;
}

/** As it is stored; its HTML is UTF-8, and text where it was stored when messages were JSON. */
export type StoredMessage = Omit<TestMessage, 'html'> & { html: string | Uint8Array };

const HTML_BYTES_MAX = 5 * 1024 * 1024;
const FIRST_NAMES = [
  'Ada',
  'Alan',
  'Barbara',
  'Claude',
  'Edsger',
  'Frances',
  'Grace',
  'Hedy',
  'Joan',
  'John',
  'Katherine',
  'Leslie',
  'Margaret',
  'Niklaus',
  'Radia',
  'Tim',
];
const LAST_NAMES = [
  'Abel',
  'Bauer',
  'Castro',
  'Dubois',
  'Eriksen',
  'Fischer',
  'Garcia',
  'Haas',
  'Ito',
  'Jansen',
  'Kowalski',
  'Lopez',
  'Moreau',
  'Novak',
  'Olsen',
  'Rossi',
];

/** A seed's reader: the same for the same address. */
function readerOf(email: string): { first_name: string; last_name: string } {
  const digest = createHash('sha256').update(email).digest();
  return {
    first_name: FIRST_NAMES[(digest[0] as number) % FIRST_NAMES.length] as string,
    last_name: LAST_NAMES[(digest[1] as number) % LAST_NAMES.length] as string,
  };
}

/** What a stored template becomes with these variables. Throws `not_found`: there is none, or no active version. */
async function fromTemplate(
  outside: Pick<Outside, 'db' | 'compute'>,
  { accountId, domain, name }: { accountId: string; domain: string | null; name: string },
  variables: Record<string, unknown>,
): Promise<{ html: string; headers: Record<string, string> }> {
  const domainId = domain === null ? null : ((await findDomain(outside.db, accountId, domain))?.id ?? null);
  const stored = await findStored(outside.db, { accountId, domainId, name });
  if ('lacks' in stored) throw new AppError('not_found', stored.why);
  const { template, headers: said } = stored.version;
  const headers = Object.fromEntries(Object.entries(said).filter(([field]) => field === 'Reply-To'));
  const rendered = await renderStored(outside, { template, headers, variables, withText: false });
  if (rendered.html.trim() === '') throw invalid('template_name:', 'the template became an empty text.');
  return rendered;
}

interface MessageFields {
  from: string;
  subject: string;
  html?: string | null | undefined;
  text?: string | null | undefined;
  template_name?: string | null | undefined;
  account_template_name?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
  headers?: Record<string, string> | null | undefined;
}

/** Throws `invalid_request` naming the first field whose template is faulty. */
async function filled(
  { compute }: Pick<Outside, 'compute'>,
  templates: Templates,
  variables: Record<string, unknown>,
): Promise<Templates> {
  const outcome = await compute.run(fillTemplates, { templates, variables }, { urgency: 'answer' });
  if ('fault' in outcome) throw templateFault(outcome.field, outcome.fault);
  return outcome;
}

/** Reads a request's message; the sender must be a verified one. Throws `invalid_request` or `not_found`. */
export async function readTestMessage(
  outside: SenderDoors & Pick<Outside, 'compute'>,
  accountId: string,
  fields: MessageFields,
): Promise<TestMessage> {
  readLine('subject', fields.subject);
  // Forms send an empty text for what is not given.
  const template = fields.template_name || fields.account_template_name || null;
  if (typeof fields.html === 'string' && template !== null)
    throw invalid('html, template_name:', 'give one of them, not both.');
  if (typeof fields.html !== 'string' && template === null) throw invalid('html, template_name:', 'give one of them.');
  const { domain } = await verifiedSender(outside, accountId, { from: fields.from, given: null });
  const variables = fields.variables ?? {};
  const headers = readHeaders(fields.headers ?? {});
  const text = typeof fields.text === 'string' ? fields.text : null;
  const { subject } = fields;
  if (template !== null) {
    // One name says of which the template is; the other may be of both.
    const wanted = { accountId, domain: fields.template_name ? domain : null, name: template };
    const { html, headers: said } = await fromTemplate(outside, wanted, variables);
    const lines = await filled(outside, { subject, html: '', text }, variables);
    return { from: fields.from, ...lines, html, headers: withOwn(said, headers) };
  }
  const html = fields.html as string;
  if (html.trim() === '') throw invalid('html', 'is empty.');
  if (Buffer.byteLength(html) > HTML_BYTES_MAX)
    throw new AppError('too_large', `html is larger than ${HTML_BYTES_MAX} bytes (5 MiB).`);
  const texts = { subject, html, text };
  const isFilled = Object.keys(variables).length > 0;
  return { from: fields.from, ...(isFilled ? await filled(outside, texts, variables) : texts), headers };
}

/** Those of the request, and of the template what the request does not say. */
function withOwn(said: Record<string, string>, own: Record<string, string>): Record<string, string> {
  const given = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const more = Object.entries(said).filter(([name, value]) => value !== '' && !given.has(name.toLowerCase()));
  return { ...Object.fromEntries(more), ...own };
}

/** The copy for one seed: recipient variables filled, signed with the domain's keys. The same whenever it is made. */
export async function copyFor(
  outside: SenderDoors & Pick<Outside, 'compute'>,
  message: StoredMessage,
  { result, delivery }: { result: PlacementResult; delivery: SeedDelivery },
): Promise<SeedMessage> {
  const sender = await verifiedSender(outside, result.accountId, { from: message.from, given: null });
  const reader = readerOf(delivery.email);
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1);
  const outgoing = {
    from: { name: sender.name, address: sender.address },
    to: [{ name: `${reader.first_name} ${reader.last_name}`, address: delivery.email }],
    subject: message.subject,
    html: message.html,
    ...(message.text !== null && { text: message.text }),
    date: result.createdAt,
    messageId: newMessageId({ date: result.createdAt, unique: delivery.token, domain }),
    headers: Object.entries(message.headers).map(([name, value]) => ({ name, value })),
  };
  const recipient = { address: delivery.email, variables: reader };
  return {
    raw: await composeSigned(outside.compute, outgoing, { keys: sender.keys, at: result.createdAt, recipient }),
    mailFrom: sender.address,
  };
}
