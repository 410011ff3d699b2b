// The bytes that leave for a recipient: composed once for all who get the same, signed with the keys of the domain. The
// same delivery has the same bytes at every try, in every process.
import type { DkimKey } from '../../../engines/mail-authentication/index.ts';
import {
  fillMail,
  reviveMail,
  signMail,
  type CompiledMail,
  type SignedMail,
} from '../../../engines/mail-merge/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { Recent } from '../../../platform/recent/index.ts';
import {
  compileCopies,
  findContent,
  hasReaderLinks,
  namesOf,
  oneClickOf,
  readContent,
  trackedLinksOf,
  unsubscribeLinksOf,
  type MessageFacts,
} from '../messages/index.ts';
import { dkimKeysOf, getDomain, returnHostOf } from '../sending-domains/index.ts';
import type { Attempt, CarrierDoors } from './outcomes.ts';

/** What is known of a domain may be so old. */
const SENDER_MS = 10_000;
const SENDERS_MAX = 1000;
/** Copies and contents that the next recipients use again. */
const BYTES_MAX = 64 * 1024 * 1024;

interface SenderFacts {
  keys: DkimKey[];
  isTlsRequired: boolean;
  isVerificationSkipped: boolean;
  returnHost: string | undefined;
}

interface Copy {
  mail: SignedMail;
  isTlsRequired: boolean;
  isCertificateRequired: boolean;
  /** Of return paths; undefined: the installation's. */
  returnHost: string | undefined;
}

interface Copies {
  /** Throws an AppError when the message can never be made: its content or its domain is gone. */
  copyFor(attempt: Attempt): Promise<Copy>;
}

type Doors = Pick<CarrierDoors, 'config' | 'db' | 'blobs' | 'clock' | 'compute' | 'secrets'>;

/** Values by their key, as many as have room; what is being made is made once. */
class Kept<Value> {
  readonly #entries = new Map<string, { value: Promise<Value>; bytes: number }>();
  #bytes = 0;

  get(key: string, bytes: number, make: () => Promise<Value>): Promise<Value> {
    const found = this.#entries.get(key);
    if (found) {
      this.#entries.delete(key);
      this.#entries.set(key, found);
      return found.value;
    }
    const value = make();
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    value.catch(() => this.#drop(key));
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= BYTES_MAX || oldest === key) break;
      this.#drop(oldest);
    }
    return value;
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}

async function readSender(doors: Doors, { accountId, domain: name }: MessageFacts): Promise<SenderFacts> {
  const domain = await getDomain(doors, accountId, name);
  const { requireTls, skipVerification } = domain.settings;
  return {
    keys: await dkimKeysOf(doors, domain),
    isTlsRequired: requireTls,
    isVerificationSkipped: skipVerification,
    returnHost: returnHostOf(domain),
  };
}

/** The keys that sign a message; see `o:dkim`, `o:secondary-dkim`, `o:secondary-dkim-public`. */
async function keysOf(doors: Doors, message: MessageFacts, sender: SenderFacts): Promise<DkimKey[]> {
  const { dkim, secondaryDkim, secondaryDkimPublic } = message.options;
  if (dkim === false) return [];
  if (!secondaryDkim) return sender.keys;
  const domain = await getDomain(doors, message.accountId, secondaryDkim.domain);
  const second = (await dkimKeysOf(doors, domain)).find(({ selector }) => selector === secondaryDkim.selector);
  if (!second) throw new AppError('not_found', `The key ${secondaryDkim.domain}/${secondaryDkim.selector} is gone.`);
  const [shownDomain, selector] = secondaryDkimPublic?.split('/') ?? [];
  return [...sender.keys, { ...second, ...(shownDomain && selector && { domain: shownDomain, selector }) }];
}

/** Where the tracked links of a copy lead. */
function trackedOf(doors: Doors, { options }: MessageFacts, position: { messageId: string; position: number }) {
  const { tracked } = options;
  return tracked && { tracked: trackedLinksOf(doors, { ...position, tracked }) };
}

/** Of members of a list the name stands with their variables, since the header names the list alone. */
function memberNameOf({ delivery, message }: Attempt): string {
  const name = message.options.mailingList && delivery.variables?.['name'];
  return typeof name === 'string' ? name : '';
}

/** When the message says it was written: when it was to go out. */
const dateOf = ({ createdAt, options }: MessageFacts): Date =>
  new Date(Math.max(createdAt.getTime(), (options.scheduledFor ?? 0) * 1000));

/** Whether all recipients get the same bytes. */
const isSame = ({ fields, body }: CompiledMail): boolean =>
  body.whole !== undefined && fields.every((field) => 'written' in field);

interface Compiled {
  mail: CompiledMail;
  names: Map<string, string>;
}

async function compile(doors: Doors, message: MessageFacts): Promise<Compiled> {
  const where = await findContent(doors.db, message.id);
  if (!where) throw new AppError('expired', 'The message is gone.');
  const made = await doors.compute.run(compileCopies, {
    content: await readContent(doors, where),
    messageId: `<${message.messageId}>`,
    date: dateOf(message),
    suppressHeaders: message.options.suppressHeaders ?? [],
    oneClick: oneClickOf(doors, message),
    list: message.options.mailingList,
    tracking: message.options.tracked,
    // A relay may write a message anew.
    canonicalization: doors.config.mail.relayUrl === undefined ? 'simple' : 'relaxed',
  });
  return { mail: reviveMail(made), names: namesOf(message) };
}

/** Makes copies, and keeps what several of them share. */
export function createCopies(doors: Doors): Copies {
  const senders = new Recent<{ until: number; facts: Promise<SenderFacts> }>(SENDERS_MAX);
  const compiled = new Kept<Compiled>();
  const shared = new Kept<SignedMail>();

  const senderOf = (message: MessageFacts): Promise<SenderFacts> => {
    const key = `${message.accountId} ${message.domain}`;
    const now = doors.clock.now().getTime();
    const known = senders.get(key);
    if (known && known.until > now) return known.facts;
    const facts = readSender(doors, message);
    senders.set(key, { until: now + SENDER_MS, facts });
    facts.catch(() => senders.delete(key));
    return facts;
  };

  const compiledOf = (message: MessageFacts): Promise<Compiled> =>
    compiled.get(message.id, message.sizeBytes, () => compile(doors, message));

  const sign = async (
    { delivery, message }: Attempt,
    { mail, names, sender }: Compiled & { sender: SenderFacts },
  ): Promise<SignedMail> => {
    const { recipient: address } = delivery;
    const recipient = { name: names.get(address.toLowerCase()) ?? memberNameOf({ delivery, message }), address };
    const position = { messageId: message.id, position: delivery.position };
    const isUnsubscribable = hasReaderLinks(message.options);
    const { mailingListUnsubscribe, ...own } = unsubscribeLinksOf(doors, position) ?? {};
    const ofList = message.options.mailingList && mailingListUnsubscribe;
    const links = { ...(isUnsubscribable && own), ...(ofList && { mailingListUnsubscribe: ofList }) };
    // Taken while there was an address: it waits until there is one again.
    if (isUnsubscribable && !links.unsubscribe)
      throw new Error('GALLEY_PUBLIC_URL is not set, and the message has links to unsubscribe.');
    const filled = fillMail(mail, {
      recipient,
      variables: delivery.variables,
      links,
      ...trackedOf(doors, message, position),
    });
    if (!filled.ok) throw new AppError('invalid_request', filled.fault);
    return signMail(filled, await keysOf(doors, message, sender), dateOf(message));
  };

  return {
    async copyFor(attempt) {
      const { message } = attempt;
      const sender = await senderOf(message);
      const making = { ...(await compiledOf(message)), sender };
      const mail = isSame(making.mail)
        ? await shared.get(message.id, message.sizeBytes, () => sign(attempt, making))
        : await sign(attempt, making);
      const isTlsRequired = message.options.requireTls ?? sender.isTlsRequired;
      const isSkipped = message.options.skipVerification ?? sender.isVerificationSkipped;
      const { returnHost } = sender;
      return { mail, returnHost, isTlsRequired, isCertificateRequired: isTlsRequired && !isSkipped };
    },
  };
}
