// An account with a hundred thousand deliveries that wait does not hold up another's one message.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { shareOut } from '../../../engines/sending-policy/index.ts';
import { startApp } from '../../../../test/harness/start-app.ts';
import { sql, type Sql } from '../../../platform/db/index.ts';
import { claimSpots, listSpots, listStreams } from '../messages/index.ts';

/** Rows and entries of indexes of the queue that this transaction has looked at so far. */
async function rowsRead(tx: Sql): Promise<number> {
  const found = await tx.first(sql<{ read: string }>`
    select sum(pg_stat_get_xact_tuples_returned(oid)) as read from pg_class
    where oid = 'deliveries'::regclass or oid in (select indexrelid from pg_index where indrelid = 'deliveries'::regclass)`);
  return Number(found?.read);
}

it('a hundred thousand of one account, and one of another', { timeout: 120_000 }, async () => {
  const app = await startApp({ GALLEY_ROLES: 'api' });
  try {
    const { db } = app.galley.outside;
    const { body } = await app.call('POST /v5/accounts/subaccounts?name=Small');
    const headers = { 'X-Mailgun-On-Behalf-Of': body.subaccount.id };
    const [big] = (await app.call('GET /v4/domains')).body.items;
    const [small] = (await app.call('GET /v4/domains', { headers })).body.items;
    const letter = { from: 'ann@example.com', subject: 'Hello', text: 'Hello' };
    await app.call(`POST /v3/${big.name}/messages`, { body: { ...letter, to: 'r0@d0.example' } });
    await app.call(`POST /v3/${small.name}/messages`, { headers, body: { ...letter, to: 'one@zzz.example' } });
    await db.text(`update deliveries set mode = 'live'`);
    await db.text(
      `insert into deliveries (message_id, position, account_id, domain, recipient, destination, lane, due_at, give_up_at, mode)
       select message_id, n, account_id, domain, 'r' || n || '@d', 'd' || (n % 20000) || '.example', 1, due_at, give_up_at, mode
       from deliveries, generate_series(1, 100000) as n where destination = 'd0.example'`,
    );
    const { claimed, read } = await db.tx(async (tx) => {
      const streams = await listStreams(tx, { limit: 256 });
      const spots = await listSpots(
        tx,
        streams.map((stream) => ({ ...stream, after: '' })),
        170,
      );
      const takes = shareOut(spots, { limit: 100, roomOf: ({ destination: key }) => ({ key, free: 60 }) });
      const now = app.clock.now();
      const taking = { worker: 'w', now, takenUntil: new Date(now.getTime() + 60_000) };
      return { claimed: await claimSpots(tx, takes, taking), read: await rowsRead(tx) };
    });
    assert.ok(claimed.some(({ recipient }) => recipient === 'one@zzz.example'));
    assert.ok(read > claimed.length && read < 1000, `${read} rows were read`);
  } finally {
    await app.close();
  }
});
