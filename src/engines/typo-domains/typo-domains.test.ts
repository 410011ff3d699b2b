import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { TYPO_DOMAINS, TYPOS_DATE } from './index.ts';

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

  it('has no provider among its typos, and the date of its description', async () => {
    for (const provider of TYPO_DOMAINS.values()) assert.equal(TYPO_DOMAINS.has(provider), false, provider);
    const about = await readFile(new URL('../../../data/typo-domains/README.md', import.meta.url), 'utf8');
    assert.ok(about.includes(`| data of | ${TYPOS_DATE} |`));
  });
});
