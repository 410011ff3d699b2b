import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { describe, it } from 'node:test';
import { AppError } from '../errors/index.ts';
import { readSpreadsheet } from './index.ts';
import { fixture, xlsxWith } from './sheets.fixture.ts';

async function expectRefusal(bytes: Uint8Array, message: RegExp): Promise<void> {
  await assert.rejects(readSpreadsheet(bytes), (error: unknown) => {
    assert.ok(error instanceof AppError, String(error));
    assert.equal(error.code, 'invalid_request');
    assert.deepEqual(error.details, { field: 'csv' });
    assert.match(error.message, message);
    return true;
  });
}

describe('readSpreadsheet', () => {
  it('reads a workbook of a spreadsheet program', async () => {
    const rows = await readSpreadsheet(await fixture('links.xlsx'));
    assert.deepEqual(rows[5], ['Old offer', 'https://shop.example/old', '301', 'https://shop.example/new']);
  });
  it('says in words what is wrong with a file, and names the field', async () => {
    await expectRefusal(Buffer.alloc(0), /^csv is an empty file\.$/);
    await expectRefusal(Buffer.alloc(10 * 1024 * 1024 + 1), /^csv is larger than 10 MB\.$/);
    await expectRefusal(await fixture('password.xlsx'), /^csv is protected with a password; save it without one\.$/);
    await assert.rejects(readSpreadsheet(Buffer.alloc(0), { field: 'file' }), { message: 'file is an empty file.' });
  });
  it('refuses a zip bomb', async () => {
    const bomb = xlsxWith(Buffer.alloc(65 * 1024 * 1024, ' '));
    assert.ok(bomb.length < 1024 * 1024);
    await expectRefusal(bomb, /^csv unpacks to more than 64 MB\.$/);
  });
  it('refuses a bomb that lies about its size', async () => {
    const bomb = xlsxWith(Buffer.alloc(5 * 1024 * 1024, ' '));
    const [size, lie] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32LE(5 * 1024 * 1024);
    lie.writeUInt32LE(1000);
    for (let at = bomb.indexOf(size); at !== -1; at = bomb.indexOf(size)) lie.copy(bomb, at);
    await expectRefusal(bomb, /contradict each other/);
  });
  it('stops a reader that takes too long or too much memory', async () => {
    const file = await fixture('links.xlsx');
    await assert.rejects(readSpreadsheet(file, { timeoutMs: 1 }), {
      code: 'invalid_request',
      message: /too much time or memory/,
    });
    await assert.rejects(readSpreadsheet(file, { memoryBytesMax: 1 }), {
      code: 'invalid_request',
      message: /too much time or memory/,
    });
  });
  it('says that the machine is busy when the reader gets too little of it, and that nothing is wrong with the file', async () => {
    await assert.rejects(readSpreadsheet(await fixture('links.xlsx'), { patienceMs: 1 }), {
      code: 'unavailable',
      message: 'csv could not be read now: the service is busy. Try again in 10 seconds.',
      headers: { 'Retry-After': '10' },
    });
  });
  it(
    'reads good workbooks while every core is taken many times over: CPU counts, not time',
    { skip: process.platform !== 'linux' && 'the system does not tell CPU time' },
    async () => {
      const burners = Array.from({ length: availableParallelism() * 4 }, () =>
        spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
      );
      try {
        const files = await Promise.all(['links.xlsx', 'links.xls', 'hyperlinks.xlsx', 'empty.xlsx'].map(fixture));
        for (const file of files) await readSpreadsheet(file, { timeoutMs: 1_000 });
      } finally {
        for (const burner of burners) burner.kill('SIGKILL');
      }
    },
  );
  it('stops when the caller does', async () => {
    const file = await fixture('links.xlsx');
    await assert.rejects(readSpreadsheet(file, { signal: AbortSignal.abort(new Error('enough')) }), {
      message: 'enough',
    });
    const stop = new AbortController();
    const reading = readSpreadsheet(file, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await assert.rejects(reading, { message: 'enough' });
  });
  it('reads several at once, each right', async () => {
    const files = await Promise.all(
      [0, 1, 2, 3].map((index) => readSpreadsheet(Buffer.from(`url\nhttps://a.example/${index}`))),
    );
    assert.deepEqual(
      files.map((rows) => rows[1]![0]),
      [0, 1, 2, 3].map((index) => `https://a.example/${index}`),
    );
  });
});
