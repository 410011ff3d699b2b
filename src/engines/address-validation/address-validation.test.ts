import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import disposable from '../../../data/address-lists/disposable-domains.json' with { type: 'json' };
import cases from './fixtures/isemail.json' with { type: 'json' };
import { isDisposable, isRole, judge, readMailbox, rootOf, suggestDomain } from './index.ts';

const SMTP = new Set(['VALID_CATEGORY', 'DNSWARN', 'RFC5321']);

describe('the test set of is_email', () => {
  for (const [id, address, diagnosis, category] of cases as [number, string, string, string][]) {
    const isMailbox = SMTP.has(category);
    it(`${id}: ${JSON.stringify(address).slice(0, 60)} is ${isMailbox ? 'a mailbox' : 'none'} (${diagnosis})`, () => {
      const read = readMailbox(address);
      assert.equal('mailbox' in read, isMailbox, JSON.stringify(read));
      if ('fault' in read) assert.match(read.fault, /^[A-Z].*\.$/);
    });
  }
});

describe('readMailbox', () => {
  const read: [address: string, local: string, domain: string, needsUtf8?: true][] = [
    ['Ann@Example.COM', 'Ann', 'example.com'],
    ['jürgen@bücher.example', 'jürgen', 'xn--bcher-kva.example', true],
    ['ann@bücher.example', 'ann', 'xn--bcher-kva.example'],
    ['用户@例子.广告', '用户', 'xn--fsqu00a.xn--4rr70v', true],
    ['उपयोगकर्ता@उदाहरण.कॉम', 'उपयोगकर्ता', 'xn--p1b6ci4b4b3a.xn--11b4c3d', true],
    ['"a@b"@example.com', '"a@b"', 'example.com'],
    ["o'neil+tag=x@example.com", "o'neil+tag=x", 'example.com'],
  ];
  for (const [address, local, domain, needsUtf8 = false] of read)
    it(`reads ${address}`, () =>
      assert.deepEqual(readMailbox(address), { mailbox: { local, domain, isLiteral: false, needsUtf8 } }));

  const wrong: [address: string, fault: string][] = [
    ['', 'The address is empty.'],
    ['ann', 'It has no @.'],
    ['"ann"x@example.com', 'The quoted part does not end at the @.'],
    ['@example.com', 'Nothing stands before the @.'],
    ['ann@', 'Nothing stands behind the @.'],
    ['a..b@example.com', 'The part before the @ has two dots in a row.'],
    ['ann@exa mple.com', 'The domain holds a blank or a control character.'],
    ['ann@example..com', 'The domain has two dots in a row, or begins or ends with one.'],
    ['ann@[300.1.1.1]', 'What stands in brackets is no IP address.'],
    ['ann\u200b@example.com', 'The part before the @ holds a character that may not stand there.'],
    [`${'é'.repeat(33)}@example.com`, 'The part before the @ is longer than 64 bytes.'],
    ['Ann <ann@example.com>', 'The part before the @ holds a character that may not stand there.'],
  ];
  for (const [address, fault] of wrong)
    it(`says of ${JSON.stringify(address)}: ${fault}`, () => assert.deepEqual(readMailbox(address), { fault }));

  it('takes time in proportion to the length', () => {
    for (const character of ['"', '\\', '@', '.', 'a', 'é', '[', '"\\'])
      for (const text of [character.repeat(300_000), `"${character.repeat(300_000)}`, `a@${character.repeat(300_000)}`])
        readMailbox(text);
  });
});

describe('lists', () => {
  for (const [domain, expected] of [
    ['mailinator.com', true],
    ['abc.mailinator.com', true],
    ['gmail.com', false],
    ['com', false],
  ] as const)
    it(`say of ${domain}: ${expected ? '' : 'not '}disposable`, () => assert.equal(isDisposable(domain), expected));

  for (const [local, expected] of [
    ['Info', true],
    ['postmaster', true],
    ['sales+spring', true],
    ['ann', false],
    ['information.ann', false],
  ] as const)
    it(`say of ${local}: ${expected ? 'a role' : 'no role'}`, () => assert.equal(isRole(local), expected));
});

describe('suggestDomain', () => {
  for (const [domain, takesMail, meant] of [
    ['gmial.com', true, 'gmail.com'],
    ['hotmial.com', true, 'hotmail.com'],
    ['libreo.it', false, 'libero.it'],
    ['libreo.it', true, undefined],
    ['gmail.com', false, undefined],
    ['example.com', false, undefined],
    ['t-onlne.de', false, 't-online.de'],
    ['yahoo.dr', false, undefined],
    ['yahoo.se', false, undefined],
    ['yahoo.xx', false, undefined],
    ['ahoo.com', false, 'yahoo.com'],
  ] as const)
    it(`says of ${domain}, which takes ${takesMail ? '' : 'no '}mail: ${meant ?? 'nothing'}`, () =>
      assert.equal(suggestDomain(domain, { takesMail }), meant));
});

describe('what is suggested for domains that are in use', () => {
  it('is hardly ever anything: of 8,335 disposable domains three, which are slips', () => {
    const suggested = disposable.filter((domain) => suggestDomain(domain, { takesMail: true }) !== undefined);
    assert.deepEqual(suggested, ['gmial.com', 'hotmai.com', 'hotmial.com']);
  });
});

describe('rootOf', () => {
  for (const [local, domain, root] of [
    ['A.nn+x', 'gmail.com', 'ann@gmail.com'],
    ['ann', 'googlemail.com', 'ann@gmail.com'],
    ['ann', 'gmail.com', undefined],
    ['a.nn+x', 'outlook.com', 'a.nn@outlook.com'],
    ['ann+x', 'example.com', undefined],
    ['+x', 'outlook.com', undefined],
  ] as const)
    it(`of ${local}@${domain} is ${root ?? 'not known, or the same'}`, () => assert.equal(rootOf(local, domain), root));
});

describe('judge', () => {
  const none = { isBounced: false, isComplained: false, isUnsubscribed: false, isDelivered: false };
  const plain = {
    isWellFormed: true,
    dns: 'takes_mail',
    isDisposable: false,
    isRole: false,
    isTypo: false,
    history: none,
    probe: 'not_asked',
  } as const;
  const rows: [facts: Partial<Parameters<typeof judge>[0]>, result: string, risk: string, reasons: string[]][] = [
    [{}, 'unknown', 'unknown', ['mailbox_not_known']],
    [{ isWellFormed: false }, 'undeliverable', 'high', ['malformed_address']],
    [{ dns: 'nowhere' }, 'undeliverable', 'high', ['no_mail_server']],
    [{ dns: 'null_mx', isRole: true }, 'undeliverable', 'high', ['domain_takes_no_mail', 'mailbox_is_role_address']],
    [{ dns: 'unknown' }, 'unknown', 'unknown', ['dns_not_answered']],
    [{ isDisposable: true }, 'do_not_send', 'high', ['mailbox_is_disposable_address']],
    [{ isRole: true }, 'unknown', 'medium', ['mailbox_not_known', 'mailbox_is_role_address']],
    [{ isTypo: true }, 'unknown', 'high', ['mailbox_not_known', 'typo_of_provider']],
    [{ history: { ...none, isBounced: true } }, 'undeliverable', 'high', ['bounced_before']],
    [{ history: { ...none, isComplained: true } }, 'do_not_send', 'high', ['complained_before']],
    [{ history: { ...none, isUnsubscribed: true } }, 'do_not_send', 'medium', ['unsubscribed_before']],
    [{ history: { ...none, isDelivered: true } }, 'deliverable', 'low', []],
    [{ history: { ...none, isDelivered: true }, dns: 'unknown' }, 'deliverable', 'low', []],
    [{ probe: 'accepted' }, 'deliverable', 'low', []],
    [{ probe: 'accepted', isRole: true }, 'deliverable', 'medium', ['mailbox_is_role_address']],
    [{ probe: 'refused' }, 'undeliverable', 'high', ['mailbox_does_not_exist']],
    [{ probe: 'accepts_all' }, 'catch_all', 'medium', ['catch_all']],
    [{ probe: 'unknown' }, 'unknown', 'unknown', ['mailbox_not_known']],
  ];
  for (const [facts, result, risk, reasons] of rows)
    it(`says ${result} of ${JSON.stringify(facts)}`, () =>
      assert.deepEqual(judge({ ...plain, ...facts }), { result, risk, reasons }));
});
