// Who a call is for: `to`, `cc`, `bcc`, and what is known of each.
import { destinationOf, parseAddressList, type MailAddress } from '../../../engines/mime/index.ts';
import { admitJsonField } from '../../../platform/http/index.ts';
import { objectOf, textOf, textsOf, wrong, type Form } from './fields.ts';

const RECIPIENTS_MAX = 1000;
const LIST_LENGTH_MAX = 512 * 1024;
const VARIABLES_LENGTH_MAX = 4 * 1024 * 1024;
const VARIABLES = 'recipient-variables';

export interface Recipient {
  address: string;
  /** The domain, in lower case, in its xn-- form. */
  destination: string;
  variables: Record<string, unknown> | null;
}

interface Recipients {
  to: MailAddress[];
  cc: MailAddress[];
  /** Each address once, in the order of `to`, `cc`, `bcc`. */
  all: Recipient[];
  /** Each gets a copy of its own, that names nobody else. */
  isBatch: boolean;
}

function notAnAddress(field: string, text: string): Error {
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return wrong(field, `${field} parameter is not a valid address. please check documentation: "${shown}" is none`);
}

/** What is asked of each domain of a call once. */
class DestinationsOf {
  readonly #known = new Map<string, string | undefined>();

  of(address: string): string | undefined {
    const domain = address.slice(address.lastIndexOf('@') + 1);
    if (!this.#known.has(domain)) this.#known.set(domain, destinationOf(address));
    return this.#known.get(domain);
  }
}

/** The mailboxes of a field. Throws naming the first text that is none: all recipients of a call are taken, or none. */
export function mailboxesOf(form: Form, field: string, destinations = new DestinationsOf()): MailAddress[] {
  const texts = textsOf(form, field);
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > LIST_LENGTH_MAX)
    throw wrong(field, `${field} has ${length} characters; at most ${LIST_LENGTH_MAX} are accepted.`);
  return texts.flatMap((text) => {
    const { mailboxes, wrong: none } = parseAddressList(text);
    if (none !== undefined) throw notAnAddress(field, none);
    const unknown = mailboxes.find(({ address }) => destinations.of(address) === undefined);
    if (unknown) throw notAnAddress(field, unknown.address);
    return mailboxes;
  });
}

function variablesTextOf(form: Form): string | undefined {
  const text = textOf(form, VARIABLES);
  if (text !== undefined && text.length > VARIABLES_LENGTH_MAX)
    throw wrong(VARIABLES, `${VARIABLES} has ${text.length} characters; at most ${VARIABLES_LENGTH_MAX} are accepted.`);
  return text;
}

/** Throws for variables that would take long to read. Others have their turn while it looks. */
export async function admitVariables(form: Form): Promise<void> {
  const text = variablesTextOf(form);
  if (text !== undefined) await admitJsonField(VARIABLES, text);
}

/** By address in lower case; undefined when the field is not given. */
function variablesIn(form: Form): Map<string, Record<string, unknown>> | undefined {
  const text = variablesTextOf(form);
  if (text === undefined) return undefined;
  return new Map(
    Object.entries(objectOf(VARIABLES, text)).map(([address, variables]) => {
      if (typeof variables !== 'object' || variables === null || Array.isArray(variables))
        throw wrong(VARIABLES, `${VARIABLES}: the value of "${address.slice(0, 100)}" must be an object.`);
      return [address.trim().toLowerCase(), variables as Record<string, unknown>];
    }),
  );
}

/** Throws `invalid_request` naming the field and the address. */
export function readRecipients(form: Form): Recipients {
  const destinations = new DestinationsOf();
  const [to = [], cc = [], bcc = []] = ['to', 'cc', 'bcc'].map((field) => mailboxesOf(form, field, destinations));
  if (to.length === 0) throw wrong('to', 'to parameter is missing');
  const count = to.length + cc.length + bcc.length;
  if (count > RECIPIENTS_MAX)
    throw wrong('to', `to, cc and bcc name ${count} recipients; one call may name ${RECIPIENTS_MAX}.`);
  const variables = variablesIn(form);
  const all = new Map<string, Recipient>();
  for (const { address } of [...to, ...cc, ...bcc]) {
    const name = address.toLowerCase();
    if (all.has(name)) continue;
    const destination = destinations.of(address) as string;
    all.set(name, { address, destination, variables: variables?.get(name) ?? null });
  }
  return { to, cc, all: [...all.values()], isBatch: variables !== undefined };
}
