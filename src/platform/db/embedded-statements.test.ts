import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openDatabase, sql, type Db } from './index.ts';

const TIMES = 6;

describe('statements that the embedded database is sent again', () => {
  let root: string;
  let db: Db;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'galley-db-'));
    db = await openDatabase({ dir: join(root, 'db') });
    await db.run(sql`create table things (id integer primary key, name text not null)`);
    await db.run(sql`insert into things select n, 'thing ' || n from generate_series(1, 100) n`);
  });
  after(async () => {
    await db.close();
    await rm(root, { recursive: true, force: true });
  });

  const namesOf = async (): Promise<string[]> =>
    (await db.rows(sql<{ statement: string }>`select statement from pg_prepared_statements`)).map(
      ({ statement }) => statement,
    );
  const thing = (id: unknown) => db.first(sql<{ id: number; name: string }>`select * from things where id = ${id}`);

  it('are prepared once for all connections, and answer for the values of each call', async () => {
    const ids = Array.from({ length: 60 }, (_, n) => n + 1);
    const found = await Promise.all(ids.map(thing));
    assert.deepEqual(
      found.map((one) => one?.name),
      ids.map((id) => `thing ${id}`),
    );
    const prepared = (await namesOf()).filter((statement) => statement.includes('from things where id'));
    assert.equal(prepared.length, 1);
  });

  it('show a column that was added meanwhile', async () => {
    for (let n = 0; n < TIMES; n += 1) assert.deepEqual(await thing(1), { id: 1, name: 'thing 1' });
    await db.run(sql`alter table things add column color text not null default 'red'`);
    for (let n = 0; n < TIMES; n += 1) assert.deepEqual(await thing(1), { id: 1, name: 'thing 1', color: 'red' });
    await db.run(sql`alter table things drop column color`);
    await db.tx(async (tx) => {
      const one = await tx.first(sql`select name from things where id = ${1}`);
      assert.deepEqual(one, { name: 'thing 1' });
    });
    assert.deepEqual(await thing(1), { id: 1, name: 'thing 1' });
  });

  it('go on after a value that was refused, a table that was not there, and a failed transaction', async () => {
    for (let n = 0; n < TIMES; n += 1) assert.equal((await thing(2))?.id, 2);
    await assert.rejects(thing('two'), /invalid input syntax/);
    for (let n = 0; n < TIMES; n += 1) assert.equal((await thing(2))?.id, 2);

    const other = () => db.first(sql<{ n: number }>`select n from others where n = ${1}`);
    for (let n = 0; n < TIMES; n += 1) await assert.rejects(other(), /does not exist/);
    await db.run(sql`create table others as select 1 as n`);
    for (let n = 0; n < TIMES; n += 1) assert.deepEqual(await other(), { n: 1 });

    const insert = (on: Pick<Db, 'run'>, id: number) => on.run(sql`insert into things (id, name) values (${id}, 'x')`);
    for (let n = 0; n < TIMES; n += 1)
      await assert.rejects(
        db.tx(async (tx) => {
          await insert(tx, 1_000 + n);
          await insert(tx, 1).catch(() => undefined);
          await insert(tx, 2_000 + n);
        }),
        /aborted/,
      );
    for (let n = 0; n < TIMES; n += 1) assert.equal(await insert(db, 1_000 + n), 1);
    for (let n = 0; n < TIMES; n += 1) assert.equal((await thing(1_000 + n))?.name, 'x');
  });

  it('are found by index when a table that was empty has become large', async () => {
    await db.run(sql`create table queue (id integer primary key, state text not null)`);
    await db.run(sql`vacuum analyze queue`);
    const find = (id: number) => db.first(sql`select state from queue where id = ${id}`);
    for (let n = 0; n < TIMES; n += 1) assert.equal(await find(n), undefined);
    await db.run(sql`insert into queue select n, 'waiting' from generate_series(1, 50000) n`);
    // The plans are made anew after so many statements.
    for (let n = 1; n <= 1_200; n += 1) assert.deepEqual(await find(n), { state: 'waiting' });
    const scans = () =>
      db.first(sql<{ rows: string }>`
        select pg_stat_force_next_flush(), (
          select seq_tup_read from pg_stat_all_tables where relname = 'queue'
        ) as rows
      `);
    await scans();
    const before = (await scans())?.rows;
    for (let n = 1; n <= 100; n += 1) await find(n);
    await scans();
    assert.equal((await scans())?.rows, before);
  });

  it('are bounded in their number', async () => {
    for (let n = 0; n < 200; n += 1)
      for (let times = 0; times < 3; times += 1)
        assert.deepEqual(await db.text(`select $1::integer + ${n} as sum`, [times]), { rows: [{ sum: times + n }] });
    const count = (await namesOf()).length;
    assert.ok(count > 100 && count <= 152, `${count} statements are prepared`);
  });
});
