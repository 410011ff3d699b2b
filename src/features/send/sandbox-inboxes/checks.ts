// What an inbox starts by itself for each message that comes: in jobs, within the bounds of its account.
import { Type } from 'typebox';
import type { Sql } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import { requireProduct } from '../../account/accounts/index.ts';
import { checkedKinds } from '../../proof/_content-checking/index.ts';
import { readKept, sourceOfMime, storable } from '../../proof/_message/index.ts';
import { startGate } from '../../proof/gate/index.ts';
import { chooseClients, startTest } from '../../proof/previews/index.ts';
import { checkSpamEmail, startSpamTest } from '../../proof/spam-tests/index.ts';
import { tooLargeFor } from './large.ts';
import { findMessageOfAnyone, noteCheck, type CheckName, type SandboxMessage } from './messages-store.ts';
import type { SandboxInbox } from './store.ts';

const HOUR_MS = 3_600_000;
const CHECK_NAMES = ['previews', 'spam', 'gate'] as const satisfies readonly CheckName[];

type Doors = Pick<
  Outside,
  'config' | 'db' | 'jobs' | 'blobs' | 'fetch' | 'compute' | 'clock' | 'log' | 'lists' | 'ports' | 'secrets' | 'facts'
>;
type Start = (doors: Doors, message: SandboxMessage, raw: Buffer) => Promise<string>;

const START: Record<CheckName, Start> = {
  async previews(doors, { id, accountId, subject }, raw) {
    await requireProduct(doors, accountId, 'email_preview');
    const source = await sourceOfMime(doors, raw, { urgency: 'job' });
    const kinds = [...checkedKinds(doors).keys()];
    const test = await startTest(doors, accountId, {
      id,
      subject,
      source,
      clientIds: chooseClients(null).clientIds,
      imageBlocking: false,
      headers: source.headers,
      referenceId: null,
      customerId: null,
      contentChecking: Object.fromEntries(kinds.map((name) => [name, true])),
    });
    return test.id;
  },
  async spam(doors, { accountId, subject }, raw) {
    const source = storable(await sourceOfMime(doors, raw, { urgency: 'job' }));
    const email = { source, subject, headers: {}, from: null };
    await checkSpamEmail({ ...doors, principal: { accountId } }, email, { from: 'from' });
    return (await startSpamTest(doors, accountId, email)).id;
  },
  async gate(doors, { accountId }, raw) {
    const body = { mime: raw.toString('base64'), transfer_encoding: 'base64' as const };
    return (await startGate({ ...doors, principal: { accountId } }, body)).id;
  },
};

/** Refusals for what the account or the message is. Others are tried again. */
const isFinal = (error: unknown): error is AppError => error instanceof AppError && error.code !== 'unavailable';

/**
 * Starts one check of a message and notes what became of it. When the process dies between both, it is started twice;
 * previews have the id of the message, and are not.
 */
export const check = defineJob({
  name: 'sandbox-inboxes.check',
  payload: Type.Object({ messageId: Type.String(), name: Type.Enum(CHECK_NAMES) }),
  lane: 'quick',
  urgency: 'bulk',
  attempts: 3,
  timeoutMs: 120_000,
  partOf: ({ messageId }) => messageId,
  async run(outside, { messageId, name }) {
    const message = await findMessageOfAnyone(outside.db, messageId);
    if (message?.checks[name]?.state !== 'queued') return;
    try {
      const error = tooLargeFor('checks take', message);
      if (error) throw error;
      const raw = await readKept(outside, message);
      const id = await START[name](outside, message, raw);
      await noteCheck(outside.db, message, { name, check: { state: 'started', id } });
    } catch (error) {
      if (!isFinal(error)) throw error;
      await noteCheck(outside.db, message, { name, check: { state: 'refused', why: error.message } });
    }
  },
  async gaveUp({ db }, { messageId, name }) {
    const message = await findMessageOfAnyone(db, messageId);
    if (message) await noteCheck(db, message, { name, check: { state: 'refused', why: 'It could not be started.' } });
  },
});

/** What a message that comes now gets of its inbox, which is locked, and how the inbox counts it. */
export function checksFor(
  { checks, checksPerHour, checkHourAt, checkHourCount }: SandboxInbox,
  now: Date,
): { checks: SandboxMessage['checks']; counted: Partial<SandboxInbox> } {
  if (checks.length === 0) return { checks: {}, counted: {} };
  const isSameHour = checkHourAt !== null && now.getTime() - checkHourAt.getTime() < HOUR_MS;
  const count = isSameHour ? checkHourCount : 0;
  const why = `The inbox checks ${checksPerHour} messages an hour, and has begun as many.`;
  const each = count < checksPerHour ? ({ state: 'queued' } as const) : ({ state: 'refused', why } as const);
  return {
    checks: Object.fromEntries(checks.map((name) => [name, each])),
    counted: count < checksPerHour ? { checkHourAt: isSameHour ? checkHourAt : now, checkHourCount: count + 1 } : {},
  };
}

/** In the transaction that keeps the message. */
export async function queueChecks(
  { jobs }: Pick<Outside, 'jobs'>,
  tx: Sql,
  { id, accountId, checks }: Pick<SandboxMessage, 'id' | 'accountId' | 'checks'>,
): Promise<void> {
  const names = CHECK_NAMES.filter((name) => checks[name]?.state === 'queued');
  if (names.length === 0) return;
  await jobs.enqueue(tx, check, { payloads: names.map((name) => ({ messageId: id, name })), account: accountId });
}
