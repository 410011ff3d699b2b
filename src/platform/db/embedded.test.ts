import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { migrate, openDatabase, sql } from './index.ts';

let root: string;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'galley-db-'));
  const db = await openDatabase({ dir: join(root, 'template') });
  await db.run(sql`create table acknowledged (writer integer, n integer)`);
  await db.close();
});
after(() => rm(root, { recursive: true, force: true }));

async function copyOfTemplate(name: string): Promise<string> {
  const dir = join(root, name);
  await cp(join(root, 'template'), dir, { recursive: true });
  return dir;
}

/** Starts a process that inserts rows until it is killed, printing each after it was committed. */
function startWriter(dir: string): ChildProcess {
  const program = `
    import { openDatabase, sql } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
    const db = await openDatabase({ dir: ${JSON.stringify(dir)} });
    console.log('open');
    await Promise.all([0, 1, 2, 3].map(async (writer) => {
      for (let n = 0; ; n += 1) {
        await db.run(sql\`insert into acknowledged values (\${writer}, \${n})\`);
        console.log(writer + ' ' + n);
      }
    }));`;
  return spawn(process.execPath, ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The last row of each writer that the process said was committed, after it was killed at the given row. */
async function killAfter(dir: string, rows: number): Promise<Map<number, number>> {
  const child = startWriter(dir);
  const last = new Map<number, number>();
  let count = 0;
  let text = '';
  await new Promise<void>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines.filter((candidate) => candidate !== 'open')) {
        const [writer = 0, n = 0] = line.split(' ').map(Number);
        last.set(writer, n);
        count += 1;
      }
      if (count >= rows) child.kill('SIGKILL');
    });
    child.on('close', () => resolve());
  });
  return last;
}

describe('the embedded database', () => {
  it('loses no acknowledged row when it is killed', async () => {
    const dir = await copyOfTemplate('killed');
    for (const rows of [40, 173, 400]) {
      const last = await killAfter(dir, rows);
      assert.ok([...last.values()].reduce((sum, n) => sum + n + 1, 0) >= rows, 'the writers ran');
      const db = await openDatabase({ dir });
      const kept = await db.rows(
        sql<{ writer: number; rows: number }>`select writer, count(*)::int as rows from acknowledged group by writer`,
      );
      for (const [writer, n] of last)
        assert.ok((kept.find((row) => row.writer === writer)?.rows ?? 0) > n, `writer ${writer} lost rows`);
      await db.run(sql`delete from acknowledged`);
      await db.close();
    }
  });

  it('refuses a second process, saying why', async () => {
    const dir = await copyOfTemplate('locked');
    const db = await openDatabase({ dir });
    await assert.rejects(openDatabase({ dir }), /in use by another Galley process/);
    await db.close();
    await (await openDatabase({ dir })).close();
  });

  it('answers right under mixed load from many connections', async () => {
    const db = await openDatabase({ dir: await copyOfTemplate('mixed') });
    const big = 'x'.repeat(120_000);
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        if (n % 5 === 0) return db.tx(async (tx) => (await tx.first(sql<{ n: number }>`select ${n}::int as n`))?.n);
        const row = await db.first(sql<{ n: number; size: number }>`select ${n}::int as n, length(${big}) as size`);
        return row?.size === big.length ? row.n : -1;
      }),
    );
    assert.deepEqual(
      answers,
      Array.from({ length: 200 }, (_, n) => n),
    );
    await db.close();
  });

  it('rolls back what failed, and refuses the pool inside a transaction', async () => {
    const db = await openDatabase({ dir: await copyOfTemplate('rollback') });
    await assert.rejects(
      db.tx(async (tx) => {
        await tx.run(sql`insert into acknowledged values (9, 9)`);
        await tx.run(sql`select 1 / 0`);
      }),
    );
    assert.deepEqual(await db.rows(sql`select * from acknowledged`), []);
    await assert.rejects(
      db.tx(() => db.run(sql`select 1`)),
      /use the transaction/,
    );
    await db.close();
  });
});

describe('migrate', () => {
  it('applies each migration once, in the order of the names', async () => {
    const db = await openDatabase({ dir: await copyOfTemplate('migrate') });
    const second = { name: '20260102_0000_b', sql: 'insert into steps values (2); insert into steps values (3)' };
    const first = { name: '20260101_0000_a', sql: 'create table steps (n integer)' };
    assert.deepEqual(await migrate(db, [second, first]), [first.name, second.name]);
    assert.deepEqual(await migrate(db, [second, first]), []);
    assert.deepEqual(await db.rows(sql`select n from steps order by n`), [{ n: 2 }, { n: 3 }]);
    await db.close();
  });
});
