// Tests of figures wait here until every event is in them.
import { setTimeout as pause } from 'node:timers/promises';
import type { App } from './start-app.ts';

/** Resolves when no event is left that is in no sum; the app has the role `send`. */
export async function gatheredFigures(app: App): Promise<void> {
  for (const end = Date.now() + 90_000; Date.now() < end; await pause(20)) {
    const { rows } = await app.galley.outside.db.text('select count(*)::int as count from uncounted_events');
    if ((rows[0] as { count: number }).count === 0) return;
  }
  throw new Error('Events are left that are in no sum.');
}
