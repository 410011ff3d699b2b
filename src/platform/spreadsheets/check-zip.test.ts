import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { zipSync } from 'fflate';
import { checkZip } from './check-zip.ts';
import { SpreadsheetError, type SpreadsheetProblem } from './problems.ts';

const parts = { 'a.txt': Buffer.from('first '.repeat(50)), 'b/c.txt': Buffer.from('second') };
const archive = (options: { level?: 0 | 9 } = {}) => Buffer.from(zipSync(parts, options));
const directoryOf = (bytes: Buffer) => bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));

function problemOf(bytes: Buffer): SpreadsheetProblem | 'none' {
  try {
    checkZip(bytes);
    return 'none';
  } catch (error) {
    if (error instanceof SpreadsheetError) return error.problem;
    throw error;
  }
}

function changed(change: (bytes: Buffer, directory: number) => void): Buffer {
  const bytes = archive({ level: 9 });
  change(bytes, directoryOf(bytes));
  return bytes;
}

describe('checkZip', () => {
  it('lists an honest archive, deflated or stored', () => {
    assert.deepEqual(checkZip(archive({ level: 9 })), ['a.txt', 'b/c.txt']);
    assert.deepEqual(checkZip(archive({ level: 0 })), ['a.txt', 'b/c.txt']);
  });
  it('refuses a size that is not true, in either header', () => {
    assert.equal(problemOf(changed((bytes, directory) => bytes.writeUInt32LE(10, directory + 24))), 'lying_archive');
    assert.equal(problemOf(changed((bytes, directory) => bytes.writeUInt32LE(5000, directory + 24))), 'lying_archive');
    assert.equal(problemOf(changed((bytes) => bytes.writeUInt32LE(10, 22))), 'lying_archive');
  });
  it('refuses zip64, encryption, unknown methods and several disks', () => {
    assert.equal(
      problemOf(changed((bytes, directory) => bytes.writeUInt32LE(0xffffffff, directory + 24))),
      'lying_archive',
    );
    assert.equal(problemOf(changed((bytes, directory) => bytes.writeUInt16LE(1, directory + 8))), 'password');
    assert.equal(problemOf(changed((bytes, directory) => bytes.writeUInt16LE(12, directory + 10))), 'broken');
    assert.equal(problemOf(changed((bytes) => bytes.writeUInt16LE(1, bytes.length - 22 + 4))), 'lying_archive');
  });
  it('refuses entries that share their bytes', () => {
    const shared = changed((bytes, directory) => bytes.copy(bytes, directory + 51, directory, directory + 51));
    assert.equal(problemOf(shared), 'lying_archive');
  });
  it('refuses two names for one entry', () => {
    assert.equal(problemOf(changed((bytes) => bytes.write('z', 30))), 'lying_archive');
  });
  it('refuses what promises more than 64 MB without unpacking it', () => {
    const promise = changed((bytes, directory) => {
      bytes.writeUInt32LE(65 * 1024 * 1024, directory + 24);
      bytes.writeUInt32LE(65 * 1024 * 1024, 22);
    });
    assert.equal(problemOf(promise), 'expands_too_far');
  });
  it('has an answer for whatever is done to an archive', () => {
    let seed = 42;
    const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    const honest = archive({ level: 9 });
    for (let round = 0; round < 1000; round++) {
      const bytes = Buffer.from(honest);
      for (let change = 0; change <= round % 5; change++) bytes[random(bytes.length)] = random(256);
      problemOf(bytes.subarray(0, round % 3 === 0 ? random(bytes.length) : bytes.length));
    }
  });
});
