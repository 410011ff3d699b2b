// Test buttons: a made-up alert, sent at once, once.
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { newUuid } from '../../../platform/ids/index.ts';
import { isSuccess, type Attempt } from '../../../platform/posting/index.ts';
import { postAlert, tried } from './deliver.ts';
import { sendEmail } from './email.ts';
import type { AlertEvent } from './contract.ts';
import type { EventData } from './outbox-store.ts';
import { readChannelIds, readEmails, readEvent, readUrl, type Doors } from './settings.ts';
import { countTest } from './settings-store.ts';
import { postToSlack } from './slack.ts';

const HOUR_MS = 3_600_000;
/** Nobody's mailbox is filled with tests. */
const TESTS_MAX = 30;

/** Counts a test, of all processes together. Throws `too_many_requests`. */
async function admit({ db, clock, principal }: Doors): Promise<void> {
  const now = clock.now();
  const { made, since } = await countTest(db, principal.accountId, {
    now,
    hourAgo: new Date(now.getTime() - HOUR_MS),
  });
  if (made <= TESTS_MAX) return;
  const seconds = Math.ceil((since.getTime() + HOUR_MS - now.getTime()) / 1000);
  throw new AppError('too_many_requests', `An account sends ${TESTS_MAX} test alerts an hour at most.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

const OF_ADDRESS = { ip: '192.0.2.1', blocklist: 'Example blocklist' };
const OF_DOMAIN = { domain: 'example.com', blocklist: 'Example blocklist' };
const SAMPLES: Partial<Record<AlertEvent, { message: string; [field: string]: unknown }>> = {
  ip_listed: { ...OF_ADDRESS, message: 'IP 192.0.2.1 was blocklisted by Example blocklist' },
  ip_delisted: { ...OF_ADDRESS, message: 'IP 192.0.2.1 was removed by Example blocklist' },
  domain_listed: { ...OF_DOMAIN, message: 'Domain example.com was blocklisted by Example blocklist' },
  domain_delisted: { ...OF_DOMAIN, message: 'Domain example.com was removed by Example blocklist' },
};

/** An alert that nothing happened for; it says so. */
function sampleOf(event: AlertEvent, now: Date): EventData {
  const { message, ...fields } = SAMPLES[event] ?? { message: `An alert of the type ${event}` };
  return {
    ...fields,
    id: newUuid(),
    timestamp: now.toISOString(),
    log_level: 'warn',
    event,
    count: 1,
    is_over: event === 'ip_delisted' || event === 'domain_delisted',
    is_test: true,
    message: `Test: ${message}`,
  };
}

/** Throws `invalid_request` when the test was not taken. */
function confirm(field: string, target: string, made: Attempt): void {
  if (isSuccess(made.code)) return;
  throw new AppError('invalid_request', `${target.slice(0, 200)} did not take the test alert: ${made.message}`, {
    details: { field },
  });
}

/** Throws `invalid_request` and `too_many_requests`, as those below. */
export async function testWebhook(doors: Doors, asked: { event_type: string; url: string }): Promise<void> {
  const event = readEvent(asked.event_type);
  const url = readUrl(doors, 'url', asked.url);
  await admit(doors);
  const { accountId } = doors.principal;
  const data = sampleOf(event, doors.clock.now());
  confirm('url', url, await tried(doors.clock, () => postAlert(doors, { accountId, url, data })));
}

/** Sends one to each address. */
export async function testEmail(
  doors: Doors & Pick<Outside, 'mailer'>,
  asked: { event_type: string; emails: readonly string[] },
): Promise<void> {
  const event = readEvent(asked.event_type);
  const emails = readEmails('emails', asked.emails);
  await admit(doors);
  const alerts = [sampleOf(event, doors.clock.now())];
  const made = await Promise.all(emails.map(async (to) => ({ to, made: await sendEmail(doors, { to, alerts }) })));
  for (const one of made) confirm('emails', one.to, one.made);
}

/** Sends one to each channel, or to the URL. */
export async function testSlack(
  doors: Doors,
  asked: { event_type: string; channel_ids?: readonly string[]; url?: string },
): Promise<void> {
  const event = readEvent(asked.event_type);
  const url = asked.url === undefined ? undefined : readUrl(doors, 'url', asked.url);
  const targets = url === undefined ? readChannelIds('channel_ids', asked.channel_ids ?? []) : [url];
  await admit(doors);
  const { accountId } = doors.principal;
  const alerts = [sampleOf(event, doors.clock.now())];
  const settings = url === undefined ? {} : { url };
  for (const target of targets)
    confirm(
      url === undefined ? 'channel_ids' : 'url',
      target,
      await tried(doors.clock, () => postToSlack(doors, { accountId, settings, target, alerts })),
    );
}
