// Webhooks when the process is killed, and when several processes share one database.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { postgresAbsence, startPostgres } from '../../../../test/harness/postgres.ts';
import { PATH, startFleet } from './processes.fixture.ts';

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('webhooks of a process that is killed', () => {
  it('are all posted, those without a written end once more', { timeout: 300_000 }, async () => {
    await using fleet = await startFleet({});
    const [kills, perKill] = [3, 15];
    let running = await fleet.start('api,send');
    await fleet.hook(running.url, PATH);
    for (let round = 0; round < kills; round += 1) {
      const before = fleet.receiver.received.length;
      let answered = 0;
      const killed = Promise.withResolvers<void>();
      fleet.receiver.answer(PATH, (response) =>
        response.writeHead(200).end(() => {
          answered += 1;
          if (answered === 5) killed.resolve();
        }),
      );
      await fleet.send(running.url, perKill);
      await killed.promise;
      await fleet.kill(running);
      assert.ok(fleet.receiver.received.length - before >= 5);
      fleet.receiver.answer(PATH, 200);
      running = await fleet.start('api,send');
    }
    const states = await fleet.ended(running.url, kills * perKill);
    assert.deepEqual(new Set(states), new Set(['delivered']));
    const counts = [...fleet.countsAt(PATH).values()];
    assert.equal(counts.length, kills * perKill);
    // At most eight are under way to a host, and each is posted again.
    assert.ok(counts.filter((count) => count > 1).length <= kills * 8, counts.join(' '));
  });

  it(
    'are posted once more when it was answered and not yet written',
    { skip: postgresAbsence, timeout: 300_000 },
    async (test) => {
      const database = await startPostgres();
      test.after(() => database.close());
      await using fleet = await startFleet({ GALLEY_DATABASE_URL: database.url });
      const first = await fleet.start('api,send');
      await fleet.hook(first.url, PATH);
      // Whoever writes how an attempt ended waits for this row.
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      await client.query('begin');
      await client.query('select id from webhook_urls for no key update');
      const count = 4;
      await fleet.send(first.url, count);
      await until(() => fleet.receiver.received.length === count);
      const waits = "select 1 from pg_stat_activity where wait_event_type = 'Lock'";
      await until(async () => (await database.query(waits)).length > 0);
      await fleet.kill(first);
      await client.query('rollback');
      await client.end();
      const open = await database.query('select state from webhook_deliveries where taken_by is not null');
      assert.deepEqual(
        open.map(({ state }) => state),
        Array.from({ length: count }, () => 'waiting'),
      );
      // As if two minutes had gone by, after which what a process held is free.
      await database.query("update webhook_deliveries set taken_until = now() - interval '1 second'");
      const second = await fleet.start('api,send');
      assert.deepEqual(new Set(await fleet.ended(second.url, count)), new Set(['delivered']));
      assert.deepEqual(
        [...fleet.countsAt(PATH).values()],
        Array.from({ length: count }, () => 2),
      );
      await fleet.kill(second);
    },
  );
});

describe('webhooks of four processes on one PostgreSQL', { skip: postgresAbsence }, () => {
  it('are posted once each', { timeout: 300_000 }, async (test) => {
    const database = await startPostgres();
    test.after(() => database.close());
    await using fleet = await startFleet({ GALLEY_DATABASE_URL: database.url, GALLEY_DATABASE_CONNECTIONS: '6' });
    const api = await fleet.start('api');
    const paths = ['/one', '/two'];
    for (const path of paths) {
      fleet.receiver.answer(path, (response) => setTimeout(() => response.writeHead(200).end(), 10));
      await fleet.hook(api.url, path);
    }
    const senders = await Promise.all(Array.from({ length: 4 }, () => fleet.start('api,send')));
    const [calls, perCall] = [3, 100];
    for (let made = 0; made < calls; made += 1) await fleet.send(api.url, perCall);
    const states = await fleet.ended(api.url, calls * perCall * paths.length);
    assert.deepEqual(new Set(states), new Set(['delivered']));
    const workers = await database.query(
      'select count(*)::int as count from webhook_deliveries where taken_by is not null',
    );
    assert.equal(workers[0]!['count'], 0);
    for (const sender of senders) await fleet.kill(sender);
    for (const path of paths) {
      const counts = [...fleet.countsAt(path).values()];
      assert.deepEqual([counts.length, counts.filter((count) => count !== 1)], [calls * perCall, []]);
    }
    await fleet.kill(api);
  });
});
