// Contents are judged by gates: a few of an account at once, each once for all messages that have it.
import { AppError, messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { policyFrom, rulesOf, startGateOn } from '../../proof/gate/index.ts';
import { composeSample } from '../messages/index.ts';
import { decideOn } from './decide.ts';
import { holdChecked, listChecking } from './messages-store.ts';
import { checksOf } from './settings.ts';
import * as store from './store.ts';
import type { Verdict } from './store.ts';

/** Gates of an account under way for messages, and begun within an hour; what is over that waits. */
const AT_ONCE = 4;
const PER_HOUR = 120;
const HOUR_MS = 3_600_000;
const NAME_LENGTH = 200;
const MESSAGES_AT_ONCE = 50;

type Doors = Pick<Outside, 'config' | 'db' | 'blobs' | 'clock' | 'compute' | 'events' | 'jobs' | 'lists' | 'secrets'>;

/** Another process was faster, or there is no room. */
class NotNow extends Error {}

async function hasRoom(db: Doors['db'] | Parameters<typeof store.countStarted>[0], accountId: string, now: Date) {
  const running = await store.countVerdicts(db, accountId, 'running');
  if (running >= AT_ONCE) return false;
  return (await store.countStarted(db, accountId, new Date(now.getTime() - HOUR_MS))) < PER_HOUR;
}

/** Begins one gate. False: nothing more can be begun now. */
async function startOne(doors: Doors, accountId: string, { id, sampleId, policy, checks }: Verdict): Promise<boolean> {
  const sample = sampleId === null ? undefined : await composeSample(doors, sampleId).catch(gone);
  if (!sample) {
    await endWith(doors, { accountId, id }, { state: 'unknown', reasons: ['The message is no longer kept.'] });
    return true;
  }
  try {
    await startGateOn(doors, {
      accountId,
      name: sample.subject.slice(0, NAME_LENGTH) || 'Message without a subject',
      raw: sample.raw,
      policy: policyFrom(policy, rulesOf(doors)),
      checks: checks ?? checksOf(doors),
      async beside(tx, gateId) {
        await tx.lock(`sending-gates.runs ${accountId}`);
        const at = doors.clock.now();
        if (!(await hasRoom(tx, accountId, at))) throw new NotNow();
        if (!(await store.beginVerdict(tx, accountId, { id, gateId, at }))) throw new NotNow();
      },
    });
    return true;
  } catch (error) {
    if (error instanceof NotNow || (error instanceof AppError && error.code === 'too_many_requests')) return false;
    if (!(error instanceof AppError) || error.isPassing) throw error;
    await endWith(doors, { accountId, id }, { state: 'unknown', reasons: [messageOf(error)] });
    return true;
  }
}

function gone(error: unknown): undefined {
  if (error instanceof AppError && (error.code === 'expired' || error.code === 'damaged')) return undefined;
  throw error;
}

/** Begins the gates that there is room for, what waits longest first. */
export async function startWaiting(doors: Doors, accountId: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await hasRoom(doors.db, accountId, doors.clock.now()))) {
    const next = await store.firstWaiting(doors.db, accountId);
    if (!next || !(await startOne(doors, accountId, next))) return;
  }
}

interface Ended {
  state: 'pass' | 'fail' | 'unknown';
  reasons: string[];
}

/** Ends a verdict and settles its messages. Does nothing for a gate that no message waits for. */
export async function endWith(
  doors: Doors,
  test: { accountId: string } & ({ id: string } | { gateId: string }),
  { state, reasons }: Ended,
): Promise<void> {
  const { accountId } = test;
  const at = doors.clock.now();
  const ended = await store.endVerdict(doors.db, test, { state, reasons, at });
  const id = ended ?? ('gateId' in test ? await store.findByGate(doors.db, accountId, test.gateId) : test.id);
  if (id !== undefined) await settleMessages(doors, accountId, id);
}

/** Releases, refuses or holds what waited for a verdict. Safe to run twice. */
export async function settleMessages(doors: Doors, accountId: string, verdictId: string): Promise<void> {
  const verdict = await store.getVerdict(doors.db, accountId, verdictId);
  if (!verdict || verdict.state === 'waiting' || verdict.state === 'running') return;
  const because = `The gate refused it. ${verdict.reasons.join(' ')}`;
  for (;;) {
    const waiting = await listChecking(doors.db, { accountId, verdictId }, MESSAGES_AT_ONCE);
    if (waiting.length === 0) return;
    for (const { messageId, mode } of waiting) {
      if (verdict.state === 'pass') await decideOn(doors, accountId, { messageId, state: 'passed', by: null });
      else if (verdict.state === 'fail' && mode === 'refuse')
        await decideOn(doors, accountId, { messageId, state: 'refused', by: null, because });
      else await holdChecked(doors.db, accountId, [messageId]);
    }
  }
}
