import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TYPO_DOMAINS } from './index.ts';

describe('typo domains', () => {
  for (const [typo, provider] of [
    ['gmial.com', 'gmail.com'],
    ['gmai.com', 'gmail.com'],
    ['gmaill.com', 'gmail.com'],
    ['gnail.com', 'gmail.com'],
    ['gmail.con', 'gmail.com'],
    ['hotmial.com', 'hotmail.com'],
    ['outlok.com', 'outlook.com'],
    ['yaho.com', 'yahoo.com'],
    ['iclod.com', 'icloud.com'],
    ['yahooo.co.uk', 'yahoo.co.uk'],
    ['gmail.com', undefined],
    ['mail.com', undefined],
    ['ymail.com', undefined],
    ['yahoo.fr', undefined],
    ['example.com', undefined],
  ] as const)
    it(`has ${typo} ${provider ? `for ${provider}` : 'not'}`, () => assert.equal(TYPO_DOMAINS.get(typo), provider));

  it('has no provider among its typos', () => {
    for (const provider of TYPO_DOMAINS.values()) assert.equal(TYPO_DOMAINS.has(provider), false, provider);
  });
});
