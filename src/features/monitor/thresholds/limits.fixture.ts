// What tests of limits share.
import type { App } from '../../../../test/harness/start-app.ts';

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
