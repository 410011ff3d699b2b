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

/**
 * The one place where a template is looked up by its name. Accounts have no stored templates yet, so no name is known.
 */
function findTemplate(name: string): string {
  throw new AppError('not_found', `There is no template named "${name}".`);
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
  await verifiedSender(outside, accountId, { from: fields.from, given: null });
  const html = typeof fields.html === 'string' ? fields.html : findTemplate(template as string);
  if (html.trim() === '') throw invalid('html', 'is empty.');
  if (Buffer.byteLength(html) > HTML_BYTES_MAX)
    throw new AppError('too_large', `html is larger than ${HTML_BYTES_MAX} bytes (5 MiB).`);
  const variables = fields.variables ?? {};
  const isTemplate = template !== null || Object.keys(variables).length > 0;
  const templates = { subject: fields.subject, html, text: typeof fields.text === 'string' ? fields.text : null };
  const texts = isTemplate ? await filled(outside, templates, variables) : templates;
  return { from: fields.from, ...texts, headers: readHeaders(fields.headers ?? {}) };
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
