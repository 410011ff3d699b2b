// What the gate does when a message is accepted.
import type { Sql } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { MessageContent } from '../messages/index.ts';
import { digestContent } from './computations.ts';
import { start } from './jobs.ts';
import { countOpen, insertGated, type GatedState } from './messages-store.ts';
import * as store from './store.ts';
import type { GateSettings, Verdict } from './store.ts';

/** Links break and pages change: a verdict is reused for so long. */
const REUSED_MS = 24 * 3_600_000;
/** When nobody has decided by then, the message is dropped; contents are kept longer. */
const HELD_MS = 48 * 3_600_000;
/** Of an account. */
const HELD_MAX = 1000;
const HELD_BYTES_MAX = 1024 ** 3;
/** Contents of an account that wait to be judged; further ones of the mode `warn` are not. */
const WAITING_MAX = 1000;

interface Offered {
  accountId: string;
  domain: string;
  content: MessageContent;
  sizeBytes: number;
  now: Date;
  isCopies: boolean;
}

type Active = GateSettings & { mode: 'warn' | 'hold' | 'refuse' };

/** Throws `forbidden` for what failed not long ago. */
function refuseKnown(verdict: Verdict | undefined, { domain, now }: Offered): void {
  if (verdict?.state !== 'fail' || (verdict.judgedAt?.getTime() ?? 0) < now.getTime() - REUSED_MS) return;
  throw new AppError('forbidden', `The gate of ${domain} refuses this message. ${verdict.reasons.join(' ')}`);
}

/** The verdict of this content, begun where there is none. Undefined: too many others wait. */
async function verdictOf(
  { jobs }: Pick<Outside, 'jobs'>,
  tx: Sql,
  { accountId, now, digest, sampleId, settings }: Offered & { digest: string; sampleId: string; settings: Active },
): Promise<Verdict | undefined> {
  await store.retireVerdict(tx, accountId, { digest, before: new Date(now.getTime() - REUSED_MS) });
  const known = await store.holdVerdict(tx, accountId, digest);
  if (known) return known;
  if (settings.mode === 'warn' && (await store.countVerdicts(tx, accountId, 'waiting')) >= WAITING_MAX)
    return undefined;
  const { policy, checks } = settings;
  await store.insertVerdict(tx, accountId, { digest, policy, checks, sampleId, createdAt: now });
  await jobs.enqueue(tx, start, { payloads: [{ accountId }], account: accountId });
  return store.holdVerdict(tx, accountId, digest);
}

/** Throws `too_many_requests` when the account has as much waiting as it may. */
async function requireRoom(tx: Sql, { accountId, sizeBytes }: Offered): Promise<void> {
  // One after the other, so that the bound is exact.
  await tx.lock(`sending-gates.held ${accountId}`);
  const { messages, bytes } = await countOpen(tx, accountId);
  if (messages < HELD_MAX && bytes + sizeBytes <= HELD_BYTES_MAX) return;
  throw new AppError(
    'too_many_requests',
    `The gate holds ${messages} messages of this account, ${Math.round(bytes / 1024 ** 2)} MB; at most ${HELD_MAX} ` +
      'and 1 GB wait. Release or drop some, or try again when they are checked.',
    { headers: { 'retry-after': '60' } },
  );
}

function stateOf({ mode }: Active, verdict: Verdict | undefined): GatedState {
  if (mode === 'warn') return 'sent';
  if (verdict?.state === 'pass') return 'sent';
  return verdict?.state === 'fail' || verdict?.state === 'unknown' ? 'held' : 'checking';
}

/** Added to the gates of messages. */
export async function gateMessage(doors: Pick<Outside, 'config' | 'db' | 'compute' | 'jobs'>, offered: Offered) {
  const { accountId, domain, content, sizeBytes, now } = offered;
  if (offered.isCopies) return undefined;
  const found = await store.findSettings(doors.db, accountId, domain);
  if (!found || found.mode === 'off') return undefined;
  const settings = found as Active;
  const { mode, policy, checks } = settings;
  const beside = JSON.stringify({ policy, checks });
  const digest = await doors.compute.run(digestContent, { content, beside }, { urgency: 'answer' });
  // Again below: this one spares the service from keeping what it refuses.
  if (mode === 'refuse') refuseKnown(await store.findVerdict(doors.db, accountId, digest), offered);
  return async (tx: Sql, { id: messageId, recipients }: { id: string; recipients: number }) => {
    const verdict = await verdictOf(doors, tx, { ...offered, digest, sampleId: messageId, settings });
    if (mode === 'refuse') refuseKnown(verdict, offered);
    const state = stateOf(settings, verdict);
    const isHeld = state === 'checking' || state === 'held';
    if (isHeld) await requireRoom(tx, offered);
    await insertGated(tx, accountId, {
      messageId,
      domain,
      verdictId: verdict?.id ?? null,
      mode,
      state,
      recipients,
      sizeBytes,
      createdAt: now,
      heldUntil: isHeld ? new Date(now.getTime() + HELD_MS) : null,
    });
    return { isHeld };
  };
}
