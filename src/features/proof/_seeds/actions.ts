// The machine that every test over seeds shares: one message to each seed, sent once, counted once, ended in time.
import type { Sql } from '../../../platform/db/index.ts';
import type { MailReceiver, Outside } from '../../../platform/feature/index.ts';
import type { Job } from '../../../platform/jobs/index.ts';
import type { ComposeDoors, SeedMessage } from './hand-over.ts';
import { localReceivers, type AddressBook } from './receive.ts';
import { sendJob } from './send-job.ts';
import { settleJob } from './settle.ts';
import { countPlaced, type PlacedCount } from './outcomes-store.ts';
import * as store from './store.ts';
import { newToken } from './token.ts';
import type { AssumedEnvelope, OfTests, Seed, SeedDelivery, WantedReports } from './store.ts';

interface SeedTestKind extends AddressBook {
  /** The message to one seed, the same whenever it is asked for; the token is added to it. */
  compose(outside: ComposeDoors, delivery: SeedDelivery): Promise<SeedMessage>;
  /** All deliveries of the test have ended. Safe to run twice. */
  settle(outside: Outside, testId: string): Promise<void>;
}

interface SeedTestStart {
  testId: string;
  accountId: string;
  seeds: readonly Seed[];
  envelope: AssumedEnvelope | null;
  deadlineAt: Date;
  expiresAt: Date;
}

interface SeedTestMachine {
  jobs: readonly Job<Outside>[];
  mailReceiver: MailReceiver;
  /** Inside the caller's transaction; deliveries that are there already stay. */
  start(tx: Sql, outside: Pick<Outside, 'jobs' | 'clock'>, start: SeedTestStart): Promise<void>;
  /** Deliveries that no job sends, for somebody else does. */
  expect(tx: Sql, outside: Pick<Outside, 'clock'>, start: SeedTestStart): Promise<string[]>;
  tokenOf(tx: Sql, test: { accountId: string; testId: string }, email: string): Promise<string | undefined>;
  deliveries(outside: { db: Sql }, tests: OfTests, wanted: WantedReports): Promise<SeedDelivery[]>;
  /** Where the messages of tests of several accounts landed. */
  placed(
    outside: { db: Sql },
    tests: { accountIds: readonly string[]; testIds: readonly string[] },
  ): Promise<PlacedCount[]>;
  /** All deliveries of these tests, or those at one provider. */
  forget(tx: Sql, tests: OfTests & { provider?: string }): Promise<void>;
  /** For tests whose retention has ended: the account is not asked. */
  forgetOfAnyone(tx: Sql, testIds: readonly string[]): Promise<void>;
}

/** Declares a kind of test over seeds. */
export function defineSeedTest(declared: SeedTestKind): SeedTestMachine {
  const { kind } = declared;
  const send = sendJob(kind, (outside, delivery) => declared.compose(outside, delivery));
  const settle = settleJob(kind, (outside, testId) => declared.settle(outside, testId));
  const insert = (tx: Sql, outside: Pick<Outside, 'clock'>, start: SeedTestStart): Promise<string[]> =>
    store.insertDeliveries(tx, newDeliveries(kind, start, { at: outside.clock.now(), state: 'pending' }));
  return {
    jobs: [send, settle] as unknown as Job<Outside>[],
    mailReceiver: localReceivers(declared),
    async start(tx, outside, start) {
      const tokens = await insert(tx, outside, start);
      await outside.jobs.enqueue(tx, send, { payloads: tokens.map((token) => ({ token })), account: start.accountId });
      if (start.seeds.length === 0)
        await outside.jobs.enqueue(tx, settle, { payloads: [{ testId: start.testId }], account: start.accountId });
    },
    expect: (tx, outside, start) =>
      store.insertDeliveries(tx, newDeliveries(kind, start, { at: outside.clock.now(), state: 'sent' })),
    tokenOf: (tx, test, email) => store.findToken(tx, test, email),
    deliveries: ({ db }, tests, wanted) => store.listDeliveries(db, { kind, ...tests }, wanted),
    placed: ({ db }, tests) => countPlaced(db, { kind, ...tests }),
    forget: (tx, tests) => store.deleteDeliveries(tx, { kind, ...tests }),
    forgetOfAnyone: (tx, testIds) => store.deleteDeliveriesOfAnyone(tx, { kind, testIds }),
  };
}

function newDeliveries(
  kind: string,
  { seeds, testId, accountId, envelope, deadlineAt, expiresAt }: SeedTestStart,
  { at, state }: { at: Date; state: 'pending' | 'sent' },
): SeedDelivery[] {
  return seeds.map((seed, place) => ({
    token: newToken(),
    kind,
    testId,
    accountId,
    place,
    seedKind: seed.kind,
    seedId: seed.id,
    provider: seed.provider,
    email: seed.email.toLowerCase(),
    envelope,
    state,
    attempts: 0,
    firstAttemptAt: null,
    sentAt: null,
    receivedAt: null,
    settledAt: null,
    touchedAt: at,
    queuedAt: at,
    deadlineAt,
    expiresAt,
    placement: null,
    category: null,
    copies: 0,
    reason: null,
    handover: null,
    report: null,
  }));
}
