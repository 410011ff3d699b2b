// One attempt to hand a copy to the archive of its sender.
import type { Outside } from '../../../platform/feature/index.ts';
import { randomText } from '../../../platform/ids/index.ts';
import { attempt, stateAfter, type Attempt } from '../../../platform/posting/index.ts';
import { multipartBody, type FormField } from '../../../platform/posting/form-body.ts';
import { readBack } from '../messages/index.ts';
import { signatureOf, signingKeyOf } from '../signing-keys/index.ts';
import { claimCopy, settleCopy } from './store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'blobs' | 'clock' | 'secrets' | 'compute' | 'fetch'>;
type Kept = NonNullable<Awaited<ReturnType<typeof readBack>>>;

/** A process that has not settled what it took by then is dead. */
export const TAKEN_MS = 300_000;
const GONE_CODE = 406;

/** What stands beside the message: who sent it to whom, blind copies too, and where it is kept for three days. */
async function fieldsOf(doors: Doors, { message }: Kept): Promise<FormField[]> {
  const { accountId, recipients, sender, headerFrom, subject, domain, messageId, key } = message;
  const { publicUrl } = doors.config;
  return [
    ['recipients', recipients.join(', ')],
    ['sender', sender],
    ['from', headerFrom.toWellFormed()],
    ['subject', subject.toWellFormed()],
    ['domain', domain],
    ['Message-Id', `<${messageId}>`],
    ...(publicUrl === '' ? [] : [['message-url', `${publicUrl}/v3/domains/${domain}/messages/${key}`] as FormField]),
    ...Object.entries(signatureOf(await signingKeyOf(doors, accountId), doors.clock.now())),
  ];
}

async function post(doors: Doors, { url, ...kept }: Kept & { url: string }, signal: AbortSignal): Promise<Attempt> {
  // A file, so that whoever reads the form gets the bytes that they are.
  const file = { field: 'body-mime', name: 'message.eml', contentType: 'message/rfc822', body: kept.raw };
  const body = multipartBody(await fieldsOf(doors, kept), [file], `galley-${randomText(24)}`);
  return attempt(doors, { url, body, purpose: 'archive', signal });
}

/** Posts the copy that is due, once, and settles it. */
export async function deliver(doors: Doors, id: string, signal: AbortSignal): Promise<void> {
  const { db, clock } = doors;
  const now = clock.now();
  const copy = await claimCopy(db, id, { now, until: new Date(now.getTime() + TAKEN_MS) });
  if (!copy) return;
  const kept = await readBack(doors, copy.messageId);
  const made: Attempt = kept
    ? await post(doors, { ...kept, url: copy.url }, signal)
    : { at: now.toISOString(), code: GONE_CODE, message: 'The message is no longer kept.', tookMs: 0, answer: '' };
  // What was cut off by a stop is tried again, as if it had not been tried.
  if (made.code === null && signal.aborted) return settleCopy(db, copy, { ...copy, dueAt: now });
  const attempts = [...copy.attempts, made];
  await settleCopy(db, copy, { attempts, ...stateAfter(attempts, now) });
}
