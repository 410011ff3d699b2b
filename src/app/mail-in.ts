// The service's one SMTP listener, which hands each message to the features whose addresses it is for: while the sender
// waits, or from the spool. The spool belongs to the process with the listener.
import { join } from 'node:path';
import { messageOf } from '../platform/errors/index.ts';
import type { MailReceiver, Outside, SpooledMailReceiver } from '../platform/feature/index.ts';
import {
  createSmtpListener,
  drainSpool,
  openSpool,
  SmtpRefusal,
  type Drain,
  type DrainOptions,
  type SmtpEnvelope,
  type SmtpListener,
  type SmtpListenerOptions,
  type Spool,
  type Spooled,
} from '../platform/mail/index.ts';

interface Claim<Doors> {
  receiver: MailReceiver<Doors>;
  answer: true | SmtpRefusal;
}

/** The notes that the spool keeps with a message. */
interface About {
  receiver: string;
  envelope: SmtpEnvelope;
}

/** What it uses itself; whatever else it is given is the receivers'. */
type Own = Pick<Outside, 'config' | 'log'>;

type MailInOptions = Pick<DrainOptions, 'retryWaitsMs'> & Pick<SmtpListenerOptions, 'limits'>;

/**
 * Starts listening for every address that one of the features accepts, and takes up what waits in the spool. Rejects
 * when the port cannot be had. `close` waits for messages under way as long as the configuration says.
 */
export async function listenForMail<Doors extends Own>(
  outside: Doors,
  features: readonly { mailReceivers?: readonly MailReceiver<Doors>[] }[],
  { limits, ...retries }: MailInOptions = {},
): Promise<SmtpListener> {
  const { config, log } = outside;
  const receivers = features
    .flatMap((feature) => feature.mailReceivers ?? [])
    .toSorted((one, other) => Number(one.isGeneral ?? false) - Number(other.isGeneral ?? false));
  const dir = join(config.dataDir, 'spool');
  const spool = await openSpool(dir);
  const listener = await createSmtpListener({
    host: config.host,
    port: config.smtp.port,
    sizeBytesMax: config.smtp.sizeBytesMax,
    accept: async (address, envelope) => (await claimOn(outside, receivers, { address, envelope }))?.answer ?? false,
    store: (raw, envelope) => store(outside, receivers, { raw, envelope, spool, drain }),
    log,
    ...(limits && { limits }),
  }).catch(async (error: unknown) => {
    await spool.close();
    throw new Error(
      `The SMTP listener cannot use port ${config.smtp.port}: ${messageOf(error)}. GALLEY_SMTP_PORT sets another.`,
      { cause: error },
    );
  });
  const drain = drainSpool({
    spool,
    asideDir: join(dir, 'aside'),
    log,
    ...retries,
    handle: (message) => handOver(outside, receivers, message),
  });
  return {
    ...listener,
    async close() {
      await listener.close();
      await drain.close(config.drainMs);
      await spool.close();
    },
  };
}

async function claimOn<Doors>(
  outside: Doors,
  receivers: readonly MailReceiver<Doors>[],
  { address, envelope }: { address: string; envelope: SmtpEnvelope },
): Promise<Claim<Doors> | undefined> {
  for (const receiver of receivers) {
    const answer = await receiver.accepts(outside, address, envelope);
    if (answer !== false) return { receiver, answer };
  }
  return undefined;
}

interface Arrival {
  raw: Buffer;
  envelope: SmtpEnvelope;
  spool: Spool;
  drain: Drain;
}

async function store<Doors extends Own>(
  outside: Doors,
  receivers: readonly MailReceiver<Doors>[],
  { raw, envelope, spool, drain }: Arrival,
): Promise<void> {
  const recipients = new Map<MailReceiver<Doors>, string[]>();
  for (const address of envelope.recipients) {
    const claim = await claimOn(outside, receivers, { address, envelope });
    if (claim) recipients.set(claim.receiver, [...(recipients.get(claim.receiver) ?? []), address]);
  }
  const claimed = [...recipients].map(([receiver, own]) => ({ receiver, envelope: { ...envelope, recipients: own } }));
  const wanted = await withoutRefused(outside, claimed, raw);
  // The features that can refuse the message decide first, so that no refused message waits in the spool.
  for (const { receiver, envelope: own } of wanted) if (!isSpooled(receiver)) await receiver.receive(outside, raw, own);
  for (const { receiver, envelope: own } of wanted)
    if (isSpooled(receiver))
      drain.take(await append(outside, spool, { raw, about: { receiver: receiver.name, envelope: own } }));
  outside.log.info(
    {
      receivers: wanted.map(({ receiver }) => receiver.name),
      recipients: envelope.recipients.length,
      bytes: raw.length,
    },
    'a message came in',
  );
}

interface Claimed<Doors> {
  receiver: MailReceiver<Doors>;
  envelope: SmtpEnvelope;
}

/** The features that accept the message. SMTP has one answer for all recipients: it refuses if no feature accepts. */
async function withoutRefused<Doors extends Own>(
  outside: Doors,
  claimed: readonly Claimed<Doors>[],
  raw: Buffer,
): Promise<Claimed<Doors>[]> {
  const wanted: Claimed<Doors>[] = [];
  const refusals: SmtpRefusal[] = [];
  for (const one of claimed) {
    const refusal = isSpooled(one.receiver) ? await one.receiver.refuses?.(outside, raw, one.envelope) : undefined;
    if (refusal) refusals.push(refusal);
    else wanted.push(one);
  }
  if (wanted.length === 0 && refusals[0]) throw refusals[0];
  for (const { message } of refusals)
    outside.log.warn({ reason: message }, 'one receiver of a message cannot use it; the others have it');
  return wanted;
}

async function append(
  { log }: Pick<Outside, 'log'>,
  spool: Spool,
  { raw, about }: { raw: Buffer; about: About },
): Promise<string> {
  try {
    return await spool.append(raw, about);
  } catch (error) {
    log.error({ err: error }, 'the spool cannot be written to; senders are told to try again');
    throw new SmtpRefusal(452, '4.3.1 The message could not be stored; try again later');
  }
}

async function handOver<Doors>(
  outside: Doors,
  receivers: readonly MailReceiver<Doors>[],
  { id, about, raw }: Spooled,
): Promise<void> {
  const { receiver: name, envelope } = about as About;
  const receiver = receivers.filter((one) => isSpooled(one)).find((candidate) => candidate.name === name);
  if (!receiver) throw new Error(`No feature receives for "${name}".`);
  await receiver.receive(outside, raw, { ...envelope, id });
}

function isSpooled<Doors>(receiver: MailReceiver<Doors>): receiver is SpooledMailReceiver<Doors> {
  return receiver.delivery === 'spooled';
}
