import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccessibilityReport, Finding } from '../../../shared/report/report-api.ts';
import { byLevel, byPrinciple, contrastsOf, rulesOf } from './rules.ts';

type Rule = AccessibilityReport['passes'][number];
const rule = (name: string, standard: string, changes: Partial<Rule> = {}): Rule => ({
  rule: name,
  description: name,
  standards: [standard],
  pour: ['Perceivable'],
  compliance: [],
  ...changes,
});
const REPORT: AccessibilityReport = {
  checks: 5,
  passes: [rule('html-has-lang', 'WCAG 2A', { pour: ['Understandable'] }), rule('title', 'Best Practice')],
  failures: [
    rule('text-size', 'Best Practice', { impact: 'minor' }),
    rule('color-contrast', 'WCAG 2AA', { impact: 'serious' }),
  ],
  needs_review: [rule('target-size', 'WCAG 2.2AA', { pour: ['Operable'] })],
};
const contrast = (name: string, details: Record<string, unknown>, clients: string[] = []): Finding => ({
  rule: `accessibility/${name}`,
  severity: 'error',
  message: 'm',
  clients,
  details: { outcome: 'failure', ...details },
});
const FINDINGS = [
  contrast('color-contrast', { fgColor: '#777777', bgColor: '#ffffff', contrastRatio: 4.4 }),
  contrast('color-contrast', { fgColor: '#777777', bgColor: '#ffffff', contrastRatio: 4.4 }),
  contrast('color-contrast-dark', { foreground: '#333333', background: '#111111', ratio: 1.5 }, ['Gmail']),
  contrast('color-contrast-dark', { foreground: '#333333', background: '#111111', ratio: 1.5 }, ['Outlook']),
];

describe('an accessibility report', () => {
  it('lists the gravest failures first, each with its places', () => {
    assert.deepEqual(
      rulesOf(REPORT, FINDINGS, 'failures').map(({ rule: { rule: name }, places }) => [
        name,
        places.map(({ number }) => number),
      ]),
      [
        ['color-contrast', [0, 1]],
        ['text-size', []],
      ],
    );
    assert.deepEqual(
      rulesOf(REPORT, FINDINGS, 'passes').map(({ places }) => places.length),
      [0, 0],
    );
  });

  it('counts by level and by principle', () => {
    assert.deepEqual(
      byLevel(REPORT).map(({ name, passes, failures, review }) => [name, passes, failures, review]),
      [
        ['WCAG A', 1, 0, 0],
        ['WCAG AA', 0, 1, 1],
        ['Best practice', 1, 1, 0],
      ],
    );
    assert.deepEqual(
      byPrinciple(REPORT).map(({ name }) => name),
      ['Perceivable', 'Operable', 'Understandable'],
    );
  });

  it('names each pair of colors once, the closest first, with all clients', () => {
    assert.deepEqual(
      contrastsOf(FINDINGS).map(({ foreground, count, isDark, clients }) => [foreground, count, isDark, clients]),
      [
        ['#333333', 2, true, ['Gmail', 'Outlook']],
        ['#777777', 2, false, []],
      ],
    );
  });
});
