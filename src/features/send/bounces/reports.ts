import { isHardBounce, type Report } from '../../../engines/bounces/index.ts';
import type { NewEvent } from '../../../platform/event-log/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { tellEvents } from '../deliveries/index.ts';
import { listFacts } from '../messages/index.ts';
import { readReturned } from './computations.ts';
import { noteReturned } from './store.ts';

export interface DeliveryName {
  messageId: string;
  position: number;
}

type Told = Pick<NewEvent, 'event' | 'severity' | 'reason' | 'code' | 'about'>;

/** What a report of servers tells; undefined unless it says that the delivery failed for good. */
function bounceOf({ recipients }: Extract<Report, { kind: 'bounce' }>): Told | undefined {
  const failed = recipients.find(({ action }) => action === 'failed');
  if (!failed) return undefined;
  const { enhanced, code = Number(`${enhanced?.[0] ?? '5'}50`), text, host } = failed;
  const status = {
    code,
    ...(enhanced !== undefined && { 'enhanced-code': enhanced }),
    message: text,
    description: 'Reported after the message had been taken.',
    ...(host !== undefined && { 'mx-host': host }),
    'bounce-type': isHardBounce({ code, enhanced, text }) ? 'hard' : 'soft',
  };
  const about = { 'delivery-status': status, 'is-delayed-bounce': true };
  return { event: 'failed', severity: 'permanent', reason: 'bounce', code, about };
}

/**
 * Reads what came back for a delivery and tells it, once of each kind: a bounce, if it comes from a server (the empty
 * sender, RFC 3464 §2), or a complaint. Everything else, such as the answer of somebody who is away, tells nothing.
 */
export async function receiveReport(
  outside: Pick<Outside, 'db' | 'clock' | 'compute' | 'events' | 'lists' | 'log' | 'facts' | 'jobs'>,
  raw: Buffer,
  { delivery, isFromServer }: { delivery: DeliveryName; isFromServer: boolean },
): Promise<void> {
  const { db, clock, log } = outside;
  const { messageId, position } = delivery;
  const report = await outside.compute.run(readReturned, raw);
  const isComplaint = report.kind === 'complaint' && report.type !== 'not-spam';
  const told: Told | undefined = isComplaint
    ? { event: 'complained', about: {} }
    : report.kind === 'bounce' && isFromServer
      ? bounceOf(report)
      : undefined;
  const [message] = told ? await listFacts(db, [messageId]) : [];
  const recipient = message?.recipients[position];
  if (!told || !message || recipient === undefined) {
    log.info({ messageId, kind: report.kind, isFromServer }, 'what came back for a message tells nothing of it');
    return;
  }
  const { accountId, domain } = message;
  await db.tx(async (tx) => {
    const at = clock.now();
    const kind = isComplaint ? 'complaint' : 'bounce';
    if (!(await noteReturned(tx, accountId, { messageId, position, kind, at }))) return;
    const event: NewEvent = { ...told, at, accountId, domain, recipient: recipient.toLowerCase(), messageId, position };
    await tellEvents(outside, tx, [event]);
  });
}
