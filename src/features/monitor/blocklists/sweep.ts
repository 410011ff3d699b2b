// A sweep: takes what is due, tests the lists that it needs, asks them, and writes down what follows.
import type { Asset, AssetKind, Blocklist, Verdict } from '../../../engines/blocklists/index.ts';
import { askAll, probe, probeAgain, reasonOf, type Asking, type Probe } from './ask.ts';
import { dayOf, needKey, takeQuestions, type Need } from './budget.ts';
import type { Found, SweepDoors } from './found.ts';
import { askedLists } from './lists.ts';
import { settle } from './settle.ts';
import { listListings, type Listing, type Target } from './store.ts';
import * as store from './sweep-store.ts';

/** What one round holds in memory. */
const TARGETS_AT_ONCE = 1000;
/** A process that dies in a sweep leaves its targets to others after this. */
const LEASE_MS = 15 * 60_000;
/** A list that was tested is believed for so long. */
const BELIEVED_MS = 10 * 60_000;
/** Questions of a test. */
const TEST_QUESTIONS = 4;

/** A domain may be asked under two names. */
const namesOf = (kind: AssetKind): number => (kind === 'domain' ? 2 : 1);

const keyOf = ({ kind, name }: Asset): string => `${kind} ${name}`;

/** Which lists are asked about which assets: all where it is time, those with a listing in doubt for a second look. */
function planOf(
  targets: readonly Target[],
  { lists, listings, now }: { lists: readonly Blocklist[]; listings: Map<string, Listing[]>; now: Date },
): (Need & { assets: Asset[] })[] {
  /** One object for each, whoever watches it: what its names are is found once. */
  const assets = new Map<string, Asset>();
  const due = new Set<Asset>();
  const again = new Map<string, Set<Asset>>();
  for (const target of targets) {
    const asset = assets.get(keyOf(target)) ?? { kind: target.kind, name: target.name };
    assets.set(keyOf(target), asset);
    if (target.dueAt <= now) due.add(asset);
    else
      for (const { zone, state } of listings.get(target.id) ?? [])
        if (state !== 'listed') again.set(zone, (again.get(zone) ?? new Set()).add(asset));
  }
  const ofKind = Map.groupBy(due, ({ kind }) => kind);
  return lists.flatMap((list) => {
    const doubted = [...(again.get(list.zone) ?? [])].filter((asset) => !due.has(asset));
    return list.kinds.flatMap((kind) => {
      const all = [...(ofKind.get(kind) ?? []), ...doubted.filter((asset) => asset.kind === kind)];
      return all.length ? [{ list, kind, assets: all, questions: all.length * namesOf(kind) }] : [];
    });
  });
}

/** Tests lists within their budgets. */
async function testOnce(doors: SweepDoors, needs: readonly Need[]) {
  const taken = await takeQuestions(
    doors,
    needs.map((need) => ({ ...need, questions: TEST_QUESTIONS })),
  );
  return Promise.all(
    needs.map(async ({ list, kind }) => {
      const isAllowed = taken.get(needKey(list, kind)) === TEST_QUESTIONS;
      const found: Probe = isAllowed ? await probe(doors, list, kind) : { isLive: false, why: OVER_BUDGET };
      return { zone: list.zone, kind, ...found };
    }),
  );
}

/** Tests the lists whose last test is too old; answers what is known of each. */
async function testLists(doors: SweepDoors, needed: readonly Need[]): Promise<Map<string, Probe>> {
  const now = doors.clock.now();
  const known = new Map((await store.listHealth(doors.db)).map((row) => [needKey(row, row.kind), row]));
  const probes = new Map<string, Probe>(known);
  const isFresh = ({ list, kind }: Need): boolean => {
    const probedAt = known.get(needKey(list, kind))?.probedAt;
    return !!probedAt && Math.abs(now.getTime() - probedAt.getTime()) < BELIEVED_MS;
  };
  const stale = needed.filter((need) => !isFresh(need));
  const first = await testOnce(doors, stale);
  // What came late is asked once more.
  const late = new Set(first.filter(({ isLate }) => isLate).map((row) => needKey(row, row.kind)));
  const second = await testOnce(
    doors,
    stale.filter(({ list, kind }) => late.has(needKey(list, kind))),
  );
  const tested = [...first.filter((row) => !late.has(needKey(row, row.kind))), ...second].map(
    ({ zone, kind, isLive, why }) => ({ zone, kind, isLive, why, probedAt: doors.clock.now(), day: dayOf(now) }),
  );
  await store.saveHealth(doors.db, tested);
  for (const row of tested) probes.set(needKey(row, row.kind), row);
  return probes;
}

const OVER_BUDGET = 'was not asked: its questions of today are used up';

/** What lists say of assets in one round, and what of it is asked once more. */
class Notes {
  private readonly byAsset = new Map<Asset, Found>();
  private late: Hit[] = [];
  private listed: Hit[] = [];

  readonly add = (list: Blocklist, asset: Asset, verdict: Verdict): void => {
    let known = this.byAsset.get(asset);
    if (!known) this.byAsset.set(asset, (known = { verdicts: new Map(), reasons: new Map() }));
    known.verdicts.set(list.zone, verdict);
    if (verdict.state === 'listed') this.listed.push({ list, asset });
    if (verdict.state === 'unknown' && verdict.isLate) this.late.push({ list, asset });
  };

  /** What did not come in time since this was asked. */
  takeLate(): Hit[] {
    return this.late.splice(0);
  }

  /** What is listed. */
  hits(): Hit[] {
    return this.listed.filter(
      ({ list, asset }) => this.byAsset.get(asset)?.verdicts.get(list.zone)?.state === 'listed',
    );
  }

  /** By kind and name. */
  found(): Map<string, Found> {
    return new Map([...this.byAsset].map(([asset, found]) => [keyOf(asset), found]));
  }
}

/** A list's word about an asset. */
interface Hit {
  list: Blocklist;
  asset: Asset;
}

/** The same by list and kind: what is asked of each. */
function needsOf(hits: readonly Hit[], questions: (assets: readonly Asset[], kind: AssetKind) => number) {
  return [...Map.groupBy(hits, ({ list, asset }) => needKey(list, asset.kind)).values()].map((own) => {
    const { list, asset } = own[0]!;
    const assets = own.map((hit) => hit.asset);
    return { list, kind: asset.kind, assets, questions: questions(assets, asset.kind) };
  });
}

/** Asks about all of it; answers what was found, by kind and name. */
async function lookAt(
  doors: SweepDoors,
  needs: readonly (Need & { assets: Asset[] })[],
  signal: AbortSignal,
): Promise<Map<string, Found>> {
  const notes = new Notes();
  const tested = await testLists(doors, needs);
  const believed = needs.filter(({ list, kind }) => tested.get(needKey(list, kind))?.isLive);
  const granted = await takeQuestions(doors, believed);
  const askings: Asking[] = [];
  for (const { list, kind, assets } of needs) {
    const test = tested.get(needKey(list, kind));
    const share = test?.isLive ? (granted.get(needKey(list, kind)) ?? 0) : 0;
    const asked = assets.slice(0, Math.floor(share / namesOf(kind)));
    askings.push({ list, assets: asked });
    const why = test?.isLive ? OVER_BUDGET : (test?.why ?? OVER_BUDGET);
    for (const asset of assets.slice(asked.length)) notes.add(list, asset, { state: 'unknown', why });
  }
  await askAll(doors, askings, { found: notes.add, signal });
  await askLate(doors, notes, signal);
  await doubtNew(doors, notes);
  return notes.found();
}

/** Asks once more, within the budgets, what did not come in time: answers are lost on the way. */
async function askLate(doors: SweepDoors, notes: Notes, signal: AbortSignal): Promise<void> {
  const needs = needsOf(notes.takeLate(), (assets, kind) => assets.length * namesOf(kind));
  if (needs.length === 0) return;
  const granted = await takeQuestions(doors, needs);
  const again = needs.map(({ list, kind, assets }) => {
    const share = granted.get(needKey(list, kind)) ?? 0;
    return { list, assets: assets.slice(0, Math.floor(share / namesOf(kind))) };
  });
  await askAll(doors, again, { found: notes.add, signal });
}

/** A list that says "listed" is tested once more: it may have begun to list the world since its test. */
async function doubtNew(doors: SweepDoors, notes: Notes): Promise<void> {
  const doubted = needsOf(notes.hits(), () => 1);
  if (doubted.length === 0) return;
  const granted = await takeQuestions(doors, doubted);
  await Promise.all(
    doubted.map(async ({ list, kind, assets }) => {
      const isAllowed = granted.get(needKey(list, kind)) === 1;
      const { isLive, why } = isAllowed ? await probeAgain(doors, list, kind) : { isLive: false, why: OVER_BUDGET };
      if (isLive) return;
      await store.saveHealth(doors.db, [
        { zone: list.zone, kind, isLive, why, probedAt: doors.clock.now(), day: dayOf(doors.clock.now()) },
      ]);
      for (const asset of assets) notes.add(list, asset, { state: 'unknown', why });
    }),
  );
}

/** Asks lists for words about listings that are about to be told. */
async function askReasons(
  doors: SweepDoors,
  {
    targets,
    listings,
    found,
    lists,
  }: {
    targets: readonly Target[];
    listings: Map<string, Listing[]>;
    found: Map<string, Found>;
    lists: readonly Blocklist[];
  },
): Promise<void> {
  const byZone = new Map(lists.map((list) => [list.zone, list]));
  for (const target of targets)
    for (const { zone, state } of listings.get(target.id) ?? []) {
      const known = found.get(keyOf(target));
      const list = byZone.get(zone);
      if (!list || !known || state !== 'suspected' || known.verdicts.get(zone)?.state !== 'listed') continue;
      if (known.reasons.has(zone)) continue;
      const need = { list, kind: target.kind, questions: namesOf(target.kind) };
      const isAllowed = (await takeQuestions(doors, [need])).get(needKey(list, target.kind)) === need.questions;
      known.reasons.set(zone, isAllowed ? await reasonOf(doors, list, target) : null);
    }
}

/** One round, but for writing down what follows, which `settle` does. Undefined: nothing is due. */
async function lookAround(
  doors: SweepDoors,
  signal: AbortSignal,
): Promise<{ count: number; settle: () => Promise<void> } | undefined> {
  const now = doors.clock.now();
  const until = new Date(now.getTime() + LEASE_MS);
  const targets = await store.takeDue(doors.db, now, { until, limit: TARGETS_AT_ONCE });
  if (targets.length === 0) return undefined;
  const lists = askedLists(doors);
  const ids = targets.map(({ id }) => id);
  const listings = Map.groupBy(await listListings(doors.db, ids), ({ targetId }) => targetId);
  const found = await lookAt(doors, planOf(targets, { lists, listings, now }), signal);
  await askReasons(doors, { targets, listings, found, lists });
  return {
    count: targets.length,
    settle: () => settle(doors, { targets, found: (target) => found.get(keyOf(target)), lists, now }),
  };
}

/**
 * Sweeps until nothing is due, or `signal` ends it. What a round found is written down while the next one asks: the
 * database and the name servers work at the same time.
 */
export async function sweepAll(doors: SweepDoors, signal: AbortSignal): Promise<void> {
  let settling: Promise<void> | undefined;
  try {
    for (let isMore = true; isMore && !signal.aborted;) {
      const looking = lookAround(doors, signal);
      await Promise.allSettled([looking, settling]);
      await settling;
      const round = await looking;
      settling = round?.settle();
      isMore = (round?.count ?? 0) > 0;
    }
  } finally {
    await settling;
  }
}
