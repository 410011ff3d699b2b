// Mail that comes in for the address of a list: who may write has it handed on to the members.
import { Type } from 'typebox';
import type { SmtpRefusal } from '../../../platform/mail/index.ts';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import { headerOf, type InboundTaker } from '../_inbound/index.ts';
import { tellEvents } from '../deliveries/index.ts';
import { findTaken, readContent, type SentMessage } from '../messages/index.ts';
import { refusedBefore, refusedByAuthor, whyRefused } from './admission.ts';
import { readArrivedHeader, type ArrivedHeader } from './computations.ts';
import { keptOf } from './fields.ts';
import { postNext } from './post.ts';
import { insertPosting } from './posting-store.ts';
import { findList, lockList } from './store.ts';

interface Arrived {
  message: SentMessage;
  header: ArrivedHeader;
  /** Among the recipients of the message. */
  position: number;
}

/** What was taken, and goes to no member after all. */
async function tellRefused(
  doors: Pick<Outside, 'events' | 'lists' | 'facts' | 'jobs'>,
  tx: Parameters<typeof tellEvents>[1],
  { at, refusal, message, position }: Omit<Arrived, 'header'> & { at: Date; refusal: SmtpRefusal },
): Promise<void> {
  const { accountId, domain, id: messageId, recipients } = message;
  const status = { code: refusal.responseCode, message: '', description: refusal.message };
  const about = { 'delivery-status': status, envelope: { transport: 'mailing-list' } };
  const recipient = (recipients[position] as string).toLowerCase();
  const place = { at, accountId, domain, recipient, messageId, position };
  await tellEvents(doors, tx, [
    { ...place, event: 'failed', severity: 'permanent', reason: 'generic', code: status.code, about },
  ]);
}

/** Begins what a message to one list comes to; run again, it is on its way already. */
async function begin(
  doors: Pick<Outside, 'db' | 'clock' | 'events' | 'lists' | 'facts' | 'jobs'>,
  { message, header, position }: Arrived,
): Promise<void> {
  const { db, clock, jobs } = doors;
  const { accountId, id: messageId, sizeBytes, recipients } = message;
  const found = await findList(db, accountId, keptOf(recipients[position] as string));
  if (!found) return;
  await db.tx(async (tx) => {
    // Messages to one list take turns, so that its hourly bound is exact.
    const list = await lockList(tx, accountId, found.id);
    if (!list) return;
    const now = clock.now();
    const refusal = await whyRefused(tx, list, { header, sizeBytes, messageId, now });
    const posting = { messageId, position, listId: list.id, variables: null, createdAt: now };
    const id = await insertPosting(tx, accountId, {
      ...posting,
      author: header.author ?? null,
      ...(refusal && { finishedAt: now, fault: refusal.message }),
    });
    if (id === undefined) return;
    if (refusal) await tellRefused(doors, tx, { at: now, refusal, message, position });
    else await jobs.enqueue(tx, postNext, { payloads: [{ postingId: id }], account: accountId });
  });
}

/** Begins to hand on a message that came in. */
export const postArrived = defineJob({
  name: 'mailing-lists.arrive',
  payload: Type.Object({ messageId: Type.String() }),
  lane: 'quick',
  attempts: 10,
  timeoutMs: 120_000,
  async run(doors, { messageId }) {
    const message = await findTaken(doors.db, messageId);
    if (!message || (message.content === null && message.contentDigest === null)) return;
    const content = await readContent(doors, message);
    if (content.kind !== 'mime') return;
    const header = await doors.compute.run(readArrivedHeader, headerOf(content.raw));
    for (const position of message.recipients.keys()) await begin(doors, { message, header, position });
    doors.jobs.wake();
  },
});

export const listMail: InboundTaker = {
  name: 'mailing lists',
  order: 10,
  async takes({ db }, { accountId, recipient, sender }) {
    const list = await findList(db, accountId, keptOf(recipient));
    return list ? (refusedBefore(list, sender) ?? true) : false;
  },
  async refuses(outside, offered) {
    const { db, clock, compute } = outside;
    const { accountId, recipients, raw } = offered;
    const header = await compute.run(readArrivedHeader, headerOf(raw), { urgency: 'answer' });
    let first: SmtpRefusal | undefined;
    let isTaken = false;
    for (const recipient of recipients) {
      const list = await findList(db, accountId, keptOf(recipient));
      if (!list) continue;
      const posted = { header, sizeBytes: raw.byteLength, now: clock.now() };
      const refusal = await whyRefused(db, list, posted);
      if (!refusal) isTaken = true;
      else if (!first || refusal.responseCode < first.responseCode) first = refusal;
    }
    return isTaken ? refusedByAuthor(outside, offered) : first;
  },
  async take({ jobs }, tx, { id, accountId }) {
    await jobs.enqueue(tx, postArrived, { payloads: [{ messageId: id }], account: accountId });
  },
};
