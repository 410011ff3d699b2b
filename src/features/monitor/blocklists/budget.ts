// How often each list may be asked in a day. Questions are taken before they are asked, so that several processes
// together keep to it.
import type { AssetKind, Blocklist } from '../../../engines/blocklists/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import * as store from './sweep-store.ts';

/** Of a list and a kind of asset. */
export interface Need {
  list: Blocklist;
  kind: AssetKind;
  questions: number;
}

export const needKey = ({ zone }: Pick<Blocklist, 'zone'>, kind: AssetKind): string => `${zone} ${kind}`;

/** Questions a day that a list is asked at most, of all kinds together. */
export function dailyMaxOf({ perDay }: Blocklist, { config }: Pick<Outside, 'config'>): number {
  return Math.min(perDay ?? Infinity, config.blocklists.questionsPerDay);
}

/** In UTC: `2026-11-23`. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** Takes questions from the day's budgets; answers how many each list and kind got, by {@link needKey}. */
export async function takeQuestions(
  doors: Pick<Outside, 'db' | 'config' | 'clock'>,
  needs: readonly Need[],
): Promise<Map<string, number>> {
  const day = dayOf(doors.clock.now());
  return doors.db.tx(async (tx) => {
    await tx.lock('blocklists.questions');
    const today = (await store.listHealth(tx)).filter((row) => row.day === day);
    const asked = new Map(today.map((row) => [needKey(row, row.kind), row.questions]));
    const spent = new Map<string, number>();
    for (const { zone, questions } of today) spent.set(zone, (spent.get(zone) ?? 0) + questions);
    const given = new Map<string, number>();
    for (const { list, kind, questions } of needs) {
      const granted = Math.max(0, Math.min(questions, dailyMaxOf(list, doors) - (spent.get(list.zone) ?? 0)));
      spent.set(list.zone, (spent.get(list.zone) ?? 0) + granted);
      given.set(needKey(list, kind), granted);
    }
    const counts = needs.map(({ list, kind }) => ({
      zone: list.zone,
      kind,
      day,
      questions: (asked.get(needKey(list, kind)) ?? 0) + (given.get(needKey(list, kind)) ?? 0),
    }));
    await store.saveQuestions(tx, counts);
    return given;
  });
}
