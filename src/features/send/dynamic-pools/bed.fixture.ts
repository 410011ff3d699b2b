// Addresses, pools and domains for tests of dynamic pools.
import assert from 'node:assert/strict';
import type { App, Answer, Call } from '../../../../test/harness/start-app.ts';

export const GOOD = '127.0.0.2';
export const POOR = '127.0.0.3';
export const NEW = '127.0.0.4';
export const FREE = '127.0.0.5';
export const SHARED = '127.0.0.6';
export const POOLED = '127.0.0.7';

/** The account of the key. */
export async function firstAccount({ galley }: App): Promise<string> {
  const first = galley.outside.db.ofAnyone.selectFrom('accounts').select('id').where('parentId', 'is', null);
  return (await first.executeTakeFirstOrThrow()).id;
}

/** What a process with the setting `GALLEY_SENDING_IPS` would say of itself. */
export async function addIps(app: App, accountId: string): Promise<void> {
  const now = app.clock.now();
  const one = { accountId, boundUntil: new Date(now.getTime() + 10 * 86_400_000), createdAt: now };
  const rows = [GOOD, POOR, NEW, FREE, SHARED, POOLED].map((ip) => ({
    ...one,
    ip,
    isShared: ip === SHARED,
    hostName: `mail${ip.at(-1)}.example.com`,
  }));
  await app.galley.outside.db.ofAnyone.insertInto('sendingIps').values(rows).execute();
}

export const ALL = { good_reputation: GOOD, poor_reputation: POOR, new_senders: NEW };

export async function succeed(app: App, operation: string, call: Call = {}): Promise<Answer['body']> {
  const { status, body } = await app.call(operation, call);
  assert.equal(status, 200, `${operation}: ${JSON.stringify(body)}`);
  return body;
}

export const addDomain = (app: App, name: string, headers: Record<string, string> = {}) =>
  succeed(app, 'POST /v4/domains', { body: { name }, headers });
