import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  bulkSenderFindings,
  checkBulkSender,
  checkOneClick,
  unsubscribeAddresses,
  type BulkSenderInput,
} from './index.ts';

const SIGNATURE =
  'v=1; a=rsa-sha256; d=example.com; s=k1;\r\n\th=From:To:Subject:List-Unsubscribe:\r\n' +
  '\tList-Unsubscribe-Post; bh=x; b=y';
const FIELDS: [string, string][] = [
  ['DKIM-Signature', SIGNATURE],
  ['From', 'The Garden Letter <letter@news.example.com>'],
  ['To', 'anna@reader.example'],
  ['Subject', 'November'],
  ['Date', 'Sat, 21 Nov 2026 10:00:00 +0100'],
  ['Message-ID', '<1@news.example.com>'],
  ['MIME-Version', '1.0'],
  ['Content-Type', 'text/html'],
  ['List-Unsubscribe', '<mailto:leave@news.example.com>,\r\n <https://news.example.com/u/1>'],
  ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ['Feedback-ID', 'november:4711:news:gardenco'],
];
const GOOD: BulkSenderInput = {
  headers: FIELDS.map(([name, value]) => ({ name, value })),
  authentication: {
    spf: { result: 'pass', aligned: true, domain: 'bounce.example.com' },
    dkim: [{ result: 'pass', aligned: true, domain: 'example.com', selector: 'k1', keyBits: 2048 }],
    dmarc: { result: 'pass', policy: 'none', alignedSpf: true, alignedDkim: true },
    reverseDns: { result: 'pass', name: 'mail.example.com' },
  },
  connection: { ip: '192.0.2.1', isEncrypted: true },
  fromDomainExists: true,
  html: '<a href="https://news.example.com/u/1">Unsubscribe</a>',
};

/** Fields replaced, repeated, or (undefined) taken out. */
function fields(changes: Record<string, string | string[] | undefined>): Partial<BulkSenderInput> {
  const names = Object.keys(changes).map((name) => name.toLowerCase());
  return {
    headers: [
      ...GOOD.headers.filter(({ name }) => !names.includes(name.toLowerCase())),
      ...Object.entries(changes).flatMap(([name, value]) => [value ?? []].flat().map((one) => ({ name, value: one }))),
    ],
  };
}
const auth = (changes: Partial<BulkSenderInput['authentication']>): Partial<BulkSenderInput> => ({
  authentication: { ...GOOD.authentication, ...changes },
});

describe('checkBulkSender', () => {
  it('passes a mailing that has everything, and names who asks for what since when', () => {
    const report = checkBulkSender(GOOD);
    assert.deepEqual(
      report.checks.filter(({ status }) => status !== 'pass').map(({ id, reason }) => [id, reason]),
      [],
    );
    assert.deepEqual([report.passed, report.failed, report.warnings, report.unknown], [17, 0, 0, 0]);
    for (const { requirements, reason, title, fix } of report.checks) {
      assert.ok(
        requirements.length &&
          requirements.every(({ provider, document, since }) => provider && document && /^\d{4}-\d{2}/.test(since)),
      );
      assert.ok(reason.endsWith('.') && title && fix === null);
    }
  });
  const cases: [string, Partial<BulkSenderInput>, string, string][] = [
    ['spf', auth({ spf: { result: 'softfail', reason: 'not listed' } }), 'fail', 'SPF gives softfail. Not listed.'],
    ['spf', auth({ spf: { result: 'temperror' } }), 'unknown', 'SPF could not be judged.'],
    ['dkim', auth({ dkim: [] }), 'fail', 'The message is not signed.'],
    [
      'dkim',
      auth({ dkim: [{ result: 'fail', reason: 'body hash differs' }] }),
      'fail',
      'The signature is not valid. Body hash differs.',
    ],
    ['dkim', auth({ dkim: [{ result: 'temperror' }] }), 'unknown', 'A DKIM key could not be looked up.'],
    ['dkim', auth({ dkim: null }), 'unknown', 'DKIM was not judged.'],
    [
      'dkim-key',
      auth({ dkim: [{ result: 'pass', domain: 'example.com', keyBits: 512 }] }),
      'fail',
      'The key has 512 bits.',
    ],
    [
      'dkim-key',
      auth({ dkim: [{ result: 'pass', domain: 'example.com', keyBits: 1024 }] }),
      'warning',
      'The key has 1024 bits; 1024 are the least.',
    ],
    ['dmarc', auth({ dmarc: { result: 'none' } }), 'fail', 'The domain of From has no DMARC record.'],
    [
      'dmarc',
      auth({ dmarc: { result: 'fail', reason: 'nothing is aligned' } }),
      'fail',
      'DMARC gives fail. Nothing is aligned.',
    ],
    ['dmarc', auth({ dmarc: { result: 'temperror' } }), 'unknown', 'DMARC could not be judged.'],
    [
      'alignment',
      auth({ dmarc: { result: 'fail', alignedSpf: false, alignedDkim: false } }),
      'fail',
      'Neither SPF nor DKIM passes with news.example.com.',
    ],
    [
      'alignment',
      auth({ dmarc: { result: 'pass', alignedSpf: false, alignedDkim: true } }),
      'pass',
      'DKIM passes with news.example.com.',
    ],
    ['alignment', { authentication: {} }, 'unknown', 'Authentication was not judged.'],
    ['one-click', fields({ 'List-Unsubscribe-Post': undefined }), 'fail', 'There is no List-Unsubscribe-Post field.'],
    ['one-click', { kind: 'transactional' }, 'not_applicable', 'Transactional mail needs no unsubscribing.'],
    [
      'unsubscribe-link',
      { html: '<p>Hello</p>' },
      'fail',
      'The message offers no way to unsubscribe that can be seen.',
    ],
    [
      'unsubscribe-link',
      { html: '<a href="#">Newsletter abbestellen</a>' },
      'pass',
      'The message offers to unsubscribe.',
    ],
    ['unsubscribe-link', { html: undefined }, 'unknown', 'The body was not given.'],
    [
      'feedback-id',
      fields({ 'Feedback-ID': undefined }),
      'warning',
      'There is no Feedback-ID, so complaints cannot be told apart by campaign.',
    ],
    ['feedback-id', fields({ 'Feedback-ID': 'a:b:c:d:e' }), 'warning', 'Feedback-ID is "a:b:c:d:e".'],
    ['tls', { connection: { isEncrypted: false } }, 'fail', 'The message came over an unencrypted connection.'],
    ['tls', { connection: undefined }, 'unknown', 'How the message traveled is not known.'],
    [
      'reverse-dns',
      auth({ reverseDns: { result: 'fail', reason: 'no PTR record' } }),
      'fail',
      '192.0.2.1 has no name that leads back to it. No PTR record.',
    ],
    [
      'spf',
      auth({ spf: { result: 'neutral', reason: 'example.com says neither.' } }),
      'fail',
      'SPF gives neutral. example.com says neither.',
    ],
    ['reverse-dns', auth({ reverseDns: { result: 'temperror' } }), 'unknown', 'Reverse DNS could not be judged.'],
    [
      'from-domain',
      { fromDomainExists: false },
      'fail',
      'news.example.com has neither MX nor address records, so nobody can answer.',
    ],
    [
      'from-domain',
      { fromDomainExists: undefined },
      'unknown',
      'Whether news.example.com takes mail was not looked up.',
    ],
    ['single-from', fields({ From: ['a@example.com', 'b@example.com'] }), 'fail', 'There are 2 From fields.'],
    ['single-from', fields({ From: 'A <a@example.com>, B <b@example.com>' }), 'fail', 'From names 2 addresses.'],
    ['single-from', fields({ From: '"Berg, Anna" <a@example.com>' }), 'pass', 'There is one From with one address.'],
    ['single-from', fields({ From: undefined }), 'fail', 'There is no From field.'],
    [
      'from-freemail',
      fields({ From: 'a@gmail.com' }),
      'fail',
      'From is at gmail.com, a public mailbox provider: receivers take this for a forgery.',
    ],
    ['single-fields', fields({ Subject: ['a', 'b'] }), 'fail', 'subject: this field stands more than once.'],
    ['message-id', fields({ 'Message-ID': undefined }), 'fail', 'There is no Message-ID.'],
    ['message-id', fields({ 'Message-ID': 'x' }), 'fail', 'Message-ID is "x".'],
    ['syntax', fields({ Date: undefined }), 'fail', 'There is no Date field.'],
    ['syntax', fields({ Date: 'soon' }), 'fail', 'Date is "soon".'],
    ['syntax', fields({ 'Bad name': 'x' }), 'fail', '"Bad name" is no name of a field.'],
    ['syntax', { syntaxProblems: ['A line has 1200 characters.'] }, 'fail', 'A line has 1200 characters.'],
    [
      'honest-subject',
      fields({ Subject: 'Re: hello' }),
      'fail',
      'The subject starts with “Re:”, yet nothing is answered.',
    ],
    [
      'honest-subject',
      fields({ Subject: 'Re: hello', 'In-Reply-To': '<1@a.example>' }),
      'pass',
      'The subject does not pretend to be an answer.',
    ],
    ['honest-subject', fields({ Subject: '' }), 'fail', 'There is no subject.'],
  ];
  for (const [id, change, status, reason] of cases) {
    it(`${id} ${status}: ${reason}`, () => {
      const check = checkBulkSender({ ...GOOD, ...change }).checks.find((one) => one.id === id)!;
      assert.deepEqual(
        [check.status, check.reason, check.fix !== null],
        [status, reason, status === 'fail' || status === 'warning'],
      );
    });
  }
  it('never throws for what headers hold', () => {
    for (const headers of [[], [{ name: '', value: '' }], FIELDS.map(([name]) => ({ name, value: '<<<>>>,,:;\0' }))])
      assert.equal(checkBulkSender({ headers, authentication: {} }).checks.length, 17);
  });
});

describe('checkOneClick', () => {
  const statusOf = (change: Partial<BulkSenderInput>, id: string) =>
    checkOneClick({ ...GOOD, ...change }).points.find((point) => point.id === id);
  it('says nothing of fields that are not there but that they are missing', () => {
    const { message, status } = statusOf({ headers: [] }, 'single')!;
    assert.deepEqual([status, message], ['not_applicable', 'There is neither field.']);
  });
  it('conforms with both fields, https, and a valid signature over both', () => {
    const { conforms, url, mailto } = checkOneClick(GOOD);
    assert.deepEqual([conforms, url, mailto], [true, 'https://news.example.com/u/1', 'mailto:leave@news.example.com']);
  });
  const cases: [string, string, Partial<BulkSenderInput>, string, RegExp][] = [
    ['no List-Unsubscribe', 'header', fields({ 'List-Unsubscribe': undefined }), 'fail', /no List-Unsubscribe field/],
    [
      'an address without brackets',
      'header',
      fields({ 'List-Unsubscribe': 'https://news.example.com/u/1' }),
      'fail',
      /no address in angle brackets/,
    ],
    [
      'an http address',
      'https',
      fields({ 'List-Unsubscribe': '<http://news.example.com/u/1>' }),
      'fail',
      /is http, not https/,
    ],
    ['mailto only', 'https', fields({ 'List-Unsubscribe': '<mailto:a@example.com>' }), 'fail', /no https address/],
    [
      'no List-Unsubscribe-Post',
      'post',
      fields({ 'List-Unsubscribe-Post': undefined }),
      'fail',
      /no List-Unsubscribe-Post/,
    ],
    ['another value', 'post-value', fields({ 'List-Unsubscribe-Post': 'One-Click' }), 'fail', /"One-Click"/],
    [
      'the field twice',
      'single',
      fields({ 'List-Unsubscribe': ['<https://a.example/>', '<https://b.example/>'] }),
      'fail',
      /more than once/,
    ],
    ['no signature', 'signed', fields({ 'DKIM-Signature': undefined }), 'fail', /no DKIM signature, so nothing/],
    [
      'a signature over the first only',
      'signed',
      fields({ 'DKIM-Signature': 'v=1; d=example.com; s=k1; h=from:list-unsubscribe; b=y' }),
      'fail',
      /but not List-Unsubscribe-Post/,
    ],
    [
      'a signature over neither',
      'signed',
      fields({ 'DKIM-Signature': 'v=1; d=example.com; s=k1; h=from; b=y' }),
      'fail',
      /No DKIM signature covers/,
    ],
    [
      'a broken signature over both',
      'signed',
      auth({ dkim: [{ result: 'fail', domain: 'example.com', selector: 'k1' }] }),
      'fail',
      /but is not valid/,
    ],
    [
      'a valid signature of another domain',
      'signed',
      auth({ dkim: [{ result: 'pass', domain: 'other.example', selector: 'k1' }] }),
      'fail',
      /but is not valid/,
    ],
    ['a signature that nobody judged', 'signed', { authentication: {} }, 'unknown', /is not known/],
    ['a live POST that nobody asked for', 'live', {}, 'not_applicable', /nobody asked/],
    [
      'a live POST that was accepted',
      'live',
      { liveUnsubscribe: { url: 'x', outcome: 'accepted', status: 200, message: 'ok.' } },
      'pass',
      /ok/,
    ],
    [
      'a live POST with a redirect',
      'live',
      { liveUnsubscribe: { url: 'x', outcome: 'redirected', status: 302, message: 'moved.' } },
      'fail',
      /moved/,
    ],
    [
      'a live POST with a page',
      'live',
      { liveUnsubscribe: { url: 'x', outcome: 'page', status: 200, message: 'page.' } },
      'fail',
      /page/,
    ],
  ];
  for (const [what, id, change, status, message] of cases) {
    it(`${what}: ${status}`, () => {
      const point = statusOf(change, id);
      assert.equal(point?.status, status);
      assert.match(point.message, message);
      if (status === 'fail') assert.ok(point.fix && !checkOneClick({ ...GOOD, ...change }).conforms);
    });
  }
  it('reads folded and padded addresses', () =>
    assert.deepEqual(unsubscribeAddresses(' <https://a.example/\r\n x> , (comment) <mailto:a@b.example>'), [
      'https://a.example/x',
      'mailto:a@b.example',
    ]));
});

describe('bulkSenderFindings', () => {
  it('gives each check that applies, with who asks for it', () => {
    const findings = bulkSenderFindings(
      checkBulkSender({ ...GOOD, ...auth({ dmarc: { result: 'none' } }), kind: 'transactional' }),
    );
    const dmarc = findings.find(({ rule }) => rule === 'bulk-sender/dmarc')!;
    assert.equal(dmarc.severity, 'error');
    assert.match(dmarc.source!, /Gmail: Email sender guidelines \(since 2024-02\).*Outlook\.com/);
    assert.ok(!findings.some(({ rule }) => rule === 'bulk-sender/one-click'));
    assert.equal(findings.find(({ rule }) => rule === 'bulk-sender/spf')!.severity, 'pass');
  });
});
