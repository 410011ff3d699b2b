// Local receivers: what comes in for one of their addresses is authenticated, judged and filed, and only then answered.
import { decidePlacement, type PlacementVerdict, type Receiver } from '../../../engines/receivers/index.ts';
import type { MailReceiver, Outside } from '../../../platform/feature/index.ts';
import { SmtpRefusal, type SmtpEnvelope } from '../../../platform/mail/index.ts';
import { mailDate } from '../../../platform/times/index.ts';
import { examineOnce, filterSummaries, isOwnAddress, placementInput, type Examination } from './examine.ts';
import { findReceiver, hostOf, receiverAt } from './providers.ts';
import { settleDelivery } from './settle.ts';
import * as store from './store.ts';
import { takeToken } from './token.ts';
import type { ReceptionReport, SeedDelivery, Settlement } from './store.ts';

/** Of a copy; a hostile message may have any number. */
const HEADERS_KEPT = 200;

/** What a kind of test may add about addresses at local receivers. */
export interface AddressBook {
  kind: string;
  /** Addresses that take mail although no delivery to them is under way. */
  owns?(outside: Pick<Outside, 'db'>, email: string): Promise<boolean>;
  /**
   * A message that no test sent: a test may be made of it. Answers the token of its delivery; undefined drops the
   * message. Throws an `SmtpRefusal` where it is not taken now.
   */
  adopt?(
    outside: Pick<Outside, 'db' | 'compute' | 'clock' | 'facts'>,
    message: { raw: Buffer; email: string; envelope: SmtpEnvelope },
  ): Promise<string | undefined>;
}

/** The listener's side of a kind of test. */
export function localReceivers(book: AddressBook): MailReceiver {
  return {
    name: `local receivers of ${book.kind} tests`,
    async accepts(outside, address) {
      const email = address.toLowerCase();
      if (!receiverAt(outside, email)) return false;
      return (await store.hasAddress(outside.db, book.kind, email)) || ((await book.owns?.(outside, email)) ?? false);
    },
    async receive(outside, raw, envelope) {
      const { token, rest } = takeToken(raw);
      const refusals: SmtpRefusal[] = [];
      for (const recipient of envelope.recipients) {
        const email = recipient.toLowerCase();
        const delivery = await findOpen(outside, book, { raw, token, email, envelope });
        if (!delivery) noteLate(outside, book, envelope);
        const refusal = delivery && (await file(outside, delivery, { raw: rest, envelope }));
        if (refusal) refusals.push(refusal);
      }
      // One reply covers all recipients; recipients that took the message keep it.
      if (refusals.length === envelope.recipients.length && refusals[0]) throw refusals[0];
    },
  };
}

/**
 * No test waits for it, as when its test was deleted while it was on its way. The sender did nothing wrong, so that it
 * is told 250.
 */
function noteLate(
  { log, metrics }: Pick<Outside, 'log' | 'metrics'>,
  { kind }: AddressBook,
  { remoteAddress }: SmtpEnvelope,
): void {
  metrics.count('galley_late_mail_total', { kind });
  log.info({ kind, remoteAddress }, 'a message came that no test waits for any more, and was dropped');
}

async function findOpen(
  outside: Pick<Outside, 'db' | 'compute' | 'clock' | 'facts'>,
  book: AddressBook,
  message: { raw: Buffer; token: string | undefined; email: string; envelope: SmtpEnvelope },
): Promise<SeedDelivery | undefined> {
  const { token, email } = message;
  const named = token === undefined ? undefined : await store.findDelivery(outside.db, token);
  if (named?.email === email && named.kind === book.kind) return named;
  // Every token was given out with a delivery: the test of this one is gone.
  if (token !== undefined && !named) return undefined;
  const adopted = await book.adopt?.(outside, message);
  return adopted === undefined ? undefined : store.findDelivery(outside.db, adopted);
}

/**
 * Files a message; an answer other than 250 is returned. A message that was filed before is counted as a copy, no more.
 */
async function file(
  outside: Pick<Outside, 'config' | 'db' | 'jobs' | 'compute' | 'dns' | 'filters' | 'clock'>,
  delivery: SeedDelivery,
  { raw, envelope }: { raw: Buffer; envelope: SmtpEnvelope },
): Promise<SmtpRefusal | undefined> {
  const receiver = findReceiver(delivery.seedId);
  if (!receiver) return new SmtpRefusal(550, '5.1.1 This receiver is not there any more');
  if (delivery.settledAt !== null) {
    await store.countCopy(outside.db, delivery.token);
    return undefined;
  }
  const examined = await examineOnce(outside, raw, {
    ip: envelope.remoteAddress,
    helo: envelope.helo,
    mailFrom: envelope.from,
    recipient: delivery.email,
    receivedBy: hostOf(outside, receiver),
    isEncrypted: envelope.isEncrypted ? true : isOwnAddress(envelope.remoteAddress) ? null : false,
    assumed: delivery.envelope,
  });
  // The attempt under way is counted already.
  const verdict = decidePlacement(receiver, placementInput(examined, Math.max(0, delivery.attempts - 1)));
  if (verdict.placement === 'deferred') return refusalOf(verdict);
  const settlement = settlementOf(verdict, {
    receivedAt: outside.clock.now(),
    report: reportOf(outside, receiver, { examined, verdict }),
  });
  const isFirst = await settleDelivery(outside, delivery.token, settlement);
  if (!isFirst) await store.countCopy(outside.db, delivery.token);
  return verdict.placement === 'rejected' ? refusalOf(verdict) : undefined;
}

function refusalOf({ smtpReply }: PlacementVerdict): SmtpRefusal {
  return new SmtpRefusal(smtpReply.code, `${smtpReply.enhanced} ${smtpReply.text}`);
}

function settlementOf(
  verdict: PlacementVerdict,
  { receivedAt, report }: { receivedAt: Date; report: ReceptionReport },
): Settlement {
  const reason = verdict.reasons[0]?.message ?? null;
  if (verdict.placement === 'rejected') return { state: 'bounced', reason, report };
  const placement = verdict.placement === 'deferred' ? 'inbox' : verdict.placement;
  return { state: 'delivered', placement, category: verdict.category, reason, receivedAt, copies: 1, report };
}

function reportOf(
  outside: Pick<Outside, 'config' | 'clock'>,
  receiver: Receiver,
  { examined, verdict }: { examined: Examination; verdict: PlacementVerdict },
): ReceptionReport {
  const { authentication, headerFields, judged, mail } = examined;
  const own = headerFields
    .split(/\r\n(?![ \t])/)
    .filter(Boolean)
    .map((field) => {
      const colon = field.indexOf(':');
      return {
        name: field.slice(0, colon),
        value: field
          .slice(colon + 1)
          .replace(/\r\n/g, '')
          .trim(),
      };
    });
  const tls = examined.isEncrypted ? ' (encrypted)' : '';
  const received = {
    name: 'Received',
    value:
      `from ${judged.helo} (${judged.reverseDns ?? 'unknown'} [${judged.ip ?? 'this machine'}]) by ` +
      `${hostOf(outside, receiver)}${tls}; ${mailDate(outside.clock.now())}`,
  };
  return {
    headers: [...own, received, ...mail.headerList].slice(0, HEADERS_KEPT),
    originatingIp: judged.ip,
    authentication,
    stated: null,
    verdict,
    filters: filterSummaries(examined),
    folders: [
      verdict.placement === 'category'
        ? (verdict.category ?? 'category')
        : verdict.placement === 'rejected'
          ? ''
          : verdict.placement,
    ].filter(Boolean),
    tags: [],
  };
}
