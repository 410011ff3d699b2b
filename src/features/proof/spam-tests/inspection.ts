// A spam test as an inspection: begun by sending to every seed, ended when all have an outcome.
import type { Finding } from '../../../engines/findings/index.ts';
import { decidePlacement, RECEIVERS, type PlacementVerdict, type Receiver } from '../../../engines/receivers/index.ts';
import { unsubscribeAddresses, type LiveUnsubscribe } from '../../../engines/bulk-sender/index.ts';
import { postOneClick } from '../../../platform/one-click/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { defineInspection, objectsOf, type EndDoors } from '../_inspections/index.ts';
import {
  chooseSeeds,
  defineSeedTest,
  examineOnce,
  placementInput,
  type AssumedEnvelope,
  type Seed,
  type SeedDelivery,
  type SenderDoors,
} from '../_seeds/index.ts';
import { analyze, type SpamAnalysis } from './analysis.ts';
import { spamTestEnded } from './facts.ts';
import { composeTest, senderOfAccount, senderOfNobody, type OutgoingMessage, type SpamInput } from './message.ts';
import * as store from './store.ts';

const KIND = 'spam';
/** Mailboxes at slow providers get this long. */
const DEADLINE_MINUTES = 10;
const RETENTION_DAYS = 91;

/** What is kept beside the message between its sending and its end. */
interface Outgoing {
  mailFrom: string;
  envelope: AssumedEnvelope | null;
  sender: OutgoingMessage['sender'];
  isLiveUnsubscribe: boolean;
}

interface SpamResult {
  analysis: SpamAnalysis;
}

/** What judging needs, without a server too. */
type UnsentDoors = Pick<Outside, 'compute' | 'dns' | 'filters' | 'clock' | 'fetch' | 'config'>;

const rawKey = (id: string): string => `${objectsOf(id)}/message.eml`;
const factsKey = (id: string): string => `${objectsOf(id)}/outgoing.json`;

/** Undefined until it is made. */
export async function readOutgoing(
  { blobs }: Pick<Outside, 'blobs'>,
  id: string,
): Promise<(Outgoing & { raw: Buffer }) | undefined> {
  const [raw, facts] = await Promise.all([blobs.get(rawKey(id)), blobs.get(factsKey(id))]);
  return raw && facts ? { raw, ...(JSON.parse(facts.toString('utf8')) as Outgoing) } : undefined;
}

/** Made once: a run that begins again sends the same bytes. */
async function ensureOutgoing(
  outside: SenderDoors & Pick<Outside, 'blobs' | 'compute'>,
  id: string,
  { accountId, input }: { accountId: string; input: SpamInput },
): Promise<Outgoing> {
  const before = await readOutgoing(outside, id);
  if (before) return before;
  const { raw, ...outgoing } = await composeTest(outside, input, {
    senderOf: senderOfAccount(outside, accountId),
    id,
    at: outside.clock.now(),
  });
  const facts: Outgoing = { ...outgoing, isLiveUnsubscribe: input.isLiveUnsubscribe };
  await outside.blobs.put(rawKey(id), raw, 'message/rfc822');
  await outside.blobs.put(factsKey(id), Buffer.from(JSON.stringify(facts)), 'application/json');
  return facts;
}

/** One at each provider. */
export function chooseTestSeeds(outside: Pick<Outside, 'db' | 'config'>, accountId: string): Promise<Seed[]> {
  return chooseSeeds(outside, accountId, { perReceiver: 1, localPart: () => `t-${newId()}` });
}

async function begin(
  outside: SenderDoors & Pick<Outside, 'jobs' | 'blobs' | 'compute'>,
  input: SpamInput,
  { id }: { id: string },
): Promise<void> {
  const test = await store.findTestOfAnyone(outside.db, id);
  if (!test) return;
  const { accountId } = test;
  const { envelope } = await ensureOutgoing(outside, id, { accountId, input });
  const seeds = input.seeds ?? (await chooseTestSeeds(outside, accountId));
  const known = await seedDeliveries.deliveries(outside, { accountId, testIds: [id] }, { reports: 'none' });
  const now = outside.clock.now();
  const deadlineAt = new Date(now.getTime() + DEADLINE_MINUTES * 60_000);
  const expiresAt = daysAfter(now, RETENTION_DAYS);
  if (known.length > 0) return;
  const isThere = await outside.db.tx(async (tx) => {
    if (!(await store.holdTest(tx, id))) return false;
    await seedDeliveries.start(tx, outside, {
      testId: id,
      accountId,
      seeds,
      envelope,
      deadlineAt,
      expiresAt,
    });
    return true;
  });
  // Deleted in between: its objects may have been erased before the message was put there.
  if (!isThere) await outside.blobs.deleteAll(objectsOf(id));
  outside.jobs.wake();
}

async function tryUnsubscribe(
  outside: Pick<Outside, 'fetch'>,
  headers: { name: string; value: string }[],
  isAsked: boolean,
): Promise<LiveUnsubscribe | null> {
  const field = headers.find(({ name }) => name.toLowerCase() === 'list-unsubscribe')?.value;
  const url = isAsked ? unsubscribeAddresses(field ?? '').find((address) => /^https:/i.test(address)) : undefined;
  return url === undefined ? null : postOneClick(outside.fetch, url);
}

interface Judged {
  raw: Buffer;
  mailFrom: string;
  envelope: AssumedEnvelope | null;
  sender: OutgoingMessage['sender'];
  isLiveUnsubscribe: boolean;
}

/** What there is to say about the message apart from the receivers. */
async function judge(outside: UnsentDoors, { raw, mailFrom, envelope, sender, isLiveUnsubscribe }: Judged) {
  const examined = await examineOnce(outside, raw, {
    ip: '127.0.0.1',
    helo: outside.config.mail.helo,
    mailFrom,
    recipient: 'reader@local-receiver.example',
    receivedBy: 'mx.local-receiver.example',
    isEncrypted: null,
    assumed: envelope,
  });
  const live = await tryUnsubscribe(outside, examined.mail.headerList, isLiveUnsubscribe);
  return { examined, ...analyze(examined, { sender, live, states: await outside.filters.states() }) };
}

/** All deliveries have ended: the overview is made, and the inspection with it. */
async function settle(outside: UnsentDoors & EndDoors & Pick<Outside, 'blobs'>, id: string): Promise<void> {
  const outgoing = await readOutgoing(outside, id);
  const test = await store.findTestOfAnyone(outside.db, id);
  if (!outgoing || test?.status !== 'processing') return;
  const { analysis, findings } = await judge(outside, outgoing);
  const tests = { accountId: test.accountId, testIds: [id] };
  const deliveries = await seedDeliveries.deliveries(outside, tests, { reports: 'none' });
  await spamTests.end(
    outside,
    { id, version: 1 },
    {
      result: { analysis },
      findings: [...findings, ...deliveries.flatMap(placementFindings)],
      summary: countsOf(deliveries),
    },
  );
}

function countsOf(deliveries: readonly SeedDelivery[]): Record<'providers' | 'passed' | 'failed', number> {
  const passed = deliveries.filter(({ placement }) => placement === 'inbox' || placement === 'category').length;
  return { providers: deliveries.length, passed, failed: deliveries.length - passed };
}

function placementFindings({ provider, seedKind, placement, state, reason }: SeedDelivery) {
  if (state === 'delivered' && placement !== 'spam') return [];
  if (state === 'unknown') return [];
  const what =
    state === 'bounced' ? 'refused the message' : placement === 'spam' ? 'filed it as spam' : 'never showed it';
  const who = seedKind === 'receiver' ? `The simulated receiver ${provider}` : provider;
  return [
    {
      rule: `spam/placement/${state === 'bounced' ? 'rejected' : placement === 'spam' ? 'spam' : 'missing'}`,
      severity: 'error' as const,
      message: `${who} ${what}${reason === null ? '.' : `: ${reason}`}`,
      details: { provider },
    },
  ];
}

export interface UnsentVerdicts {
  analysis: SpamAnalysis;
  findings: Finding[];
  receivers: { receiver: Receiver; verdict: PlacementVerdict }[];
}

const isLost = ({ placement }: PlacementVerdict): boolean => placement === 'spam' || placement === 'rejected';

/** Sends nothing: asks each simulated receiver what it would do with the message. */
export async function judgeUnsent(outside: UnsentDoors, input: SpamInput): Promise<UnsentVerdicts> {
  const outgoing = await composeTest(outside, input, {
    senderOf: senderOfNobody,
    id: newId(),
    at: outside.clock.now(),
  });
  const { examined, analysis, findings } = await judge(outside, {
    ...outgoing,
    isLiveUnsubscribe: input.isLiveUnsubscribe,
  });
  const facts = placementInput(examined, 0);
  const receivers = RECEIVERS.map((receiver) => {
    const first = decidePlacement(receiver, facts);
    // A sender that is put off tries again.
    return {
      receiver,
      verdict:
        first.placement === 'deferred'
          ? decidePlacement(receiver, placementInput(examined, receiver.greylisting?.attempts ?? 1))
          : first,
    };
  });
  const lost = receivers
    .filter(({ verdict }) => isLost(verdict))
    .map(({ receiver, verdict }): Finding => ({
      rule: `spam/placement/${verdict.placement}`,
      severity: 'error',
      message:
        `${receiver.displayName} would ${verdict.placement === 'spam' ? 'file it as spam' : 'refuse it'}: ` +
        `${verdict.reasons[0]?.message ?? ''}`,
      details: { provider: receiver.domain },
    }));
  return { analysis, findings: [...findings, ...lost], receivers };
}

export const seedDeliveries = defineSeedTest({
  kind: KIND,
  async compose(outside, delivery) {
    const outgoing = await readOutgoing(outside, delivery.testId);
    if (!outgoing) throw new Error('The message of the test is not there any more.');
    return { raw: outgoing.raw, mailFrom: outgoing.mailFrom };
  },
  settle,
});

export const spamTests = defineInspection<SpamInput, SpamResult, keyof UnsentDoors>({
  kind: KIND,
  noun: 'spam test',
  lane: 'mail',
  timeoutMs: 60_000,
  nameOf: ({ name = '' }) => name,
  begin,
  async inspect(outside, input) {
    const { analysis, findings, receivers } = await judgeUnsent(outside, input);
    const failed = receivers.filter(({ verdict }) => isLost(verdict)).length;
    return {
      result: { analysis },
      findings,
      summary: { providers: receivers.length, passed: receivers.length - failed, failed },
    };
  },
  async tell(outside, tx, { id, accountId, outcome: { status, summary, error } }) {
    const { providers, passed } = summary as ReturnType<typeof countsOf>;
    await outside.facts.tell(tx, spamTestEnded, {
      account: accountId,
      payload: {
        accountId,
        testId: id,
        counts: status === 'Complete' ? { providers, passed } : null,
        reason: error,
      },
    });
  },
  async ended(outside, { id }, { status, error, at }) {
    await store.endTest(outside.db, id, {
      status: status === 'Complete' ? 'completed' : 'failed',
      failureReason: error,
      at,
    });
  },
});
