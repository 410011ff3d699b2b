// Looks into a mailbox for messages that were sent to it, again and again until they are there or their time is over.
import { Type } from 'typebox';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import type { MailboxCopy } from '../../../platform/mailboxes/index.ts';
import { DAY_MS } from '../../../platform/times/index.ts';
import { openSeedMailbox } from './mailboxes.ts';
import { beginVisit, endVisit, findMailboxOfAnyone, noteCheck, noteReceived } from './mailboxes-store.ts';
import { settleDelivery } from './settle.ts';
import { TOKEN_HEADER } from './token.ts';
import { listAwaited, type ReceptionReport, type SeedDelivery, type Settlement } from './store.ts';

/** Longer than a mailbox takes to give up. */
const VISIT_TIMEOUT_MS = 55_000;
const AWAITED_MAX = 200;
/** The longer a message is missing, the less often the mailbox is searched. */
const WAIT_SECONDS = { first: 1, max: 30 };

export const visitMailbox = defineJob({
  name: 'seeds.visit',
  payload: Type.Object({ mailboxId: Type.String() }),
  lane: 'mail',
  urgency: 'bulk',
  partOf: ({ mailboxId }) => mailboxId,
  attempts: 20,
  timeoutMs: VISIT_TIMEOUT_MS,
  async run(outside, { mailboxId }, turn) {
    const { db, clock, jobs } = outside;
    const now = clock.now();
    const busyUntil = await beginVisit(db, mailboxId, { at: now, until: new Date(now.getTime() + VISIT_TIMEOUT_MS) });
    if (busyUntil) {
      // The visitor that is there finds this test's messages too, unless it was killed.
      const startAfterSeconds = Math.ceil((busyUntil.getTime() - now.getTime()) / 1000) + 1;
      const [oldest] = await listAwaited(db, mailboxId, 1);
      if (oldest)
        await jobs.enqueue(db, visitMailbox, {
          payloads: [{ mailboxId }],
          account: oldest.accountId,
          startAfterSeconds,
        });
      return;
    }
    try {
      await look(outside, mailboxId, turn.signal);
    } finally {
      await endVisit(db, mailboxId);
    }
    const [oldest] = await listAwaited(db, mailboxId, 1);
    if (oldest)
      await jobs.enqueue(db, visitMailbox, {
        payloads: [{ mailboxId }],
        account: oldest.accountId,
        startAfterSeconds: waitAfter(oldest, clock.now()),
      });
  },
});

function waitAfter(oldest: SeedDelivery, now: Date): number {
  const seconds = (now.getTime() - (oldest.sentAt ?? now).getTime()) / 1000;
  return Math.round(Math.min(WAIT_SECONDS.max, WAIT_SECONDS.first + seconds / 8));
}

async function look(
  outside: Pick<Outside, 'config' | 'db' | 'jobs' | 'dns' | 'secrets' | 'clock'>,
  mailboxId: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = outside;
  const awaited = await listAwaited(db, mailboxId, AWAITED_MAX);
  const box = await findMailboxOfAnyone(db, mailboxId);
  const giveUp = (reason: string) =>
    Promise.all(awaited.map(({ token }) => settleDelivery(outside, token, { state: 'unknown', reason })));
  if (!box) return void (await giveUp('The mailbox was removed before the message was seen.'));
  if (awaited.length === 0) return;
  const opened = await openSeedMailbox(outside, box);
  const since = new Date(
    Math.min(...awaited.map((one) => (one.firstAttemptAt ?? one.touchedAt).getTime())) - DAY_MS,
  ).toISOString();
  const found = opened.ok
    ? await opened.mailbox.findAll(
        TOKEN_HEADER,
        awaited.map(({ token }) => token),
        { signal, since },
      )
    : opened;
  await noteCheck(db, box, {
    status: found.ok ? 'working' : 'failing',
    message: found.ok ? null : found.message,
    at: clock.now(),
  });
  if (!found.ok) {
    if (!found.isTemporary) await giveUp(`The mailbox cannot be read: ${found.message}`);
    return;
  }
  for (const delivery of awaited) {
    const copies = found.copies.get(delivery.token) ?? [];
    if (copies.length === 0) continue;
    if (delivery.email === box.email.toLowerCase()) await noteReceived(db, box, clock.now());
    await settleDelivery(outside, delivery.token, settlementOf(copies, clock.now()));
  }
}

/** A message in two folders is counted once: where it is read first. */
function settlementOf(copies: readonly MailboxCopy[], now: Date): Settlement {
  const rank = { inbox: 0, category: 1, spam: 2 };
  const [first] = [...copies].sort((a, b) => rank[a.placement] - rank[b.placement]) as [MailboxCopy, ...MailboxCopy[]];
  const folders = copies.map(({ folder }) => folder);
  const reason = copies.length > 1 ? `${copies.length} copies came, in ${folders.join(' and ')}; counted once.` : null;
  return {
    state: 'delivered',
    placement: first.placement,
    category: first.category,
    reason,
    receivedAt: first.receivedAt === null ? now : new Date(first.receivedAt),
    copies: copies.length,
    report: reportOf(first, folders),
  };
}

function reportOf(copy: MailboxCopy, folders: string[]): ReceptionReport {
  return {
    headers: copy.headers.slice(0, 200),
    originatingIp: originatingIp(copy),
    authentication: null,
    stated: statedIn(copy),
    verdict: null,
    filters: [],
    folders,
    tags: copy.tags,
  };
}

/** What the provider itself wrote: the topmost Authentication-Results field, which is its own (RFC 8601 §5). */
function statedIn({ headers }: MailboxCopy): ReceptionReport['stated'] {
  const own = headers.find(({ name }) => name.toLowerCase() === 'authentication-results')?.value;
  if (own === undefined) return null;
  const method = (name: string): string | null =>
    new RegExp(`(?:^|[;\\s])${name}\\s*=\\s*([a-z]+)`, 'i').exec(own)?.[1]?.toLowerCase() ?? null;
  return { spf: method('spf'), dkim: method('dkim'), dmarc: method('dmarc') };
}

/** The first address from outside in the provider's own Received fields. */
function originatingIp({ headers }: MailboxCopy): string | null {
  for (const { name, value } of headers) {
    if (name.toLowerCase() !== 'received') continue;
    const address = /\[(?:IPv6:)?([0-9a-f.:]+)\]/i.exec(value)?.[1];
    if (address && !/^(127\.|10\.|192\.168\.|::1$)/.test(address)) return address;
  }
  return null;
}
