import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { adoptJournals, openJournal, type Journal } from './index.ts';

const root = mkdtempSync(join(tmpdir(), 'galley-journal-'));
after(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
const freshDir = (): string => join(root, String((count += 1)));
/** One line of half a MiB. */
const about = { text: 'x'.repeat(512 * 1024) };
const segmentsIn = (dir: string): string[] => readdirSync(dir).filter((name) => name.endsWith('.journal'));

function end(journal: Journal, name: string): void {
  journal.began(name);
  journal.ended(name, { code: 250, about });
}

/** As the kernel does it when the process is killed: the lock goes, the files stay. */
function kill(dir: string, journal: Journal): void {
  journal.close();
  assert.notDeepEqual(segmentsIn(dir), []);
}

describe('a journal', () => {
  it('says of each name what came of it', () => {
    const dir = freshDir();
    const journal = openJournal(dir, 'one');
    journal.began('1 1');
    end(journal, '2 1');
    assert.deepEqual(adoptJournals(dir), []);
    kill(dir, journal);
    const [lost] = adoptJournals(dir);
    assert.deepEqual(
      [lost!.owner, lost!.fateOf('1 1'), lost!.fateOf('2 1'), lost!.fateOf('3 1')],
      ['one', 'uncertain', { about }, undefined],
    );
    lost!.remove();
    assert.deepEqual(readdirSync(dir), []);
  });

  it('of more than 4 MiB is in segments, and each goes when all that it names is settled', () => {
    const dir = freshDir();
    const journal = openJournal(dir, 'long');
    const names = Array.from({ length: 30 }, (_, index) => `${index} 1`);
    for (const name of names) end(journal, name);
    assert.equal(segmentsIn(dir).length, 4);
    journal.settled(names.slice(0, 20));
    assert.equal(segmentsIn(dir).length, 2);
    journal.settled(names.slice(20));
    assert.equal(segmentsIn(dir).length, 1);
    journal.close();
    assert.deepEqual(readdirSync(dir), []);
  });

  it('keeps no segment whose names were settled before the next one began', () => {
    const dir = freshDir();
    const journal = openJournal(dir, 'quiet');
    for (let index = 0; index < 40; index += 1) {
      end(journal, `${index} 1`);
      journal.settled([`${index} 1`]);
    }
    assert.equal(segmentsIn(dir).length, 1);
    journal.close();
  });

  it('keeps the end of what began in a segment before, however much is settled beside it', () => {
    const dir = freshDir();
    const journal = openJournal(dir, 'across');
    journal.began('early 1');
    const fill = (from: number): string[] => {
      const names = Array.from({ length: 10 }, (_, index) => `${from + index} 1`);
      for (const name of names) end(journal, name);
      return names;
    };
    const before = fill(0);
    journal.ended('early 1', { code: 250, about: { end: 'delivered' } });
    const behind = [...fill(10), ...fill(20)];
    journal.settled([...before, ...behind]);
    kill(dir, journal);
    const [lost] = adoptJournals(dir);
    assert.deepEqual(lost!.fateOf('early 1'), { about: { end: 'delivered' } });
    lost!.remove();
  });

  it('takes nothing once it is closed, and does not write into the file that was opened since', () => {
    const dir = freshDir();
    const journal = openJournal(dir, 'closed');
    journal.began('1 1');
    kill(dir, journal);
    const path = join(dir, 'another');
    const another = openSync(path, 'w');
    assert.throws(() => journal.began('2 1'), /The journal is closed/);
    assert.throws(() => journal.ended('1 1', { code: 250, about }), /The journal is closed/);
    closeSync(another);
    assert.equal(readFileSync(path, 'utf8'), '');
    assert.equal(adoptJournals(dir)[0]!.fateOf('1 1'), 'uncertain');
  });

  it('takes no name that would end its line', () => {
    const journal = openJournal(freshDir(), 'strict');
    assert.throws(() => journal.began('1\n= 1 1 250 {}'), /is no name for a journal/);
    journal.close();
  });
});
