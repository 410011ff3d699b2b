// Alerts as an email, from the service itself: by its relay, or straight to the servers of the recipient.
import { composeMessage, newMessageId } from '../../../engines/mime/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { randomText } from '../../../platform/ids/index.ts';
import type { Attempt } from '../../../platform/posting/index.ts';
import type { EventData } from './outbox-store.ts';

export type MailDoors = Pick<Outside, 'config' | 'clock' | 'mailer'>;

const SUBJECT_MAX = 150;
/** Of a digest; how many more there are is said. */
const ALERTS_MAX = 100;
const OK = 250;

const lineOf = (text: string, max: number): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, max);

/** What is listed for one alert; `publicUrl` starts the address of its page. */
function textOf(alert: EventData, publicUrl: string): string {
  const { message, fix, page, is_over: isOver, timestamp, count } = alert;
  const times = count > 1 ? ` It happened ${count} times.` : '';
  return [
    `${isOver ? 'Over: ' : ''}${lineOf(message, 1000)}${times}`,
    `${isOver ? 'Ended' : 'Since'} ${timestamp}`,
    ...(fix !== undefined && !isOver ? [`What to do: ${lineOf(fix, 1000)}`] : []),
    ...(page !== undefined && publicUrl ? [publicUrl + page] : []),
  ].join('\n');
}

/** The words of an email about these alerts. */
function emailOf(alerts: readonly EventData[], publicUrl: string): { subject: string; text: string } {
  const [first] = alerts;
  const words =
    alerts.length === 1 && first
      ? `${first.is_over ? 'Over: ' : ''}${first.message}`
      : `${alerts.length} alerts, ${first?.message ?? ''}`;
  const shown = alerts.slice(0, ALERTS_MAX).map((alert) => textOf(alert, publicUrl));
  const left = alerts.length - shown.length;
  const more = left > 0 ? [`${left} more are listed in Galley under Monitor, Alerts.`] : [];
  const footer = 'You get this email because an alert setting of Galley names your address.';
  return {
    subject: `Galley: ${lineOf(words, SUBJECT_MAX)}`,
    text: [...shown, ...more, `-- \n${footer}`].join('\n\n'),
  };
}

/** Sends one email. Never rejects for what the world does. */
export async function sendEmail(
  { config, clock, mailer }: MailDoors,
  { to, alerts, signal }: { to: string; alerts: readonly EventData[]; signal?: AbortSignal },
): Promise<Attempt & { isFinal?: boolean }> {
  const date = clock.now();
  const { domain } = config.smtp;
  const from = `alerts@${domain}`;
  const { raw } = await composeMessage({
    from: { name: 'Galley alerts', address: from },
    to: [{ name: '', address: to }],
    ...emailOf(alerts, config.publicUrl),
    date,
    messageId: newMessageId({ date, unique: randomText(12), domain }),
    // RFC 3834: nobody answers it by machine.
    headers: [{ name: 'Auto-Submitted', value: 'auto-generated' }],
  });
  const { outcome, reason, elapsedMs, replies } = await mailer.deliver({ from, to, raw, ...(signal && { signal }) });
  const isTaken = outcome === 'delivered';
  return {
    at: date.toISOString(),
    code: isTaken ? OK : (replies.findLast(({ code }) => code >= 400)?.code ?? null),
    message: isTaken ? 'Delivered.' : reason.slice(0, 500),
    tookMs: Math.round(elapsedMs),
    answer: '',
    ...(outcome === 'bounced' && { isFinal: true }),
  };
}
