// What the search over everything shows of what it knows without asking.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { matching, type Command } from './matching.ts';

const command = (name: string, about?: string): Command => ({ group: 'Pages', name, about, run: () => undefined });
const all = [command('New email'), command('Emails', 'Proof'), command('Sending domains', 'Deliver')];
const names = (text: string): string[] => matching(all, text).map(({ name }) => name);

describe('the search over everything', () => {
  const cases: [typed: string, found: string[]][] = [
    ['', ['New email', 'Emails', 'Sending domains']],
    ['  ', ['New email', 'Emails', 'Sending domains']],
    ['email', ['Emails', 'New email']],
    ['EMAIL new', ['New email']],
    ['proof', ['Emails']],
    ['domains deliver', ['Sending domains']],
    ['emails deliver', []],
    ['.*', []],
  ];
  for (const [typed, found] of cases)
    it(`shows ${found.join(', ') || 'nothing'} for “${typed}”`, () => assert.deepEqual(names(typed), found));
});
