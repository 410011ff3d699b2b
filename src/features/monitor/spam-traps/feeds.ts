// Feeds of hits: added, read once a day, and told of when somebody must renew the access.
import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { readSpreadsheetAsJson } from '../../../platform/spreadsheets/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { raiseAlert } from '../alerts/index.ts';
import { ask, readUrl, Refusal, type RefusalKind } from '../postmaster/index.ts';
import { readJsonFeed, readRows } from './computations.ts';
import { FEEDS_MAX } from './feeds-contract.ts';
import * as store from './feeds-store.ts';
import { plain } from './hits.ts';
import { keepReport } from './keep-report.ts';
import type { SheetHits } from './sheet.ts';

type Doors = Pick<Context, 'config' | 'db' | 'secrets' | 'clock' | 'jobs' | 'principal'>;
type ReadDoors = Pick<Outside, 'db' | 'secrets' | 'clock' | 'jobs' | 'fetch' | 'compute'>;

interface Access {
  url: string;
  /** The header Authorization; null where nothing is asked for. */
  authorization: string | null;
}

const FEED_PROOF = 'a feed that this account reads';
const HOUR_MS = 3_600_000;
const PARSE_MS = 20_000;

const purposeOf = (id: string): string => `spam-traps:feed:${id}`;

interface Asked {
  name: string;
  url: string;
  format: store.Feed['format'];
  user?: string;
  password?: string;
  token?: string;
}

/** Throws `invalid_request`. */
function authorizationOf({ user, password, token }: Asked): string | null {
  if ((user === undefined) !== (password === undefined)) throw invalid('user, password:', 'give both, or neither.');
  if (token !== undefined && user !== undefined) throw invalid('token', 'must not stand beside user and password.');
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw invalid('token', 'must be of ASCII characters without spaces.');
  if (user?.includes(':')) throw invalid('user', 'must not contain a colon.');
  if (token !== undefined) return `Bearer ${token}`;
  return user === undefined ? null : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Adds a feed, which is read soon. Throws `invalid_request`, `conflict`. Wakes the jobs. */
export async function addFeed(doors: Doors, asked: Asked, queue: (tx: Doors['db'], id: string) => Promise<void>) {
  const { db, clock, secrets, principal } = doors;
  const url = readUrl(doors, 'url', asked.url);
  const { origin, pathname } = new URL(url);
  const access: Access = { url, authorization: authorizationOf(asked) };
  const id = newId();
  const now = clock.now();
  const feed = {
    id,
    name: plain(asked.name),
    asks: `${origin}${pathname}`,
    format: asked.format,
    sealedAccess: secrets.seal(JSON.stringify(access), purposeOf(id)),
    state: 'waiting' as const,
    problem: null,
    checkedAt: null,
    succeededAt: null,
    dueAt: daysAfter(now, 1),
    createdAt: now,
  };
  await db.tx(async (tx) => {
    await tx.lock(`spam-traps.feeds ${principal.accountId}`);
    if ((await store.listFeeds(tx, principal.accountId)).length >= FEEDS_MAX)
      throw new AppError('conflict', `An account may have at most ${FEEDS_MAX} feeds; remove one first.`);
    await store.insertFeed(tx, principal.accountId, feed);
    await queue(tx as Doors['db'], id);
  });
  doors.jobs.wake();
  return feed;
}

/** Throws `not_found`. */
export async function getFeed(db: Outside['db'], accountId: string, id: string): Promise<store.Feed> {
  const feed = await store.findFeed(db, accountId, id);
  if (!feed) throw notFound('feed', id);
  return feed;
}

/** Removes a feed, and ends what was told of it. Throws `not_found`. */
export async function removeFeed(doors: Doors, id: string): Promise<void> {
  const feed = await getFeed(doors.db, doors.principal.accountId, id);
  await store.deleteFeed(doors.db, feed.accountId, id);
  await tell(doors, feed, { isOver: true, message: `The feed ${feed.name} was removed.` });
  doors.jobs.wake();
}

/** What the provider has now. Throws {@link Refusal}. */
async function fetchHits(doors: ReadDoors, feed: store.Feed, signal: AbortSignal): Promise<SheetHits> {
  const { id, name, format, sealedAccess } = feed;
  const { url, authorization } = JSON.parse(doors.secrets.open(sealedAccess, purposeOf(id))) as Access;
  const who = `The feed ${name}`;
  const { status, body } = await ask(doors, {
    who,
    url,
    signal,
    about: 'spam trap feeds',
    ...(authorization !== null && { authorization }),
  });
  if (status === 401 || status === 403 || status === 410)
    throw new Refusal('expired', `${who} no longer grants access (${status}).`);
  if (status === 204) return { hits: [], skipped: 0, problems: [] };
  if (status !== 200) throw new Refusal('failed', `${who} answered ${status}.`);
  const given = { name: `feed ${id}`, now: doors.clock.now().toISOString(), mayBeEmpty: true };
  try {
    if (format === 'json') return await doors.compute.run(readJsonFeed, { text: body.toString('utf8'), ...given });
    const rows = await readSpreadsheetAsJson(body, { field: 'file', size: 'long', timeoutMs: PARSE_MS });
    return await doors.compute.run(readRows, { rows, ...given });
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    throw new Refusal(
      'failed',
      `${who} answered with what cannot be read as ${format.toUpperCase()}: ${error.message}`,
    );
  }
}

const STATES: Readonly<Record<RefusalKind, store.Feed['state']>> = {
  expired: 'expired',
  limited: 'limited',
  failed: 'failing',
};

async function tell(
  doors: Pick<Outside, 'db' | 'jobs' | 'clock'>,
  { accountId, id }: store.Feed,
  { isOver, message }: { isOver: boolean; message: string },
): Promise<void> {
  await raiseAlert(doors, undefined, {
    accountId,
    event: 'postmaster_access_expired',
    subject: `feed ${id}`,
    data: {
      message,
      provider: 'spam trap feed',
      connection: id,
      page: '/traps',
      ...(!isOver && { fix: 'Remove the feed and add it again with credentials that are valid.' }),
    },
    ...(isOver && { isOver }),
  });
}

/** Reads a feed and keeps its hits; notes how that ended. */
export async function readFeed(
  doors: ReadDoors,
  { accountId, id }: Pick<store.Feed, 'accountId' | 'id'>,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = doors;
  const feed = await store.findFeed(db, accountId, id);
  if (!feed) return;
  const now = clock.now();
  try {
    const { hits, skipped, problems } = await fetchHits(doors, feed, signal);
    await keepReport(doors, accountId, { hits, source: 'feed', sourceName: feed.name, proof: FEED_PROOF });
    const [first] = problems;
    const problem = first
      ? `${skipped} ${skipped === 1 ? 'row' : 'rows'} could not be read; row ${first.row}: ${first.message}`
      : null;
    await store.updateFeed(db, feed, {
      state: 'connected',
      problem,
      checkedAt: now,
      succeededAt: now,
      dueAt: daysAfter(now, 1),
    });
    if (feed.state === 'expired')
      await tell(doors, feed, { isOver: true, message: `The feed ${feed.name} is read again.` });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { kind, message, waitSeconds } = error;
    const dueAt = kind === 'expired' ? daysAfter(now, 1) : new Date(now.getTime() + (waitSeconds ?? 3600) * 1000);
    await store.updateFeed(db, feed, { state: STATES[kind], problem: message, checkedAt: now, dueAt });
    if (kind === 'expired') await tell(doors, feed, { isOver: false, message });
  }
  doors.jobs.wake();
}

const DUE_AT_ONCE = 100;

/** Feeds that are due; nobody else gets them within the hour. */
export function takeDue(tx: Parameters<typeof store.takeDueFeeds>[0], now: Date) {
  return store.takeDueFeeds(tx, { now, until: new Date(now.getTime() + HOUR_MS), limit: DUE_AT_ONCE });
}
