// Writes down what a sweep found: listings that begin and end, events, and when each target is looked at again.
import { createHash } from 'node:crypto';
import type { Blocklist, Verdict } from '../../../engines/blocklists/index.ts';
import type { NewRow, Sql } from '../../../platform/db/index.ts';
import type { Found, SweepDoors } from './found.ts';
import { announce } from './announce.ts';
import { SECOND_LOOK_MS, stepOf } from './history.ts';
import { listListings, type Listing, type SweepResult, type Target } from './store.ts';
import * as store from './sweep-store.ts';

const HOUR_MS = 3_600_000;
/** A sweep that comes by its place in the hour waits for the next hour when the last is younger than this. */
const APART_MS = HOUR_MS / 2;

/** Each target has its own moment in the hour, so that sweeps are spread over it. */
function nextDue({ kind, name }: Pick<Target, 'kind' | 'name'>, now: Date): Date {
  const place = createHash('sha256').update(`${kind} ${name}`).digest().readUInt32BE() % HOUR_MS;
  const thisHour = now.getTime() - (now.getTime() % HOUR_MS) + place;
  const next = [thisHour, thisHour + HOUR_MS, thisHour + 2 * HOUR_MS].find((at) => at - now.getTime() >= APART_MS);
  return new Date(next as number);
}

interface Settling {
  targets: readonly Target[];
  found: (target: Target) => Found | undefined;
  /** Those that are asked. */
  lists: readonly Blocklist[];
  now: Date;
}

function resultOf(verdicts: ReadonlyMap<string, Verdict>): SweepResult {
  const result: Required<SweepResult> = { clean: 0, unknown: {}, allowed: {} };
  for (const [zone, verdict] of verdicts) {
    if (verdict.state === 'clean') result.clean += 1;
    if (verdict.state === 'unknown') result.unknown[zone] = verdict.why;
    if (verdict.state === 'allowed') result.allowed[zone] = verdict.codes.map(({ meaning }) => meaning).join(', ');
  }
  return result;
}

interface Written {
  save: Omit<Listing, 'id'>[];
  drop: string[];
  events: NewRow<'blocklistEvents'>[];
  /** One listing or more waits for its second look. */
  isInDoubt: boolean;
}

/** What follows for one target. */
function follow(
  target: Target,
  { known, found, lists, now }: { known: readonly Listing[]; found: Found; lists: Map<string, Blocklist>; now: Date },
): Written {
  const byZone = new Map(known.map((listing) => [listing.zone, listing]));
  const written: Written = { save: [], drop: [], events: [], isInDoubt: false };
  // A list that is no longer asked says nothing of anybody.
  for (const { id, zone } of known) if (!lists.has(zone)) written.drop.push(id);
  for (const [zone, verdict] of found.verdicts) {
    const before = byZone.get(zone);
    // Nearly all are so, and nothing follows from them.
    if (!before && verdict.state === 'clean') continue;
    const step = stepOf(before, verdict, now);
    const codes = verdict.state === 'listed' ? verdict.codes : (before?.codes ?? []);
    const reason = found.reasons.get(zone) ?? before?.reason ?? null;
    const listName = lists.get(zone)?.name ?? zone;
    if (step.event)
      written.events.push({
        accountId: target.accountId,
        kind: target.kind,
        name: target.name,
        parent: target.parent,
        zone,
        listName,
        event: step.event,
        at: now,
        codes,
        reason,
      });
    if (step.drop && before) written.drop.push(before.id);
    const state = step.state ?? (step.drop ? undefined : before?.state);
    if (state === 'suspected' || state === 'leaving') written.isInDoubt = true;
    if (step.state === undefined) continue;
    written.save.push({
      accountId: target.accountId,
      targetId: target.id,
      zone,
      listName,
      state: step.state,
      codes,
      reason,
      firstSeen: before?.firstSeen ?? now,
      lastSeen: verdict.state === 'listed' ? now : (before?.lastSeen ?? now),
      leftAt: step.state === 'leaving' ? (before?.leftAt ?? now) : null,
      delistRequestedAt: before?.delistRequestedAt ?? null,
      comments: before?.comments ?? [],
    });
  }
  return written;
}

function saved(target: Target, { found, isInDoubt, now }: { found: Found | undefined; isInDoubt: boolean; now: Date }) {
  const isWhole = target.dueAt <= now;
  const dueAt = isWhole ? nextDue(target, now) : target.dueAt;
  const secondLook = new Date(now.getTime() + SECOND_LOOK_MS);
  return {
    ...target,
    checkedAt: isWhole ? now : target.checkedAt,
    dueAt,
    nextAt: isInDoubt && secondLook < dueAt ? secondLook : dueAt,
    result: isWhole && found ? resultOf(found.verdicts) : target.result,
  };
}

/** All of a round in one transaction, with the alerts that follow. */
export async function settle(doors: SweepDoors, { targets, found, lists, now }: Settling): Promise<void> {
  const byZone = new Map(lists.map((list) => [list.zone, list]));
  await doors.db.tx(async (tx) => {
    const held = await store.holdTargets(
      tx,
      targets.map(({ id }) => id),
    );
    const there = targets.filter(({ id }) => held.has(id));
    const listings = Map.groupBy(await listListings(tx, [...held]), ({ targetId }) => targetId);
    const rows: Target[] = [];
    const events: NewRow<'blocklistEvents'>[] = [];
    for (const target of there) {
      const known = listings.get(target.id) ?? [];
      const seen = found(target) ?? { verdicts: new Map(), reasons: new Map() };
      const written = follow(target, { known, found: seen, lists: byZone, now });
      await write(tx, written);
      events.push(...written.events);
      rows.push(saved(target, { found: seen, isInDoubt: written.isInDoubt, now }));
    }
    await store.saveTargets(tx, rows);
    await store.insertEvents(tx, events);
    await announce(doors, tx, { events, lists: byZone });
  });
  doors.jobs.wake();
}

async function write(tx: Sql, { save, drop }: Written): Promise<void> {
  await store.deleteListings(tx, drop);
  for (const listing of save) await store.saveListing(tx, listing);
}
