// The log of deliveries and what may be done with it: read, replay, test, and enable a URL again.
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { pivotPaging, type PivotPage } from '../../../platform/paging/index.ts';
import { isSuccess } from '../../../platform/posting/index.ts';
import { readTime } from '../../../platform/times/index.ts';
import { sandboxNameOf } from '../sending-domains/index.ts';
import { getSigningKey } from '../signing-keys/index.ts';
import { REPLAYED_MAX } from './delivery-contract.ts';
import * as log from './log-store.ts';
import type { LoggedDelivery, LogFilter } from './log-store.ts';
import { lockUrl, saveStanding } from './outbox-store.ts';
import { postEvent } from './post.ts';
import { sampleEvent } from './samples.ts';
import { standingAfter } from './schedule.ts';
import * as store from './store.ts';
import { readKind, type Doors } from './subscriptions.ts';
import { readUrl } from './urls.ts';

interface AskedFilter {
  url?: string | undefined;
  event_type?: string | undefined;
  state?: LogFilter['state'];
  begin?: string | undefined;
  end?: string | undefined;
}

/** Throws `invalid_request`. */
function filterOf({ url, event_type: kind, state, begin, end }: AskedFilter): LogFilter {
  return {
    url,
    kind: kind === undefined ? undefined : readKind('event_type', kind),
    state,
    begin: readTime('begin', begin),
    end: readTime('end', end),
  };
}

function deliveryView(delivery: LoggedDelivery) {
  const { id, url, kind, domain, eventId, eventAt, state, isTest, replayOf, createdAt, dueAt, attempts } = delivery;
  return {
    id,
    url,
    event_type: kind,
    domain,
    event_id: isTest ? '' : eventId,
    event_at: eventAt.toISOString(),
    state,
    is_test: isTest,
    ...(replayOf !== null && { replay_of: replayOf }),
    created_at: createdAt.toISOString(),
    ...(state === 'waiting' && { next_attempt_at: dueAt.toISOString() }),
    attempts: attempts.map(({ at, code, message, tookMs, answer }) => ({
      at,
      ...(code !== null && { code }),
      message,
      took_ms: tookMs,
      answer,
    })),
  };
}

const PIVOT = 'delivery_id';
/** Of a bigint. */
const ID = /^\d{1,18}$/;

/** A page of the log, newest first. */
export async function listDeliveries(
  doors: Doors,
  { page, limit, delivery_id: pivot, ...asked }: AskedFilter & Omit<PivotPage, 'pivot'> & { delivery_id?: string },
) {
  const filter = filterOf(asked);
  const isBeside = page === 'next' || page === 'previous';
  if (isBeside && (pivot === undefined || !ID.test(pivot)))
    throw invalid(PIVOT, 'must be the id of a delivery where page is next or previous.');
  const place = { page, ...(isBeside && { at: [pivot!] }) };
  const items = await log.listDeliveries(doors.db, doors.principal.accountId, { filter, place, limit });
  const shown = items.map(({ id }) => id);
  const url = `${doors.baseUrl}/v1/galley/webhooks/deliveries`;
  return {
    items: items.map(deliveryView),
    paging: pivotPaging(url, { name: PIVOT, page: { page, limit, pivot }, shown, conditions: { ...asked } }),
  };
}

async function getDelivery({ db, principal }: Doors, id: string): Promise<LoggedDelivery> {
  const found = ID.test(id) ? await log.findDelivery(db, principal.accountId, id) : undefined;
  if (!found) throw new AppError('not_found', 'Webhook delivery not found');
  return found;
}

/** Sends one delivery again, as a delivery of its own. Throws `not_found` and `conflict`. */
export async function replayOne(doors: Doors, id: string) {
  const { db, clock, principal } = doors;
  const { accountId } = principal;
  const delivery = await getDelivery(doors, id);
  if (delivery.isTest) throw new AppError('conflict', 'A test is not repeated; test the URL again.');
  if (delivery.state === 'waiting')
    throw new AppError('conflict', 'The delivery is still waiting for its next attempt.');
  const url = (await store.listUrls(db, accountId)).find((one) => one.id === delivery.urlId);
  if (!url) throw new AppError('conflict', 'No webhook has this URL any more.');
  if (url.disabledAt) throw new AppError('conflict', 'The URL is disabled; enable it first.');
  const now = clock.now();
  const [again] = await log.insertReplays(db, accountId, { deliveries: [delivery], now });
  return deliveryView(await getDelivery(doors, again as string));
}

/** Sends a stretch of deliveries again, the oldest first, a bounded number at once. */
export async function replayMany(doors: Doors, asked: AskedFilter) {
  const { db, clock, principal } = doors;
  const { accountId } = principal;
  const filter = filterOf({ state: 'failed', ...asked });
  if (filter.state === 'waiting') throw invalid('state', 'must not be waiting: such deliveries are sent anyway.');
  const now = clock.now();
  const count = await db.tx(async (tx) => {
    await tx.lock(`webhook replays ${accountId}`);
    const deliveries = await log.listRepeatable(tx, accountId, { filter, limit: REPLAYED_MAX });
    return (await log.insertReplays(tx, accountId, { deliveries, now })).length;
  });
  return { replayed: count, left: await log.countRepeatable(db, accountId, filter) };
}

type TestDoors = Doors & Pick<Context, 'fetch'>;

/** Posts a test event at once, once, and keeps it in the log. */
export async function testUrl(
  doors: TestDoors,
  asked: { url: string; kind: string; field: string; domain?: string | undefined },
) {
  const { db, clock, principal, baseUrl } = doors;
  const { accountId } = principal;
  const kind = readKind(asked.field, asked.kind);
  const { url, host } = readUrl(doors, asked.url);
  const domain = asked.domain ?? sandboxNameOf(doors, accountId);
  const now = clock.now();
  const key = await getSigningKey(doors, accountId);
  const attempt = await postEvent(doors, { url, key, event: sampleEvent(kind, { domain, now }) });
  const isTaken = isSuccess(attempt.code);
  await db.tx(async (tx) => {
    const urlId = await store.keepTestedUrl(tx, accountId, { url, host, baseUrl, createdAt: now });
    await log.insertTest(tx, accountId, { urlId, kind, domain, isTaken, attempt, now });
    // A test that fails says nothing about how events arrive; one that is taken says that they would.
    const before = isTaken ? await lockUrl(tx, accountId, urlId) : undefined;
    if (before)
      await saveStanding(tx, accountId, {
        urlId,
        last: attempt,
        succeededAt: now,
        standing: standingAfter(before, [attempt], now),
      });
  });
  return { code: attempt.code ?? 0, message: attempt.message, answer: attempt.answer, took_ms: attempt.tookMs };
}

type ListedUrl = Awaited<ReturnType<typeof store.listUrls>>[number];

/** From this many failures in a row on, a URL is asked once at a time. */
function stateOf({ disabledAt, pausedAt, failures }: ListedUrl) {
  if (disabledAt) return 'disabled' as const;
  if (pausedAt) return 'paused' as const;
  return failures > 0 ? ('failing' as const) : ('active' as const);
}

function urlView(listed: ListedUrl) {
  const { url, failures, waiting, dropped, last, succeededAt, pausedAt, probeAt, disabledAt } = listed;
  return {
    url,
    state: stateOf(listed),
    failures,
    waiting: waiting ?? 0,
    dropped,
    ...(last && {
      last_attempt: { at: last.at, ...(last.code !== null && { code: last.code }), message: last.message },
    }),
    ...(succeededAt && { succeeded_at: succeededAt.toISOString() }),
    ...(pausedAt && { paused_at: pausedAt.toISOString() }),
    ...(pausedAt && probeAt && { next_probe_at: probeAt.toISOString() }),
    ...(disabledAt && { disabled_at: disabledAt.toISOString() }),
  };
}

/** The URLs that webhooks of the account name. */
export async function listUrls({ db, principal }: Doors) {
  return (await store.listUrls(db, principal.accountId)).map(urlView);
}

/** Events are sent to a URL again that was paused or disabled. Throws `not_found`. */
export async function enableUrl(doors: Doors, url: string) {
  const { db, clock, principal } = doors;
  const find = async () => (await store.listUrls(db, principal.accountId)).find((one) => one.url === url.trim());
  const found = await find();
  if (!found) throw new AppError('not_found', 'No webhook of the account has this URL');
  await db.tx((tx) => store.enableUrl(tx, principal.accountId, { id: found.id, now: clock.now() }));
  return urlView((await find()) ?? found);
}
