import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../report/report-api.ts';
import {
  clientFamilies,
  familyOf,
  filterFindings,
  findingsIn,
  groupFindings,
  numbered,
  titleOf,
} from './finding-groups.ts';

const FINDINGS: Finding[] = [
  {
    rule: 'code/css-display',
    severity: 'warning',
    message: 'a',
    clients: ['Gmail (Android)', 'Outlook for Windows (classic)'],
  },
  { rule: 'links/target', severity: 'error', message: 'b' },
  { rule: 'code/css-display', severity: 'warning', message: 'c', clients: ['Gmail app (iPhone), dark'] },
  { rule: 'accessibility/image-alt', severity: 'error', message: 'd' },
  { rule: 'accessibility/image-alt', severity: 'error', message: 'e' },
  { rule: 'hygiene/doctype', severity: 'pass', message: 'f' },
];

describe('findings', () => {
  it('stand together by rule, the worst first, then those with most places', () => {
    const groups = groupFindings(numbered(FINDINGS));
    assert.deepEqual(
      groups.map(({ rule, items }) => [rule, items.map(({ number }) => number)]),
      [
        ['accessibility/image-alt', [3, 4]],
        ['links/target', [1]],
        ['code/css-display', [0, 2]],
        ['hygiene/doctype', [5]],
      ],
    );
  });

  it('are filtered by severity, check and client; one without clients is about all', () => {
    const all = numbered(FINDINGS);
    assert.deepEqual(
      filterFindings(all, { check: 'code_analysis' }).map(({ number }) => number),
      [0, 2, 5],
    );
    assert.deepEqual(
      filterFindings(all, { client: 'Outlook', severity: 'warning' }).map(({ number }) => number),
      [0],
    );
    assert.deepEqual(
      filterFindings(all, { client: 'Gmail app (iPhone), dark' }).map(({ number }) => number),
      [1, 2, 3, 4, 5],
    );
  });

  it('are one, with all its places, where one cause stands in several', () => {
    const places = [{ line: 3 }, { line: 8 }, { line: 9 }];
    const all = numbered([
      { rule: 'links/target', severity: 'error', message: 'b', where: { line: 3 }, places, count: 3 },
      ...FINDINGS,
    ]);
    assert.deepEqual(
      all.slice(0, 4).map(({ number, finding, isRepeat }) => [number, finding.where?.line, isRepeat]),
      [
        [0, 3, false],
        [1, 8, true],
        [2, 9, true],
        [3, undefined, false],
      ],
    );
    assert.deepEqual([all.length, findingsIn(all)], [9, 7]);
    assert.equal(groupFindings(all).find(({ rule }) => rule === 'links/target')?.items.length, 4);
  });

  it('name the families of their clients', () => {
    assert.deepEqual(
      ['Windows Mail (Windows 10), dark', 'iPhone 15 (iOS 17), dark', 'AOL (Desktop Webmail)', 'Mail.ru (Android)'].map(
        familyOf,
      ),
      ['Outlook', 'Apple Mail', 'Yahoo! and AOL', 'Mail.ru'],
    );
    assert.deepEqual(
      clientFamilies(numbered(FINDINGS)).map(({ family, clients }) => [family, clients.length]),
      [
        ['Gmail', 2],
        ['Outlook', 1],
      ],
    );
  });

  it('have titles that a reader knows', () => {
    assert.deepEqual(['accessibility/image-alt', 'code/css-display', 'links/target'].map(titleOf), [
      'Image alt',
      'CSS display',
      'Link without a target',
    ]);
  });
});
