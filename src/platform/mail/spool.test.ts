import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendFile, cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openSpool } from './index.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'galley-spool-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const files = () => readdir(dir);

describe('the spool', () => {
  it('gives back what it took, in order, with what was said about it', async () => {
    const spool = await openSpool(dir);
    const bodies = Array.from({ length: 50 }, () => randomBytes(1000));
    const ids = await Promise.all(bodies.map((raw, index) => spool.append(raw, { index })));
    assert.deepEqual(spool.waiting(), ids);
    for (const [index, id] of ids.entries())
      assert.deepEqual(await spool.read(id), { id, about: { index }, raw: bodies[index] });
    await spool.close();
  });

  it('keeps what waits over a crash, and nothing that is done', async () => {
    const before = await openSpool(dir);
    const [first, second] = await Promise.all([
      before.append(Buffer.from('one'), {}),
      before.append(Buffer.from('two'), { to: 'x' }),
    ]);
    await before.done(first!);
    // Not closed: as if the process had been killed.
    const after = await openSpool(dir);
    assert.deepEqual(after.waiting(), [second]);
    assert.deepEqual((await after.read(second!))?.raw.toString(), 'two');
    assert.equal(await after.read(first!), undefined);
    await after.close();
    await before.close();
  });

  it('leaves out a record that a crash tore or a disk spoiled, and goes on after it', async () => {
    const before = await openSpool(dir);
    const kept = await before.append(Buffer.from('whole'), {});
    await before.append(Buffer.from('torn away'), {});
    const [name] = await files();
    const path = join(dir, name!);
    await truncate(path, (await readFile(path)).length - 3);
    const after = await openSpool(dir);
    assert.deepEqual(after.waiting(), [kept]);
    const next = await after.append(Buffer.from('next'), {});
    assert.deepEqual(after.waiting(), [kept, next]);
    await after.close();
    await before.close();
    const spoiled = await readFile(path);
    spoiled[spoiled.length - 1]! ^= 1;
    await writeFile(path, spoiled);
    await appendFile(path, 'noise');
    const again = await openSpool(dir);
    assert.ok(again.waiting().includes(next));
    await again.close();
  });

  it('leaves no file behind when nothing waits', async () => {
    const spool = await openSpool(dir);
    const ids = await Promise.all(Array.from({ length: 5 }, () => spool.append(Buffer.from('x'), {})));
    for (const id of ids) await spool.done(id);
    await spool.done('unknown');
    await spool.close();
    assert.deepEqual(await files(), []);
  });

  it('writes files again, and takes nothing of what they held before for waiting', async () => {
    const spool = await openSpool(dir);
    const raw = randomBytes(3 * 1024 * 1024);
    for (let round = 0; round < 4; round++) {
      const ids: string[] = [];
      // Two files of five messages each.
      while (ids.length < 10) ids.push(await spool.append(raw, {}));
      for (const id of ids) await spool.done(id);
      const waiting = await spool.append(raw, {});
      // As after a crash.
      const copy = await mkdtemp(join(tmpdir(), 'galley-spool-'));
      await cp(dir, copy, { recursive: true });
      const after = await openSpool(copy);
      assert.deepEqual(after.waiting(), [waiting], `round ${round}`);
      assert.ok((await after.read(waiting))?.raw.equals(raw));
      await after.close();
      await rm(copy, { recursive: true });
      await spool.done(waiting);
    }
    // Some 130 MB went through.
    assert.ok((await files()).length <= 5, (await files()).join());
    await spool.close();
  });

  it('takes a message that is larger than its files are', async () => {
    const spool = await openSpool(dir);
    const raw = randomBytes(20 * 1024 * 1024);
    const [large, small] = await Promise.all([spool.append(raw, {}), spool.append(Buffer.from('x'), {})]);
    await spool.close();
    const again = await openSpool(dir);
    assert.deepEqual(again.waiting(), [large, small]);
    assert.ok((await again.read(large!))?.raw.equals(raw));
    await again.close();
  });

  it('rejects what it cannot write, keeps nothing of it, and goes on when it can', async () => {
    const spool = await openSpool(dir);
    await rm(dir, { recursive: true });
    await writeFile(dir, '');
    const refused = await Promise.allSettled([spool.append(Buffer.from('a'), {}), spool.append(Buffer.from('b'), {})]);
    assert.deepEqual(
      refused.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.deepEqual(spool.waiting(), []);
    await rm(dir);
    const id = await spool.append(Buffer.from('c'), {});
    assert.deepEqual(spool.waiting(), [id]);
    await spool.close();
  });
});
