// Builds the outgoing message from the request.
import { newMessageId } from '../../../engines/mime/index.ts';
import type { Compute } from '../../../platform/compute/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { bufferOf, nameOfSource, readOnWire, type StoredBytes, type StoredSource } from '../_message/index.ts';
import {
  composeSigned,
  passingSender,
  standInSender,
  verifiedSender,
  type AssumedEnvelope,
  type Seed,
  type Sender,
  type SenderDoors,
} from '../_seeds/index.ts';

/** A spam test as it is stored. */
export interface SpamInput {
  /** What lists call it; left out in what was stored before names. */
  name?: string;
  content:
    | { kind: 'mime'; raw: StoredBytes }
    | {
        kind: 'html';
        subject: string;
        html: string;
        text: string | null;
        from: string | null;
        fromName: string | null;
        headers: Record<string, string>;
      };
  envelope: AssumedEnvelope | null;
  isLiveUnsubscribe: boolean;
  /** The receivers; by default chosen when the test begins. */
  seeds?: Seed[];
}

/** A spam test of an email that other checks look at, too. */
export function inputOfSource({ kind, body, name }: StoredSource, { subject }: { subject: string }): SpamInput {
  const content: SpamInput['content'] =
    kind === 'mime'
      ? { kind: 'mime', raw: body }
      : {
          kind: 'html',
          subject,
          html: bufferOf(body).toString('utf8'),
          text: null,
          from: null,
          fromName: null,
          headers: {},
        };
  return { name: nameOfSource({ name, subject }), content, envelope: null, isLiveUnsubscribe: false };
}

export interface OutgoingMessage {
  raw: Buffer;
  mailFrom: string;
  envelope: AssumedEnvelope | null;
  sender: { kind: 'stand-in' | 'domain' | 'given'; domain: string | null; note: string };
}

/** Finds who sends a message that names `from`, or nobody. */
type ChooseSender = (wanted: { from: string | null; envelope: AssumedEnvelope | null }) => Promise<Sender>;

interface ComposeOptions {
  senderOf: ChooseSender;
  /** Makes the Message-ID. */
  id: string;
  at: Date;
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

const NOTES = {
  'stand-in':
    'No sender was named, so a fully authenticated stand-in sent the message: what is said about authentication is ' +
    'not about your domain, and what filters say about the sender is left out.',
  domain: 'Sent from your verified domain, signed with its key.',
  given: 'The message was judged as it was given.',
};

/** Makes the message. */
export async function composeTest(
  { compute }: Pick<Outside, 'compute'>,
  { content, envelope }: SpamInput,
  options: ComposeOptions,
): Promise<OutgoingMessage> {
  if (content.kind === 'mime') return given(compute, bufferOf(content.raw), envelope);
  const sender = await options.senderOf({ from: content.from, envelope });
  const { address, domain, keys } = sender;
  const message = {
    from: { name: content.fromName ?? (sender.name || 'Spam test'), address },
    to: [{ name: 'Reader', address: `reader@${domain}` }],
    subject: content.subject,
    html: content.html,
    ...(content.text !== null && { text: content.text }),
    date: options.at,
    messageId: newMessageId({ date: options.at, unique: options.id, domain }),
    headers: Object.entries(content.headers).map(([name, value]) => ({ name, value })),
  };
  const raw = await composeSigned(compute, message, { keys, at: options.at, recipient: null });
  const kind = sender.isStandIn ? 'stand-in' : 'domain';
  return { raw, mailFrom: address, envelope: sender.envelope, sender: { kind, domain, note: NOTES[kind] } };
}

/** Of an account: its domains, and its stand-in. */
export function senderOfAccount(outside: SenderDoors, accountId: string): ChooseSender {
  return ({ from, envelope }) =>
    from === null
      ? standInSender(outside, accountId, envelope)
      : verifiedSender(outside, accountId, { from, given: envelope });
}

/** Where nothing is kept, as on the command line: a stand-in of this process only, whoever is named. */
export const senderOfNobody: ChooseSender = ({ envelope }) => passingSender(envelope);

/** The return path, when the message tells one, is its sender's. */
async function given(compute: Compute, raw: Buffer, envelope: AssumedEnvelope | null): Promise<OutgoingMessage> {
  const { wire, sender, returnPath = '' } = await compute.run(readOnWire, raw);
  const address = /<([^<>\s]*@[^<>\s]*)>/.exec(returnPath)?.[1] ?? sender ?? '';
  return {
    raw: bufferOf(wire),
    mailFrom: isAddress(address) ? address : '',
    envelope,
    sender: { kind: 'given', domain: sender === undefined ? null : domainOf(sender), note: NOTES.given },
  };
}

function isAddress(text: string): boolean {
  return /^[^\s<>@\0]+@[^\s<>@\0]+$/.test(text) && text.length <= 254;
}
