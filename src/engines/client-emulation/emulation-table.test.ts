import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { numberedNotes } from '../caniemail/notes.ts';
import { clientsOfData, featureOf, features, freshSupport, readNote, type Support } from '../caniemail/index.ts';
import { undecidedCells } from './filter-features.ts';
import { bareProfile, checkCell, isExpected, probesOf, type Bench, type Target } from './table-probes/check-cell.ts';

interface Tally {
  decided: number;
  wrong: string[];
  undecidable: Map<string, number>;
}

/**
 * Cells decided when this was last looked at: fewer means that a rule, a probe or a reading was lost. Those of Proton
 * Mail that are older than its support of <style> are not known any more (caniemail/freshness.ts).
 */
const decidedAtLeast = { newest: 11_127, olderVersions: 3_218 };

/** Features that no message's HTML can show. */
const withoutProbe = new Set(['amp', 'bimi', 'image-apng']);

function count(tally: Tally, reason: string): void {
  tally.undecidable.set(reason, (tally.undecidable.get(reason) ?? 0) + 1);
}

function walk(tally: Tally, target: Target, cells: { slug: string; support: Support }[]): void {
  const bench: Bench = { target, pages: new Map() };
  const open = new Map(undecidedCells(bareProfile(target)).map((cell) => [cell.slug, cell.reason]));
  for (const { slug, support } of cells) {
    const finding = checkCell(bench, slug, support);
    const where =
      `${slug} ${target.family}.${target.platform}@${target.version || 'newest'} (${support.level} ` +
      `${support.notes.map((note) => `#${note}`).join(' ')})`;
    tally.wrong.push(...finding.wrong.map((what) => `${where}: ${what}`));
    const reason = open.get(slug);
    if (reason) count(tally, reason);
    else if (finding.hiddenBy && support.level !== 'n') count(tally, 'hidden by another feature that the client lacks');
    else tally.decided++;
  }
}

function report(name: string, tally: Tally): void {
  const reasons = [...tally.undecidable].sort((a, b) => b[1] - a[1]);
  const total = reasons.reduce((sum, [, cells]) => sum + cells, 0);
  console.log(
    `${name}: ${tally.decided} cells decided, ${tally.wrong.length} wrong, ${total} undecidable` +
      ` (reasons: ${reasons.map(([reason, cells]) => `${cells} ${reason}`).join('; ')})`,
  );
}

function notesOfPartialCells(): { slug: string; number: number; text: string | undefined }[] {
  const found = new Map<string, { slug: string; number: number; text: string | undefined }>();
  for (const { slug, notes, stats } of features) {
    const cells = [...stats.values()]
      .flatMap((platforms) => [...platforms.values()])
      .flat()
      .filter((cell) => cell.level === 'a');
    for (const number of cells.flatMap((cell) => cell.notes))
      found.set(`${slug}#${number}`, { slug, number, text: notes.get(number) });
  }
  return [...found.values()];
}

describe('emulation table', () => {
  it('has a probe for every feature that a message can show', () => {
    for (const { slug } of features) assert.equal(probesOf(slug).length > 0, !withoutProbe.has(slug), slug);
  });

  it('has a literal message for every note that takes something away', () => {
    for (const { slug, number, text } of notesOfPartialCells()) {
      const reading = readNote(slug, number, text);
      if (reading?.kind === 'rules' || reading?.kind === 'account')
        assert.ok(isExpected(`${slug}#${number}`), `${slug}#${number}`);
    }
  });

  it('knows what every note of a partial cell means', () => {
    for (const { slug, number, text } of notesOfPartialCells())
      assert.ok(readNote(slug, number, text), `${slug}#${number} ${text}`);
  });

  it('reads no note that the data does not have', () => {
    const gone = numberedNotes().filter(({ slug, number }) => !featureOf(slug)?.notes.has(number));
    // The data points to these two without having them.
    assert.deepEqual(gone, [
      { slug: 'css-clear', number: 2 },
      { slug: 'css-pseudo-class-link', number: 1 },
    ]);
  });

  it('takes away what the newest client lacks and leaves what it supports', () => {
    const tally: Tally = { decided: 0, wrong: [], undecidable: new Map() };
    for (const { family, platform } of clientsOfData()) {
      const target = { family, platform, version: '' };
      const cells = features
        .filter((feature) => feature.stats.get(family)?.has(platform))
        .map((feature) => ({ slug: feature.slug, support: freshSupport(feature, target).support }));
      walk(tally, target, cells);
    }
    report('emulation table', tally);
    assert.deepEqual(tally.wrong, []);
    assert.ok(tally.decided >= decidedAtLeast.newest, `${tally.decided}`);
  });

  it('does the same for every older version in the data', () => {
    const tally: Tally = { decided: 0, wrong: [], undecidable: new Map() };
    for (const { family, platform } of clientsOfData()) {
      const byVersion = new Map<string, { slug: string; support: Support }[]>();
      for (const { slug, stats } of features) {
        for (const { version, ...support } of stats.get(family)?.get(platform)?.slice(0, -1) ?? []) {
          const cells = byVersion.get(version);
          if (cells) cells.push({ slug, support });
          else byVersion.set(version, [{ slug, support }]);
        }
      }
      for (const [version, cells] of byVersion) walk(tally, { family, platform, version }, cells);
    }
    report('emulation table, older versions', tally);
    assert.deepEqual(tally.wrong, []);
    assert.ok(tally.decided >= decidedAtLeast.olderVersions, `${tally.decided}`);
  });
});
