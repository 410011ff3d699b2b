// DKIM, DMARC, ARC, BIMI and reverse DNS, each case against a declared zone.
import assert from 'node:assert/strict';
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { sealMessage } from 'mailauth/lib/arc/index.js';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { createZoneDns, type DeclaredRecords, type DeclaredZone } from '../../../test/harness/dns-zone.ts';
import {
  authenticate,
  dkimRecord,
  generateDkimKey,
  signDkim,
  type Authentication,
  type DkimResult,
  type DmarcPolicy,
  type DmarcResult,
} from './index.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const HERE = '192.0.2.1';
const keys: Record<'rsa' | 'weak' | 'ed25519' | 'other', string> = { rsa: '', weak: '', ed25519: '', other: '' };

before(async () => {
  [keys.rsa, keys.weak, keys.ed25519, keys.other] = await Promise.all([
    generateDkimKey('rsa-2048'),
    generateDkimKey('rsa-1024'),
    generateDkimKey('ed25519'),
    generateDkimKey('rsa-2048'),
  ]);
});

const MESSAGE = [
  'From: Ann <ann@example.com>',
  'To: bob@example.org',
  'Subject: a   folded',
  '\tsubject ',
  'Date: Sat, 21 Nov 2026 10:00:00 +0000',
  'Message-ID: <1@example.com>',
  'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=utf-8',
  'List-Unsubscribe: <https://example.com/u>',
  'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  '',
  'Hello   Bob, \t ',
  '',
  'Grüße',
  '',
  '',
  '',
].join('\r\n');

function judge(
  raw: Buffer | string,
  zone: DeclaredZone,
  envelope: { ip?: string; helo?: string; mailFrom?: string } = {},
): Promise<Authentication> {
  return authenticate(Buffer.from(raw), {
    ip: HERE,
    helo: 'mail.example.com',
    mailFrom: 'bounce@example.com',
    mta: 'mx.receiver.test',
    ...envelope,
    dns: createZoneDns(zone),
    now: NOW,
  });
}

const signed = (message = MESSAGE, domain = 'example.com'): string =>
  signDkim(Buffer.from(message), [{ domain, selector: 's1', privateKey: keys.rsa }], NOW).toString();
const keyAt = (record: string, domain = 'example.com'): DeclaredZone => ({
  [`s1._domainkey.${domain}`]: { TXT: [record] },
});
const goodKey = (domain = 'example.com'): DeclaredZone => keyAt(dkimRecord(keys.rsa), domain);

/** What mailauth signs, for what our signer does not do. */
async function signedWith(options: object, message = MESSAGE): Promise<string> {
  const { signatures, errors } = await dkimSign(Buffer.from(message), {
    signTime: NOW,
    ...options,
    signatureData: [{ signingDomain: 'example.com', selector: 's1', privateKey: keys.rsa, ...options }],
  } as never);
  assert.deepEqual(errors, []);
  return signatures + message;
}

/** A signature over bare text, for tags that no signer writes; `h=from`, body hash of the message. */
function handSigned(tags: string, message = MESSAGE): string {
  const body = `${message
    .slice(message.indexOf('\r\n\r\n') + 4)
    .replace(/[ \t]+/g, ' ')
    .replaceAll(' \r\n', '\r\n')
    .replace(/(\r\n)+$/, '')}\r\n`;
  const field = `DKIM-Signature: ${tags}; h=from; bh=${createHash('sha256').update(body).digest('base64')}; b=`;
  const text = `from:Ann <ann@example.com>\r\n${field.replace('DKIM-Signature: ', 'dkim-signature:')}`;
  return `${field}${sign('sha256', Buffer.from(text), createPrivateKey(keys.rsa)).toString('base64')}\r\n${message}`;
}

interface DkimCase {
  what: string;
  message: () => string | Promise<string>;
  zone: () => DeclaredZone;
  result: DkimResult;
  reason: RegExp;
  check?: (verdict: Authentication['dkim'][number]) => void;
}

const TAGS = 'v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=s1';
const changed = (from: string | RegExp, to: string) => () => signed().replace(from, to);

const DKIM: readonly DkimCase[] = [
  {
    what: 'rsa-sha256 by our signer',
    message: () => signed(),
    zone: goodKey,
    result: 'pass',
    reason: /fits the key at s1/,
    check: (v) =>
      assert.deepEqual([v.algorithm, v.keyBits, v.coveredBytes === v.bodyBytes], ['rsa-sha256', 2048, true]),
  },
  {
    what: 'ed25519-sha256 by our signer',
    message: () =>
      signDkim(
        Buffer.from(MESSAGE),
        [{ domain: 'example.com', selector: 's1', privateKey: keys.ed25519 }],
        NOW,
      ).toString(),
    zone: () => keyAt(dkimRecord(keys.ed25519)),
    result: 'pass',
    reason: /fits/,
    check: (v) => assert.deepEqual([v.algorithm, v.keyBits], ['ed25519-sha256', 256]),
  },
  {
    what: 'an empty body',
    message: () => signed(MESSAGE.slice(0, MESSAGE.indexOf('\r\n\r\n') + 4)),
    zone: goodKey,
    result: 'pass',
    reason: /fits/,
  },
  {
    what: 'no body and no blank line',
    message: () => signed('From: ann@example.com\r\nSubject: x\r\n'),
    zone: goodKey,
    result: 'pass',
    reason: /fits/,
  },
  {
    what: 'a body that does not end its last line',
    message: () => signed(MESSAGE.replace(/(\r\n)+$/, ' ')),
    zone: goodKey,
    result: 'pass',
    reason: /fits/,
  },
  {
    what: 'simple canonicalization',
    message: () => signedWith({ canonicalization: 'simple/simple' }),
    zone: goodKey,
    result: 'pass',
    reason: /fits/,
  },
  {
    what: 'blanks changed on the way (relaxed)',
    message: changed('Hello   Bob, \t ', 'Hello Bob,'),
    zone: goodKey,
    result: 'pass',
    reason: /fits/,
  },
  {
    what: 'a field folded anew on the way (relaxed)',
    message: changed('Subject: a   folded\r\n\tsubject ', 'subject:a folded subject'),
    zone: goodKey,
    result: 'pass',
    reason: /fits/,
  },
  {
    what: 'a changed body',
    message: changed('Hello', 'Howdy'),
    zone: goodKey,
    result: 'fail',
    reason: /body was changed/,
  },
  {
    what: 'a changed subject',
    message: changed('folded', 'forged'),
    zone: goodKey,
    result: 'fail',
    reason: /does not fit the key/,
  },
  {
    what: 'another key published',
    message: () => signed(),
    zone: () => keyAt(dkimRecord(keys.other)),
    result: 'fail',
    reason: /another key made it/,
  },
  {
    what: 'a second Subject on top of oversigned ones',
    message: () => signed().replace('From: Ann', 'Subject: forged\r\nFrom: Ann'),
    zone: goodKey,
    result: 'fail',
    reason: /does not fit/,
  },
  {
    what: 'a Reply-To added, whose absence is signed',
    message: () => signed().replace('From: Ann', 'Reply-To: evil@example.net\r\nFrom: Ann'),
    zone: goodKey,
    result: 'fail',
    reason: /does not fit/,
  },
  {
    what: 'an unsigned field added',
    message: () => signed().replace('From: Ann', 'X-Scanned: yes\r\nFrom: Ann'),
    zone: goodKey,
    result: 'pass',
    reason: /fits/,
  },
  {
    what: 'both unsubscribe fields are signed (RFC 8058 §4)',
    message: () => signed(),
    zone: goodKey,
    result: 'pass',
    reason: /fits/,
    check: (v) =>
      assert.ok(
        ['list-unsubscribe', 'list-unsubscribe-post', 'from', 'reply-to', 'cc'].every((name) =>
          v.oversignedFields.includes(name),
        ),
      ),
  },
  {
    what: 'a body length that covers all',
    message: () => signedWith({ maxBodyLength: 10_000 }),
    zone: goodKey,
    result: 'pass',
    reason: /fits/,
  },
  {
    what: 'a body length with text appended',
    message: async () => `${await signedWith({ maxBodyLength: 12 })}appended\r\n`,
    zone: goodKey,
    result: 'pass',
    reason: /not covered \(l=\)/,
    check: (v) => assert.ok((v.coveredBytes ?? 0) < (v.bodyBytes ?? 0)),
  },
  {
    what: 'a signature that expires in a second',
    message: () =>
      signedWith({ expires: new Date('2026-11-21T10:00:01Z'), signTime: new Date('2026-11-01T10:00:00Z') }),
    zone: goodKey,
    result: 'pass',
    reason: /fits/,
  },
  {
    what: 'a signature that expired a second ago',
    message: () =>
      signedWith({ signTime: new Date('2026-11-01T10:00:00Z'), expires: new Date('2026-11-21T09:59:59Z') }),
    zone: goodKey,
    result: 'neutral',
    reason: /expired on 2026-11-21T09:59:59/,
  },
  {
    what: 'no key',
    message: () => signed(),
    zone: () => ({}),
    result: 'neutral',
    reason: /no key at s1\._domainkey\.example\.com/,
  },
  {
    what: 'a revoked key',
    message: () => signed(),
    zone: () => keyAt('v=DKIM1; k=rsa; p='),
    result: 'neutral',
    reason: /no key that can be read, or a revoked one/,
  },
  {
    what: 'a key in two strings',
    message: () => signed(),
    zone: () => ({
      's1._domainkey.example.com': { TXT: [[dkimRecord(keys.rsa).slice(0, 250), dkimRecord(keys.rsa).slice(250)]] },
    }),
    result: 'pass',
    reason: /fits/,
  },
  {
    what: 'a key through an alias',
    message: () => signed(),
    zone: () => ({
      's1._domainkey.example.com': { CNAME: ['k.esp.test'] },
      'k.esp.test': { TXT: [dkimRecord(keys.rsa)] },
    }),
    result: 'pass',
    reason: /fits/,
  },
  {
    what: 'a key that is not for email',
    message: () => signed(),
    zone: () => keyAt(dkimRecord(keys.rsa).replace('k=rsa;', 'k=rsa; s=tlsrpt;')),
    result: 'neutral',
    reason: /not meant for email/,
  },
  {
    what: 'a key for another hash',
    message: () => signed(),
    zone: () => keyAt(dkimRecord(keys.rsa).replace('k=rsa;', 'k=rsa; h=sha1;')),
    result: 'neutral',
    reason: /does not allow the hash/,
  },
  {
    what: 'a key of another type',
    message: () => signed(),
    zone: () => keyAt(dkimRecord(keys.ed25519)),
    result: 'neutral',
    reason: /another algorithm/,
  },
  {
    what: 'a key whose base64 is broken',
    message: () => signed(),
    zone: () => keyAt('v=DKIM1; k=rsa; p=!!notbase64'),
    result: 'neutral',
    reason: /key/,
  },
  {
    what: 'two keys under one selector, the right one among them',
    message: () => signed(),
    zone: () => ({ 's1._domainkey.example.com': { TXT: [dkimRecord(keys.rsa), 'v=DKIM1; p='] } }),
    result: 'pass',
    reason: /fits/,
  },
  {
    what: 'a body length beyond the body',
    message: () => handSigned(`${TAGS}; l=100000`),
    zone: goodKey,
    result: 'neutral',
    reason: /covers more than the body holds/,
  },
  {
    what: 'a signature that expires before it was made',
    message: () => handSigned(`${TAGS}; t=1763000000; x=1762000000`),
    zone: goodKey,
    result: 'neutral',
    reason: /expire/,
  },
  {
    what: 'a signature from the future, which a verifier may ignore (§3.5)',
    message: () => handSigned(`${TAGS}; t=4000000000`),
    zone: goodKey,
    result: 'pass',
    reason: /fits/,
  },
  {
    what: 'a key in a readable domain',
    message: () => signed(MESSAGE, 'xn--bcher-kva.example'),
    zone: () => goodKey('xn--bcher-kva.example'),
    result: 'pass',
    reason: /fits/,
  },
  {
    what: 'a domain that tests',
    message: () => signed(),
    zone: () => keyAt(dkimRecord(keys.rsa).replace('k=rsa;', 'k=rsa; t=y;')),
    result: 'pass',
    reason: /fits/,
    check: (v) => assert.equal(v.isTesting, true),
  },
  {
    what: 'a name server that fails',
    message: () => signed(),
    zone: () => ({ 's1._domainkey.example.com': { fails: 'ESERVFAIL' } }),
    result: 'temperror',
    reason: /could not be looked up/,
  },
  {
    what: 'an rsa key of 1024 bits still verifies',
    message: () =>
      signDkim(
        Buffer.from(MESSAGE),
        [{ domain: 'example.com', selector: 's1', privateKey: keys.weak }],
        NOW,
      ).toString(),
    zone: () => keyAt(dkimRecord(keys.weak)),
    result: 'pass',
    reason: /fits/,
    check: (v) => assert.equal(v.keyBits, 1024),
  },
  {
    what: 'rsa-sha1',
    message: () => signedWith({ algorithm: 'rsa-sha1' }),
    zone: goodKey,
    result: 'policy',
    reason: /rsa-sha1, which must not be used/,
  },
  {
    what: 'a signature by hand with the least tags',
    message: () => handSigned(TAGS),
    zone: goodKey,
    result: 'pass',
    reason: /fits/,
  },
  {
    what: 'another version',
    message: () => handSigned(TAGS.replace('v=1', 'v=2')),
    zone: goodKey,
    result: 'neutral',
    reason: /another version/,
  },
  {
    what: 'an identity outside the signing domain',
    message: () => handSigned(`${TAGS}; i=@example.net`),
    zone: goodKey,
    result: 'neutral',
    reason: /does not lie within/,
  },
  {
    what: 'an identity in a subdomain',
    message: () => handSigned(`${TAGS}; i=news@list.example.com`),
    zone: goodKey,
    result: 'pass',
    reason: /fits/,
  },
  {
    what: 'an identity in a subdomain of a strict key',
    message: () => handSigned(`${TAGS}; i=news@list.example.com`),
    zone: () => keyAt(dkimRecord(keys.rsa).replace('k=rsa;', 'k=rsa; t=s;')),
    result: 'neutral',
    reason: /does not lie within/,
  },
  {
    what: 'a signature without d=',
    message: () => handSigned(TAGS.replace('d=example.com; ', '')),
    zone: goodKey,
    result: 'neutral',
    reason: /lacks a tag/,
  },
  {
    what: 'From is not signed',
    message: () => handSigned(TAGS).replace('h=from', 'h=subject'),
    zone: goodKey,
    result: 'neutral',
    reason: /From is not among the signed fields/,
  },
  {
    what: 'a message without a signature',
    message: () => MESSAGE,
    zone: goodKey,
    result: 'none',
    reason: /no DKIM signature/,
  },
];

interface DmarcCase {
  what: string;
  from?: string;
  /** Domains that sign. */
  signers?: string[];
  /** MAIL FROM domain; SPF passes for it unless `spf` is false. */
  mailFrom?: string;
  spf?: boolean;
  zone: DeclaredZone;
  result: DmarcResult;
  policy?: DmarcPolicy | null;
  disposition?: DmarcPolicy;
  reason?: RegExp;
  organizationalDomain?: string;
}

const dmarc = (name: string, text: string, more: DeclaredRecords = {}): DeclaredZone => ({
  [`_dmarc.${name}`]: { TXT: [text] },
  [name]: { A: [HERE], ...more },
});

const DMARC: readonly DmarcCase[] = [
  { what: 'no record', zone: {}, result: 'none', policy: null, reason: /publishes a DMARC record/ },
  {
    what: 'DKIM aligns',
    signers: ['example.com'],
    zone: dmarc('example.com', 'v=DMARC1; p=reject'),
    result: 'pass',
    policy: 'reject',
    disposition: 'none',
    reason: /by the DKIM signature of example\.com/,
  },
  {
    what: 'SPF aligns',
    mailFrom: 'example.com',
    zone: dmarc('example.com', 'v=DMARC1; p=reject'),
    result: 'pass',
    reason: /by SPF for example\.com/,
  },
  {
    what: 'neither passes, reject',
    zone: dmarc('example.com', 'v=DMARC1; p=reject'),
    result: 'fail',
    policy: 'reject',
    disposition: 'reject',
    reason: /no DKIM signature passed/,
  },
  {
    what: 'neither passes, quarantine',
    zone: dmarc('example.com', 'v=DMARC1; p=quarantine'),
    result: 'fail',
    disposition: 'quarantine',
  },
  {
    what: 'neither passes, none',
    zone: dmarc('example.com', 'v=DMARC1; p=none'),
    result: 'fail',
    policy: 'none',
    disposition: 'none',
  },
  {
    what: 'a signature of another domain',
    signers: ['esp.test'],
    zone: dmarc('example.com', 'v=DMARC1; p=reject'),
    result: 'fail',
    disposition: 'reject',
    reason: /DKIM passed for esp\.test, which does not align/,
  },
  {
    what: 'SPF of another domain',
    mailFrom: 'esp.test',
    zone: dmarc('example.com', 'v=DMARC1; p=reject'),
    result: 'fail',
    reason: /SPF passed for esp\.test, which does not align/,
  },
  {
    what: 'one of two signatures aligns',
    signers: ['esp.test', 'example.com'],
    zone: dmarc('example.com', 'v=DMARC1; p=reject'),
    result: 'pass',
  },
  {
    what: 'relaxed: a subdomain signs',
    signers: ['mail.example.com'],
    zone: dmarc('example.com', 'v=DMARC1; p=reject'),
    result: 'pass',
  },
  {
    what: 'strict DKIM: a subdomain signs',
    signers: ['mail.example.com'],
    zone: dmarc('example.com', 'v=DMARC1; p=reject; adkim=s'),
    result: 'fail',
    reason: /\(strict\)/,
  },
  {
    what: 'strict DKIM: the domain itself signs',
    signers: ['example.com'],
    zone: dmarc('example.com', 'v=DMARC1; p=reject; adkim=s'),
    result: 'pass',
  },
  {
    what: 'relaxed: SPF for a subdomain',
    mailFrom: 'bounce.example.com',
    zone: dmarc('example.com', 'v=DMARC1; p=reject'),
    result: 'pass',
  },
  {
    what: 'strict SPF: a subdomain',
    mailFrom: 'bounce.example.com',
    zone: dmarc('example.com', 'v=DMARC1; p=reject; aspf=s'),
    result: 'fail',
  },
  {
    what: 'strict SPF, relaxed DKIM of a subdomain',
    signers: ['mail.example.com'],
    mailFrom: 'bounce.example.com',
    zone: dmarc('example.com', 'v=DMARC1; p=reject; aspf=s'),
    result: 'pass',
  },
  {
    what: 'the author in a subdomain, signed by the domain',
    from: 'news.example.com',
    signers: ['example.com'],
    zone: { ...dmarc('example.com', 'v=DMARC1; p=reject'), 'news.example.com': { A: [HERE] } },
    result: 'pass',
    organizationalDomain: 'example.com',
  },
  {
    what: 'sp= for a subdomain that exists',
    from: 'news.example.com',
    zone: { ...dmarc('example.com', 'v=DMARC1; p=none; sp=quarantine'), 'news.example.com': { A: [HERE] } },
    result: 'fail',
    policy: 'quarantine',
    disposition: 'quarantine',
  },
  {
    what: 'np= for a subdomain that does not exist',
    from: 'gone.example.com',
    zone: dmarc('example.com', 'v=DMARC1; p=none; sp=quarantine; np=reject'),
    result: 'fail',
    policy: 'reject',
  },
  {
    what: 'np= does not count for a subdomain that exists',
    from: 'news.example.com',
    zone: { ...dmarc('example.com', 'v=DMARC1; p=none; np=reject'), 'news.example.com': { A: [HERE] } },
    result: 'fail',
    policy: 'none',
  },
  {
    what: 'a record of the subdomain’s own',
    from: 'news.example.com',
    zone: { ...dmarc('example.com', 'v=DMARC1; p=reject'), ...dmarc('news.example.com', 'v=DMARC1; p=quarantine') },
    result: 'fail',
    policy: 'quarantine',
  },
  {
    what: 'tree walk: four levels up',
    from: 'a.b.c.d.example.com',
    signers: ['example.com'],
    zone: { ...dmarc('example.com', 'v=DMARC1; p=reject'), 'a.b.c.d.example.com': { A: [HERE] } },
    result: 'pass',
    organizationalDomain: 'example.com',
  },
  {
    what: 'tree walk: a record in between is neither the author’s nor the organization’s (§4.10.1)',
    from: 'a.sub.example.com',
    signers: ['example.com'],
    zone: { ...dmarc('example.com', 'v=DMARC1; p=reject'), ...dmarc('sub.example.com', 'v=DMARC1; p=quarantine') },
    result: 'pass',
    organizationalDomain: 'example.com',
    policy: 'reject',
  },
  {
    what: 'tree walk: psd=n ends it below',
    from: 'a.sub.example.com',
    signers: ['example.com'],
    zone: {
      ...dmarc('example.com', 'v=DMARC1; p=reject'),
      ...dmarc('sub.example.com', 'v=DMARC1; p=quarantine; psd=n'),
    },
    result: 'fail',
    organizationalDomain: 'sub.example.com',
    policy: 'quarantine',
  },
  {
    what: 'tree walk: psd=y makes the name below the organization',
    from: 'shop.city.test',
    signers: ['bank.city.test'],
    zone: { ...dmarc('city.test', 'v=DMARC1; p=reject; psd=y'), 'shop.city.test': { A: [HERE] } },
    result: 'fail',
    organizationalDomain: 'shop.city.test',
    policy: 'reject',
  },
  {
    what: 'a public suffix is no organization without psd=y when it publishes nothing',
    from: 'shop.co.uk',
    signers: ['bank.co.uk'],
    zone: dmarc('shop.co.uk', 'v=DMARC1; p=reject'),
    result: 'fail',
    organizationalDomain: 'shop.co.uk',
  },
  {
    what: 'tree walk: a name of ten labels goes on at the last seven',
    from: 'a.b.c.d.e.f.g.h.example.com',
    signers: ['example.com'],
    zone: {
      ...dmarc('example.com', 'v=DMARC1; p=reject'),
      ...dmarc('b.c.d.e.f.g.h.example.com', 'v=DMARC1; p=none; psd=n'),
      'a.b.c.d.e.f.g.h.example.com': { A: [HERE] },
    },
    result: 'pass',
    organizationalDomain: 'example.com',
    policy: 'reject',
  },
  {
    what: 'tree walk: a record at the seventh label is seen',
    from: 'a.b.c.d.e.f.g.h.example.com',
    signers: ['example.com'],
    zone: {
      ...dmarc('example.com', 'v=DMARC1; p=reject'),
      ...dmarc('e.f.g.h.example.com', 'v=DMARC1; p=quarantine; psd=n'),
      'a.b.c.d.e.f.g.h.example.com': { A: [HERE] },
    },
    result: 'fail',
    organizationalDomain: 'e.f.g.h.example.com',
    policy: 'quarantine',
  },
  {
    what: 'tree walk: a name server that fails above the author',
    from: 'news.example.com',
    zone: { '_dmarc.example.com': { fails: 'ETIMEOUT' }, 'news.example.com': { A: [HERE] } },
    result: 'temperror',
  },
  {
    what: 'no sp=: p= stands for subdomains',
    from: 'news.example.com',
    zone: { ...dmarc('example.com', 'v=DMARC1; p=quarantine'), 'news.example.com': { A: [HERE] } },
    result: 'fail',
    policy: 'quarantine',
  },
  {
    what: 'no np=: sp= stands for a subdomain that does not exist',
    from: 'gone.example.com',
    zone: dmarc('example.com', 'v=DMARC1; p=reject; sp=quarantine'),
    result: 'fail',
    policy: 'quarantine',
  },
  {
    what: 'sp= does not count for the domain itself',
    zone: dmarc('example.com', 'v=DMARC1; p=none; sp=reject'),
    result: 'fail',
    policy: 'none',
  },
  {
    what: 'a record through an alias',
    zone: {
      '_dmarc.example.com': { CNAME: ['policy.esp.test'] },
      'policy.esp.test': { TXT: ['v=DMARC1; p=reject'] },
      'example.com': { A: [HERE] },
    },
    result: 'fail',
    policy: 'reject',
  },
  {
    what: 'a record beside others',
    zone: {
      '_dmarc.example.com': { TXT: ['x=1', 'v=DMARC1; p=reject', 'v=DMARC10; p=none'] },
      'example.com': { A: [HERE] },
    },
    result: 'fail',
    policy: 'reject',
  },
  {
    what: 'blanks, values in upper case and unknown tags',
    zone: dmarc('example.com', 'v = DMARC1 ;p = Reject; Foo=bar; adkim=S ;'),
    signers: ['mail.example.com'],
    result: 'fail',
    policy: 'reject',
    reason: /\(strict\)/,
  },
  {
    what: 'names of tags in upper case are other tags (RFC 6376 §3.2)',
    zone: dmarc('example.com', 'v=DMARC1; P=reject'),
    result: 'none',
  },
  {
    what: 'a faulty alignment mode is relaxed',
    signers: ['mail.example.com'],
    zone: dmarc('example.com', 'v=DMARC1; p=reject; adkim=x'),
    result: 'pass',
  },
  {
    what: 'no policy at all is p=none',
    zone: dmarc('example.com', 'v=DMARC1; rua=mailto:r@example.com'),
    result: 'fail',
    policy: 'none',
  },
  {
    what: 'the author’s domain in its readable form',
    from: 'bücher.example',
    signers: ['xn--bcher-kva.example'],
    zone: dmarc('xn--bcher-kva.example', 'v=DMARC1; p=reject'),
    result: 'pass',
  },
  {
    what: 't=y: one level lower',
    zone: dmarc('example.com', 'v=DMARC1; p=reject; t=y'),
    result: 'fail',
    policy: 'quarantine',
    disposition: 'quarantine',
  },
  {
    what: 'pct= is no longer looked at',
    zone: dmarc('example.com', 'v=DMARC1; p=reject; pct=0'),
    result: 'fail',
    policy: 'reject',
  },
  {
    what: 'two records count as none',
    zone: { '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject', 'v=DMARC1; p=none'] } },
    result: 'none',
  },
  {
    what: 'a record that does not begin with its version',
    zone: { '_dmarc.example.com': { TXT: ['p=reject; v=DMARC1'] } },
    result: 'none',
  },
  {
    what: 'a faulty policy with an address for reports is p=none',
    zone: dmarc('example.com', 'v=DMARC1; p=foo; rua=mailto:r@example.com'),
    result: 'fail',
    policy: 'none',
  },
  {
    what: 'a name server that fails',
    zone: { '_dmarc.example.com': { fails: 'ESERVFAIL' } },
    result: 'temperror',
    reason: /could not be looked up/,
  },
];

let right = 0;
const report = (what: string, total: number) => () => {
  console.log(`${what}: ${right} of ${total} declared cases right`);
  right = 0;
};

describe('DKIM', () => {
  after(report('DKIM (RFC 6376, 8301, 8463)', DKIM.length));
  for (const { what, message, zone, result, reason, check } of DKIM) {
    it(`${what}: ${result}`, async () => {
      const [verdict] = (await judge(await message(), zone())).dkim;
      assert.ok(verdict);
      assert.equal(verdict.result, result, verdict.reason);
      assert.match(verdict.reason, reason);
      assert.match(verdict.rfc, /^RFC (6376|8301|8463) §/);
      check?.(verdict);
      right++;
    });
  }

  it('judges each of several signatures by itself', async () => {
    const raw = signDkim(
      Buffer.from(MESSAGE),
      [
        { domain: 'example.com', selector: 's1', privateKey: keys.rsa },
        { domain: 'esp.test', selector: 's1', privateKey: keys.ed25519 },
      ],
      NOW,
    );
    const { dkim } = await judge(raw, {
      ...goodKey(),
      ...keyAt(dkimRecord(keys.other), 'esp.test'),
      ...dmarc('example.com', 'v=DMARC1; p=none'),
    });
    assert.deepEqual(
      dkim.map(({ domain, result, isAligned }) => [domain, result, isAligned]),
      [
        ['example.com', 'pass', true],
        ['esp.test', 'neutral', false],
      ],
    );
  });

  it('is not kept busy by a message with hundreds of signatures', async () => {
    const many =
      Array.from({ length: 400 }, (_, index) => handSigned(TAGS.replace('s=s1', `s=x${index}`), '')).join('') + MESSAGE;
    const dns = createZoneDns(goodKey());
    const { dkim } = await authenticate(Buffer.from(many), {
      ip: HERE,
      helo: 'x',
      mailFrom: '',
      mta: 'mx',
      dns,
      now: NOW,
    });
    assert.ok(dkim.length <= 20);
    assert.ok(dns.questions.length <= 130, `${dns.questions.length} questions`);
  });

  it('never leaves a message unsigned when a key does not work', () => {
    assert.throws(() =>
      signDkim(Buffer.from(MESSAGE), [{ domain: 'example.com', selector: 's1', privateKey: 'x' }], NOW),
    );
    assert.throws(
      () => signDkim(Buffer.from(MESSAGE), [{ domain: 'example.com; l=0', selector: 's1', privateKey: keys.rsa }], NOW),
      /not names of a DKIM key/,
    );
  });
});

describe('DMARC', () => {
  after(report('DMARC (RFC 9989)', DMARC.length));
  for (const { what, from = 'example.com', signers = [], mailFrom, zone, ...expected } of DMARC) {
    it(`${what}: ${expected.result}`, async () => {
      const message = MESSAGE.replace('ann@example.com', `ann@${from}`);
      const raw = signDkim(
        Buffer.from(message),
        signers.map((domain) => ({ domain, selector: 's1', privateKey: keys.rsa })),
        NOW,
      );
      const spfZone: DeclaredZone =
        mailFrom === undefined ? {} : { [mailFrom]: { ...zone[mailFrom], TXT: [`v=spf1 ip4:${HERE} -all`] } };
      const { dmarc: verdict } = await judge(
        raw,
        { ...zone, ...Object.assign({}, ...signers.map((domain) => goodKey(domain))), ...spfZone },
        { mailFrom: `bounce@${mailFrom ?? 'nobody.test'}` },
      );
      assert.equal(verdict.result, expected.result, verdict.reason);
      if (expected.policy !== undefined) assert.equal(verdict.policy, expected.policy);
      if (expected.disposition !== undefined) assert.equal(verdict.disposition, expected.disposition);
      if (expected.organizationalDomain !== undefined)
        assert.equal(verdict.organizationalDomain, expected.organizationalDomain);
      if (expected.reason) assert.match(verdict.reason, expected.reason);
      assert.match(verdict.rfc, /^RFC 9989 §/);
      right++;
    });
  }

  it('cannot judge a message whose author is not one domain', async () => {
    const zone = dmarc('example.com', 'v=DMARC1; p=reject');
    const { dmarc: none } = await judge(MESSAGE.replace('From: Ann <ann@example.com>', 'From: nobody'), zone);
    assert.equal(none.result, 'permerror');
    const { dmarc: two } = await judge(
      MESSAGE.replace('From: Ann <ann@example.com>', 'From: ann@example.com, bob@example.net'),
      zone,
    );
    assert.match(two.reason, /several domains/);
    const { dmarc: twice } = await judge(`From: eve@example.net\r\n${MESSAGE}`, zone);
    assert.match(twice.reason, /more than one From/);
  });
});

describe('ARC', () => {
  const sealed = async (message: string, domain: string, extra: object = {}): Promise<string> => {
    const seal = await sealMessage(Buffer.from(message), {
      signingDomain: domain,
      selector: 's1',
      privateKey: keys.rsa,
      authResults: `${domain}; spf=pass; dkim=pass; dmarc=pass`,
      ...extra,
    } as never);
    return seal.toString() + message;
  };
  /** One set by hand: the message signature made one way, whatever its c= says, or says not. */
  const handSealed = (form: 'simple' | 'relaxed', c: string): string => {
    const cut = MESSAGE.indexOf('\r\n\r\n') + 4;
    const field = (line: string) =>
      `${line.slice(0, line.indexOf(':')).toLowerCase()}:${line
        .slice(line.indexOf(':') + 1)
        .replaceAll('\r\n', '')
        .replace(/[ \t]+/g, ' ')
        .trim()}`;
    const formed = (line: string) => (form === 'simple' ? line : field(line));
    const ended = (body: string) => `${body.replace(/(\r\n)+$/, '')}\r\n`;
    const body =
      form === 'simple'
        ? ended(MESSAGE.slice(cut))
        : ended(
            MESSAGE.slice(cut)
              .replace(/[ \t]+/g, ' ')
              .replaceAll(' \r\n', '\r\n'),
          );
    const signature = (text: string) =>
      sign('sha256', Buffer.from(text), createPrivateKey(keys.rsa)).toString('base64');
    const signedFields = ['From: Ann <ann@example.com>', 'Subject: a   folded\r\n\tsubject '];
    const results = 'ARC-Authentication-Results: i=1; list.test; spf=pass';
    const tags =
      `ARC-Message-Signature: i=1; a=rsa-sha256;${c} d=list.test; s=s1;\r\n` +
      `\th=from:subject; bh=${createHash('sha256').update(body).digest('base64')}; b=`;
    const message = tags + signature([...signedFields, tags].map(formed).join('\r\n'));
    const seal = 'ARC-Seal: i=1; a=rsa-sha256; cv=none; d=list.test; s=s1; b=';
    return [seal + signature([results, message, seal].map(field).join('\r\n')), message, results, MESSAGE].join('\r\n');
  };
  const zone = (): DeclaredZone => ({
    ...goodKey('list.test'),
    ...goodKey('forwarder.test'),
    's1._domainkey.silent.test': { fails: 'ETIMEOUT' },
  });
  const cases: { what: string; message: () => Promise<string>; result: string; reason: RegExp; sealers?: string[] }[] =
    [
      { what: 'no seal', message: async () => MESSAGE, result: 'none', reason: /No server/, sealers: [] },
      {
        what: 'one seal',
        message: () => sealed(MESSAGE, 'list.test'),
        result: 'pass',
        reason: /last by list\.test/,
        sealers: ['list.test'],
      },
      {
        what: 'two seals',
        message: async () => sealed(await sealed(MESSAGE, 'list.test'), 'forwarder.test', { cv: 'pass' }),
        result: 'pass',
        reason: /All 2 seals/,
        sealers: ['list.test', 'forwarder.test'],
      },
      {
        what: 'the body changed after the last seal',
        message: async () => (await sealed(MESSAGE, 'list.test')).replace('Hello', 'Howdy'),
        result: 'fail',
        reason: /broken/,
      },
      {
        what: 'the results changed under the seal',
        message: async () => (await sealed(MESSAGE, 'list.test')).replace('dmarc=pass', 'dmarc=fail'),
        result: 'fail',
        reason: /broken/,
      },
      {
        what: 'a first seal that claims a valid chain before it',
        message: () => sealed(MESSAGE, 'list.test', { cv: 'pass', i: 1 }),
        result: 'fail',
        reason: /broken/,
      },
      {
        what: 'a seal that says the chain was broken before',
        message: async () => sealed(await sealed(MESSAGE, 'list.test'), 'forwarder.test', { cv: 'fail' }),
        result: 'fail',
        reason: /broken/,
      },
      {
        what: 'one set twice',
        message: async () => {
          const once = await sealed(MESSAGE, 'list.test');
          return once.slice(0, once.indexOf('From: Ann')) + once;
        },
        result: 'fail',
        reason: /broken/,
      },
      {
        what: 'a field added that no seal covers',
        message: async () => `X-Scanned: yes\r\n${await sealed(MESSAGE, 'list.test')}`,
        result: 'pass',
        reason: /All 1 seals|The one seal/,
      },
      {
        what: 'a seal whose key cannot be looked up',
        message: () => sealed(MESSAGE, 'silent.test'),
        result: 'fail',
        reason: /broken|could not/,
      },
      {
        what: 'a seal by a key that is not published',
        message: () => sealed(MESSAGE, 'unknown.test'),
        result: 'fail',
        reason: /no key for s1\._domainkey\.unknown\.test/,
      },
      {
        what: 'no c=, which is simple/simple',
        message: async () => handSealed('simple', ''),
        result: 'pass',
        reason: /All 1 seals/,
        sealers: ['list.test'],
      },
      {
        what: 'no c=, changed where only relaxed allows it',
        message: async () => handSealed('simple', '').replace('Hello   Bob', 'Hello Bob'),
        result: 'fail',
        reason: /broken: i=1 no valid signature\.$/,
      },
      {
        what: 'no c=, sealed as relaxed/relaxed',
        message: async () => handSealed('relaxed', ''),
        result: 'fail',
        reason:
          /names no canonicalization \(c=\), which means simple\/simple\. Read as relaxed\/relaxed.* the chain holds\.$/,
      },
      {
        what: 'c=relaxed/relaxed',
        message: async () => handSealed('relaxed', ' c=relaxed/relaxed;'),
        result: 'pass',
        reason: /All 1 seals/,
      },
      {
        what: 'c=simple, whose body is simple as well',
        message: async () => handSealed('simple', ' c=simple;'),
        result: 'pass',
        reason: /All 1 seals/,
      },
      {
        what: 'the middle of the chain taken out',
        message: async () =>
          (await sealed(await sealed(MESSAGE, 'list.test'), 'forwarder.test', { cv: 'pass' })).replace(
            /ARC-Seal: i=1;[^]*?\r\n(?=\S)/,
            '',
          ),
        result: 'fail',
        reason: /broken/,
      },
    ];
  after(() => report('ARC (RFC 8617)', cases.length)());
  for (const { what, message, result, reason, sealers } of cases) {
    it(`${what}: ${result}`, async () => {
      const { arc } = await judge(await message(), zone());
      assert.equal(arc.result, result, arc.reason);
      assert.match(arc.reason, reason);
      if (sealers)
        assert.deepEqual(
          arc.sealers.map(({ domain }) => domain),
          sealers,
        );
      right++;
    });
  }
});

describe('BIMI', () => {
  const zone = (policy: string, bimi: DeclaredZone): DeclaredZone => ({
    ...goodKey(),
    ...dmarc('example.com', `v=DMARC1; p=${policy}`),
    ...bimi,
  });
  const record = (text: string): DeclaredZone => ({ 'default._bimi.example.com': { TXT: [text] } });
  const cases: [what: string, zone: () => DeclaredZone, result: string][] = [
    [
      'a logo with an enforced policy',
      () => zone('reject', record('v=BIMI1; l=https://example.com/logo.svg; a=https://example.com/mark.pem')),
      'pass',
    ],
    ['a policy that is not enforced', () => zone('none', record('v=BIMI1; l=https://example.com/logo.svg')), 'skipped'],
    ['no record', () => zone('reject', {}), 'none'],
    ['a domain that declines', () => zone('reject', record('v=BIMI1; l=; a=')), 'declined'],
    ['a logo without TLS', () => zone('reject', record('v=BIMI1; l=http://example.com/logo.svg')), 'fail'],
  ];
  for (const [what, declared, result] of cases) {
    it(`${what}: ${result}`, async () => {
      const { bimi } = await judge(signed(), declared());
      assert.equal(bimi.result, result, bimi.reason);
      if (result === 'pass')
        assert.deepEqual(
          [bimi.logoUrl, bimi.authorityUrl],
          ['https://example.com/logo.svg', 'https://example.com/mark.pem'],
        );
    });
  }
});

describe('reverse DNS', () => {
  const name = 'mail.example.com';
  const cases: [what: string, zone: DeclaredZone, result: string, helo: boolean][] = [
    ['a name that leads back', { [HERE]: { PTR: [name] }, [name]: { A: [HERE] } }, 'pass', true],
    [
      'one of two names leads back',
      { [HERE]: { PTR: ['other.test', name] }, [name]: { A: ['192.0.2.9', HERE] } },
      'pass',
      true,
    ],
    ['a name that leads elsewhere', { [HERE]: { PTR: [name] }, [name]: { A: ['192.0.2.9'] } }, 'fail', false],
    ['a name that does not exist', { [HERE]: { PTR: ['gone.test'] } }, 'fail', false],
    ['no name', { [name]: { A: [HERE] } }, 'permerror', true],
    ['a reverse zone that fails', { [HERE]: { fails: 'ETIMEOUT' } }, 'temperror', false],
    ['a name whose zone fails', { [HERE]: { PTR: [name] }, [name]: { fails: 'ESERVFAIL' } }, 'temperror', false],
  ];
  for (const [what, zone, result, helo] of cases) {
    it(`${what}: ${result}`, async () => {
      const { reverseDns } = await judge(MESSAGE, zone);
      assert.equal(reverseDns.result, result, reverseDns.reason);
      assert.equal(reverseDns.isHeloConfirmed, helo);
    });
  }
  it('works for IPv6', async () => {
    const { reverseDns } = await judge(
      MESSAGE,
      { '2001:db8::1': { PTR: [name] }, [name]: { AAAA: ['2001:db8:0:0::1'] } },
      { ip: '2001:db8::1' },
    );
    assert.equal(reverseDns.result, 'pass');
  });
});

describe('the fields for the top of the message', () => {
  it('carry every result and cannot be broken out of', async () => {
    const { headerFields } = await judge(
      signed(),
      { ...goodKey(), ...dmarc('example.com', 'v=DMARC1; p=reject') },
      { mailFrom: 'a"\r\nX-Evil: 1\r\n"@example.com', helo: 'x\r\nX-Evil: 2' },
    );
    assert.match(headerFields, /^Authentication-Results: mx\.receiver\.test;\r\n dkim=pass /);
    for (const method of ['dkim', 'spf', 'arc', 'dmarc', 'bimi', 'iprev'])
      assert.match(headerFields, new RegExp(`[\\s;]${method}=`));
    const fields = headerFields
      .split(/\r\n(?![ \t])/)
      .filter(Boolean)
      .map((line) => line.slice(0, line.indexOf(':')));
    assert.deepEqual(fields, ['Authentication-Results', 'Received-SPF']);
  });
});
