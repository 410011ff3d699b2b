// The hits of a report, however it came.
import type { Outside } from '../../../platform/feature/index.ts';
import type { SheetHits } from './sheet.ts';
import * as store from './store.ts';
import { tellHits } from './tell.ts';

const SAVED_AT_ONCE = 1000;

/** Keeps the hits of a report, with the alerts that follow. Wake the jobs after it. */
export async function keepReport(
  doors: Pick<Outside, 'db' | 'clock' | 'jobs'>,
  accountId: string,
  { hits, ...told }: { hits: SheetHits['hits']; source: 'import' | 'feed'; sourceName: string; proof: string },
): Promise<void> {
  await doors.db.tx(async (tx) => {
    const saved: store.SavedHit[] = [];
    for (let from = 0; from < hits.length; from += SAVED_AT_ONCE)
      saved.push(
        ...(await store.saveHits(
          tx,
          accountId,
          hits.slice(from, from + SAVED_AT_ONCE).map((hit) => ({
            ...hit,
            ...told,
            at: new Date(hit.at),
            tags: [],
            trapId: null,
            messageKey: null,
          })),
        )),
      );
    await tellHits(doors, tx, { accountId, sourceName: told.sourceName, hits: saved });
  });
}
