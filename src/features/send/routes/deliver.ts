// One attempt to do what a route says with a message.
import { AppError, isPassing, messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { randomText } from '../../../platform/ids/index.ts';
import { attempt, stateAfter, type Attempt } from '../../../platform/posting/index.ts';
import { listFacts, submitMail, type MessageFacts } from '../messages/index.ts';
import { signatureOf, signingKeyOf } from '../signing-keys/index.ts';
import { claim, settle, type RouteDelivery } from './delivery-store.ts';
import { loopField } from './loops.ts';
import { composePayload } from './payload.ts';
import { readRaw } from './raw.ts';

type DeliverDoors = Pick<
  Outside,
  'config' | 'db' | 'blobs' | 'clock' | 'secrets' | 'events' | 'compute' | 'lists' | 'log' | 'facts' | 'jobs' | 'fetch'
>;

/** Waits between attempts, in seconds: with the first one, there are seven, over 8 hours. */
const WAITS = [600, 900, 1800, 3600, 7200, 14_400];
/** A process that has not settled what it took by then is dead. */
export const TAKEN_MS = 300_000;
const TAKEN_CODE = 250;
const REFUSED_CODE = 406;

interface Ready {
  delivery: RouteDelivery;
  message: MessageFacts;
  raw: Uint8Array;
}

const isMimeUrl = (url: string): boolean => /mime$/i.test(new URL(url).pathname);

async function post(doors: DeliverDoors, { delivery, message, raw }: Ready, signal: AbortSignal): Promise<Attempt> {
  const { accountId, recipient, target: url, baseUrl, does } = delivery;
  const { domain, sender, key } = message;
  const { type, bytes } = await doors.compute.run(composePayload, {
    raw,
    recipient,
    sender,
    as: does === 'notify' ? 'notify' : isMimeUrl(url) ? 'mime' : 'parts',
    domain,
    url: `${doors.config.publicUrl || baseUrl}/v3/domains/${domain}/messages/${key}`,
    signature: signatureOf(await signingKeyOf(doors, accountId), doors.clock.now()),
    boundary: `galley-${randomText(24)}`,
  });
  const body = { type, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
  return attempt(doors, { url, body, purpose: 'routes', signal });
}

/** Hands the message as it came to the queue, with a mark by which it is known again. */
async function forward(doors: DeliverDoors, { delivery, message, raw }: Ready): Promise<Attempt> {
  const { accountId, recipient, target } = delivery;
  const started = doors.clock.now();
  const made = { at: started.toISOString(), tookMs: 0, answer: '' };
  const bytes = Buffer.concat([Buffer.from(loopField(recipient)), raw]);
  const file = { fileName: '', mediaType: 'message/rfc822', bytes };
  try {
    const form = { to: target, message: file, 'o:tracking': 'no' };
    const { domain, originatingIp } = message;
    const { id } = await submitMail(doors, { accountId, domain, originatingIp, form });
    return { ...made, code: TAKEN_CODE, message: `Handed to the queue as ${id}.` };
  } catch (error) {
    // What the queue refuses today, it may take later; what it cannot use, it never will.
    const isLasting = error instanceof AppError && error.status < 500 && !isPassing(error);
    return { ...made, code: isLasting ? REFUSED_CODE : null, message: messageOf(error).slice(0, 500) };
  }
}

/** What is due, done once; also where there is no message to do it with. */
async function attemptOf(
  doors: DeliverDoors,
  { delivery, message, at }: Pick<Ready, 'delivery'> & { message: Ready['message'] | undefined; at: Date },
  signal: AbortSignal,
): Promise<Attempt> {
  const without = (code: number | null, why: string): Attempt => ({
    at: at.toISOString(),
    code,
    message: why,
    tookMs: 0,
    answer: '',
  });
  let raw: Uint8Array | undefined;
  try {
    raw = await readRaw(doors, delivery.messageId);
  } catch (error) {
    // It was encrypted with a key that is away: the operator may bring it back.
    if (error instanceof AppError && error.status === 409) return without(null, error.message);
    throw error;
  }
  if (!message || !raw) return without(REFUSED_CODE, 'The message is no longer kept.');
  return delivery.does === 'forward_address'
    ? forward(doors, { delivery, message, raw })
    : post(doors, { delivery, message, raw }, signal);
}

/** Does what is due, once, and settles it. */
export async function deliver(doors: DeliverDoors, id: string, signal: AbortSignal): Promise<void> {
  const { db, clock } = doors;
  const now = clock.now();
  const delivery = await claim(db, id, { now, until: new Date(now.getTime() + TAKEN_MS) });
  if (!delivery) return;
  const [message] = await listFacts(db, [delivery.messageId]);
  const made = await attemptOf(doors, { delivery, message, at: now }, signal);
  // What was cut off by a stop is tried again, as if it had not been tried.
  if (made.code === null && signal.aborted) return settle(db, delivery, { ...delivery, dueAt: now });
  const attempts = [...delivery.attempts, made];
  await settle(db, delivery, { attempts, ...stateAfter(attempts, now, WAITS) });
}
