// Typed queries on the real tables: whose rows they see, and what they write.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestDatabase } from '../../../test/harness/template-database.ts';
import { rowCount, type Db } from './index.ts';

let db: Db;
let close: () => Promise<void>;
const at = new Date('2026-11-22T00:00:00Z');

before(async () => {
  ({ db, close } = await openTestDatabase());
  for (const id of ['ann', 'bob'])
    await db.ofAnyone
      .insertInto('accounts')
      .values({ id, name: id, region: 'us', createdAt: at, updatedAt: at })
      .execute();
  for (const id of ['ann', 'bob']) {
    const test = {
      id: `test-of-${id}`,
      region: 'us',
      subject: 'May',
      headers: { 'x-mailer': 'a\0b\uD800' },
      source: 'html' as const,
      messageBytes: 1,
      imageBlocking: false,
      contentChecking: {},
      fileToken: id,
      createdAt: at,
      expiresAt: at,
    };
    await db.of(id).insert('previewTests', test).execute();
    await db.ofAnyone
      .insertInto('previewResults')
      .values({
        testId: test.id,
        clientId: 'gmail',
        status: 'processing',
        submittedAt: at,
        queuedAt: at,
        notes: ['one'],
      })
      .execute();
  }
});
after(() => close());

describe('queries of an account', () => {
  it('see its own rows', async () => {
    assert.deepEqual(await db.of('ann').selectFrom('previewTests').select('id').execute(), [{ id: 'test-of-ann' }]);
  });

  it('see the parts of its own rows', async () => {
    assert.deepEqual(await db.of('bob').selectFrom('previewResults').select(['testId', 'notes']).execute(), [
      { testId: 'test-of-bob', notes: ['one'] },
    ]);
  });

  it('change nothing of another account, and nothing of its parts', async () => {
    const rename = db.of('ann').updateTable('previewTests').set({ name: 'mine' }).where('id', '=', 'test-of-bob');
    assert.equal((await rename.executeTakeFirstOrThrow()).numUpdatedRows, 0n);
    const note = db.of('ann').updateTable('previewResults').set({ notes: [] }).where('testId', '=', 'test-of-bob');
    assert.equal((await note.executeTakeFirstOrThrow()).numUpdatedRows, 0n);
    const remove = db.of('ann').deleteFrom('previewTests').where('id', '=', 'test-of-bob');
    assert.equal((await remove.executeTakeFirstOrThrow()).numDeletedRows, 0n);
    const count = db.ofAnyone.selectFrom('previewTests').select(rowCount.as('count'));
    assert.deepEqual(await count.execute(), [{ count: 2 }]);
  });

  it('do not begin without an account', () => {
    assert.throws(() => db.of(''), /needs the account/);
  });

  it('name tables and columns that there are', () => {
    // What the compiler refuses; `npm run types` reads these lines.
    // @ts-expect-error no such column
    assert.ok(db.of('ann').selectFrom('previewTests').select('subjekt'));
    // @ts-expect-error a table of no account
    assert.ok(db.of('ann').selectFrom('jobLanes'));
    // @ts-expect-error not one of its values
    assert.ok(db.of('ann').selectFrom('previewTests').where('source', '=', 'fax'));
  });
});

describe('a JSON column', () => {
  it('takes a value as it is, without what no column can hold', async () => {
    const rows = await db.of('ann').selectFrom('previewTests').select(['headers', 'spam']).execute();
    assert.deepEqual(rows, [{ headers: { 'x-mailer': 'a\uFFFDb\uFFFD' }, spam: null }]);
  });

  it('takes lists, texts and null in updates and on conflicts', async () => {
    const row = {
      testId: 'test-of-ann',
      clientId: 'gmail',
      status: 'processing' as const,
      submittedAt: at,
      queuedAt: at,
    };
    const upsert = (notes: string[]): Promise<unknown> =>
      db.ofAnyone
        .insertInto('previewResults')
        .values({ ...row, notes: [] })
        .onConflict((conflict) => conflict.columns(['testId', 'clientId']).doUpdateSet({ notes }))
        .execute();
    const read = async (): Promise<unknown> =>
      (await db.of('ann').selectFrom('previewResults').select('notes').executeTakeFirst())?.notes;
    await upsert(['{"a":1}', 'two']);
    assert.deepEqual(await read(), ['{"a":1}', 'two']);
    await db
      .of('ann')
      .updateTable('previewResults')
      .set({ notes: ['three'] })
      .execute();
    assert.deepEqual(await read(), ['three']);
  });
});
