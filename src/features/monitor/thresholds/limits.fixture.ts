// What tests of limits share.
import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

export const LIMITS = '/v1/thresholds/limits';
export const PRIMARY = '/v2/thresholds/limits-primary';
export const PREVIEWS = 'email_preview_success_count';

/** Moves the clock to the middle of a month, a day and an hour, so that no window ends during a test. */
export function calm({ clock }: App): Date {
  const now = clock.now();
  const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15, 12, 30));
  clock.advance(at.getTime() - now.getTime());
  return at;
}

/** The end of the window of that moment. */
export const ends = (at: Date): Record<'1h' | '1d' | '', string> => ({
  '1h': new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 15, 13)).toISOString(),
  '1d': new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 16)).toISOString(),
  '': new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)).toISOString(),
});

/** A limit as it is asked for. */
export const limit = (fields: object = {}) => ({
  name: 'previews a day',
  metric: PREVIEWS,
  comparator: '>=',
  limit: '2',
  dimension: 'subaccount',
  period: '1d',
  ...fields,
});

/** Makes a subaccount, and says how to act for it. */
export async function newSubaccount(app: App, name: string) {
  const { id } = (await app.call(`POST /v5/accounts/subaccounts?name=${name}`)).body.subaccount;
  return { id: id as string, as: { headers: { 'x-service-account-id': id as string } } };
}

interface Bed {
  app: App;
  /** Its time at the start. */
  at: Date;
  /** The first account. */
  accountId: string;
}

/** An app for a whole file, without limits and uses before each test. */
export function limitsBed(settings: Record<string, string>, ready: (bed: Bed) => void): void {
  let app: App;
  before(async () => {
    app = await startApp(settings);
    const at = calm(app);
    const first = app.galley.outside.db.ofAnyone.selectFrom('accounts').select('id').where('parentId', 'is', null);
    ready({ app, at, accountId: (await first.executeTakeFirstOrThrow()).id });
  });
  after(() => app.close());
  beforeEach(async () => {
    const { db } = app.galley.outside;
    await db.ofAnyone.deleteFrom('limits').execute();
    await db.ofAnyone.deleteFrom('uses').execute();
  });
}

/** Adds a limit. */
export async function addLimit(app: App, fields: object = {}, as = {}) {
  const made = await app.call(`POST ${LIMITS}`, { body: limit(fields), ...as });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return made.body;
}
