// What a placement test is made of: one delivery to each seed. Its end is the end of the test.
import { explainSymbol } from '../../../engines/spam-rules/index.ts';
import { packValue, unpackValue } from '../../../platform/blobs/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { newId, newUuid } from '../../../platform/ids/index.ts';
import type { SmtpEnvelope } from '../../../platform/mail/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { isAccountOpen } from '../../account/accounts/index.ts';
import { countUse, refusingMail } from '../../account/limits/index.ts';
import { readMail } from '../../proof/_message/index.ts';
import { defineSeedTest, examineOnce, type Examination, type SenderDoors } from '../../proof/_seeds/index.ts';
import { placementChanged, placementEnded } from './facts.ts';
import { findListWithSeed } from './lists-store.ts';
import { copyFor, type StoredMessage, type TestMessage } from './message.ts';
import * as results from './results-store.ts';
import type { Fall, FilterSaid, PlacementResult } from './results-store.ts';
import { compareInboxes } from './statistics.ts';

const RETENTION_DAYS = 91;
/** Copies of one mailing, sent by somebody else, come within this. */
export const MAILING_MINUTES = 60;

const messageKey = (resultId: string): string => `placements/${resultId}/message`;

export async function saveMessage(
  { blobs }: Pick<Outside, 'blobs'>,
  resultId: string,
  message: TestMessage,
): Promise<void> {
  const { html } = message;
  // What is no Unicode would come back as something else.
  const stored: StoredMessage = { ...message, html: html.isWellFormed() ? Buffer.from(html) : html };
  await blobs.put(messageKey(resultId), packValue(stored), 'application/octet-stream');
}

/** Undefined: the mailing was sent by somebody else. */
export async function readMessage(
  { blobs }: Pick<Outside, 'blobs'>,
  resultId: string,
): Promise<StoredMessage | undefined> {
  const stored = await blobs.get(messageKey(resultId));
  if (stored) return unpackValue(stored) as StoredMessage;
  // Messages were JSON before.
  const text = await blobs.get(`${messageKey(resultId)}.json`);
  return text && (JSON.parse(text.toString('utf8')) as StoredMessage);
}

function expiryOf(at: Date): Date {
  return daysAfter(at, RETENTION_DAYS);
}

function filtersOf({ filters, builtIn }: Examination): FilterSaid[] {
  const operated = filters.map((one): FilterSaid =>
    one.ok
      ? {
          engine: one.engine,
          score: one.score,
          threshold: one.threshold,
          verdict: one.verdict,
          failure: null,
          rules: one.rules.map(({ name, points, description }) => ({
            name,
            points,
            description: description || (explainSymbol(name)?.meaning ?? name),
            fix: points > 0 ? (explainSymbol(name)?.fix ?? null) : null,
          })),
        }
      : { engine: one.engine, score: null, threshold: null, verdict: null, failure: one.message, rules: [] },
  );
  const own = {
    engine: builtIn.engine,
    score: builtIn.score,
    threshold: builtIn.threshold,
    verdict: builtIn.verdict,
    failure: null,
    language: builtIn.language,
    rules: builtIn.rules.map(({ rule, points, message, fix }) => ({
      name: rule,
      points,
      description: message,
      fix: points > 0 ? fix : null,
    })),
  };
  return [...operated, own];
}

/** Results as tests over seeds. */
export function testsOf({ accountId, resultId }: PlacementResult): { accountId: string; testIds: string[] } {
  return { accountId, testIds: [resultId] };
}

/** What the filters say of the message, on the copy for the first seed. */
async function judge(
  outside: SenderDoors & Pick<Outside, 'blobs' | 'compute' | 'dns' | 'filters'>,
  result: PlacementResult,
): Promise<FilterSaid[]> {
  const [first] = await placements.deliveries(outside, testsOf(result), { reports: 'none' });
  const message = await readMessage(outside, result.resultId);
  if (!first || !message) return [];
  const { raw, mailFrom } = await copyFor(outside, message, { result, delivery: first });
  return filtersOf(
    await examineOnce(outside, raw, {
      ip: '127.0.0.1',
      helo: outside.config.mail.helo,
      mailFrom,
      recipient: first.email,
      receivedBy: 'mx.local-receiver.example',
      isEncrypted: null,
      assumed: first.envelope,
    }),
  );
}

/**
 * Whether less is in the inbox than in the result of the list before this one. After a fall, the result before it is
 * what is compared with: the fall ends when that is reached again, as far as noise lets one say. Where no mailbox took
 * part both times, nothing is known, and what was stays.
 */
async function changeOf(
  { db }: Pick<Outside, 'db'>,
  result: PlacementResult,
): Promise<{ fall: Fall | null; isNews: boolean }> {
  const { accountId, resultId, listId } = result;
  const previous = listId === null ? undefined : await results.findPrevious(db, result);
  if (!previous) return { fall: null, isNews: false };
  const { fall: last } = previous;
  const base = (last && (await results.findResult(db, accountId, last.from))) ?? previous;
  const tests = { accountId, testIds: [resultId, base.resultId] };
  const deliveries = await placements.deliveries({ db }, tests, { reports: 'none' });
  const of = (id: string) => deliveries.filter(({ testId }) => testId === id);
  const compared = compareInboxes(of(base.resultId), of(resultId));
  if (compared === null) return { fall: last, isNews: false };
  const { before, after, change, verdict } = compared;
  const fall = verdict === 'changed' && change < 0 ? { from: base.resultId, before, after } : null;
  return { fall, isNews: fall !== null || last !== null };
}

/** A message from outside to an address of a list: the copies of one mailing become one result. */
async function adopt(
  outside: Pick<Outside, 'db' | 'compute' | 'clock' | 'facts'>,
  { raw, email, envelope }: { raw: Buffer; email: string; envelope: SmtpEnvelope },
): Promise<string | undefined> {
  const list = await findListWithSeed(outside.db, email);
  if (!list) return undefined;
  const mail = await outside.compute.run(readMail, raw);
  const now = outside.clock.now();
  const subject = mail.subject.slice(0, 998);
  const sender = (mail.from[0]?.address ?? envelope.from).slice(0, 320);
  return outside.db.tx(async (tx) => {
    // Many copies come at once; only one of them makes the result.
    await tx.lock(`placement list ${list.kid}`);
    const since = new Date(now.getTime() - MAILING_MINUTES * 60_000);
    const mailing = { kid: list.kid, accountId: list.accountId, subject, sender };
    let result = await results.findOpenMailing(tx, mailing, since);
    // Asked in this order: a deletion in between is seen by the second question.
    if (!result && (await results.takeLateCopy(tx, mailing, { email, now }))) return undefined;
    if (!result) {
      result = newResult({ accountId: list.accountId, list, subject, sender, at: now });
      await results.insertResult(tx, result);
      // Mailboxes cannot tell a message without a token from others.
      const seeds = list.seeds.filter(({ kind }) => kind === 'receiver');
      await placements.expect(tx, outside, {
        testId: result.resultId,
        accountId: list.accountId,
        seeds,
        envelope: null,
        deadlineAt: new Date(now.getTime() + MAILING_MINUTES * 60_000),
        expiresAt: result.expiresAt,
      });
      await countUse(outside, tx, { accountId: list.accountId, metric: 'seed_test_count' });
    }
    return placements.tokenOf(tx, { accountId: list.accountId, testId: result.resultId }, email);
  });
}

export function newResult({
  accountId,
  list,
  subject,
  sender,
  at,
}: {
  accountId: string;
  list: { kid: string; targetEmail: string; name: string };
  subject: string;
  sender: string;
  at: Date;
}): PlacementResult {
  return {
    resultId: newUuid(),
    rid: newId(),
    accountId,
    listId: list.kid,
    targetEmail: list.targetEmail,
    seedListName: list.name,
    subject,
    sender,
    status: 'processing',
    filters: null,
    fall: null,
    sharingId: null,
    isShared: false,
    sharingExpiresAt: null,
    createdAt: at,
    updatedAt: at,
    expiresAt: expiryOf(at),
  };
}

export const placements = defineSeedTest({
  kind: 'placement',
  async compose(outside, delivery) {
    const [result, message] = await Promise.all([
      results.findResultOfAnyone(outside.db, delivery.testId),
      readMessage(outside, delivery.testId),
    ]);
    if (!result || !message) throw new Error('The message of the test is not there any more.');
    return copyFor(outside, message, { result, delivery });
  },
  async settle(outside, resultId) {
    const result = await results.findResultOfAnyone(outside.db, resultId);
    if (result?.status !== 'processing') return;
    const filters = await judge(outside, result);
    const { fall, isNews } = await changeOf(outside, result);
    await outside.db.tx(async (tx) => {
      const at = outside.clock.now();
      if (!(await results.completeResult(tx, result, { filters, fall, at }))) return;
      const { accountId, listId } = result;
      await outside.facts.tell(tx, placementEnded, { account: accountId, payload: { accountId, resultId } });
      if (isNews && listId !== null)
        await outside.facts.tell(tx, placementChanged, { account: accountId, payload: { accountId, listId } });
    });
    outside.jobs.wake();
  },
  async owns(outside, email) {
    const list = await findListWithSeed(outside.db, email);
    return list !== undefined && isAccountOpen(outside, list.accountId);
  },
  adopt: (outside, message) => refusingMail(() => adopt(outside, message)),
});
