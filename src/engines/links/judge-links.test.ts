import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeLink, judgeLinks, type LinkAnswer, type LinkSubject } from './index.ts';
import type { AnswerCertificate, AnswerHop } from './types.ts';

const certificate: AnswerCertificate = {
  problem: null,
  hostMatches: true,
  isChainValid: true,
  subject: 'a.example',
  issuer: 'An authority',
  altNames: ['a.example', 'www.a.example'],
  validFrom: '2026-01-01T00:00:00.000Z',
  validTo: '2026-04-01T00:00:00.000Z',
  daysLeft: 60,
  fingerprint: 'AA:BB',
  protocol: 'TLSv1.3',
  cipher: 'TLS_AES_128_GCM_SHA256',
};
const hop = (url: string, more: Partial<AnswerHop> = {}): AnswerHop => ({
  url,
  method: 'GET',
  status: 200,
  via: 'link',
  dnsMs: 1.2345,
  connectMs: 2,
  tlsMs: url.startsWith('https') ? 3 : null,
  firstByteMs: 4,
  remoteAddress: '93.184.215.14',
  isReused: false,
  certificate: url.startsWith('https') ? certificate : null,
  ...more,
});
const answer = (more: Partial<LinkAnswer> = {}): LinkAnswer => {
  const finalUrl = more.finalUrl === undefined ? 'https://a.example/' : more.finalUrl;
  return {
    status: 'ok',
    reason: null,
    errorCode: null,
    statusCode: 200,
    finalUrl,
    chain: finalUrl === null ? [] : [hop(finalUrl)],
    contentType: 'text/html',
    contentLength: 900,
    downloadName: null,
    retryAfterSeconds: null,
    isFragmentFound: null,
    totalMs: 10.2345,
    ...more,
  };
};
const link = (url: string, more: Partial<LinkSubject> = {}): LinkSubject => ({ url, ...more });
/** `severity rule` of all that is not a pass. */
const said = (subject: LinkSubject) =>
  judgeLink(subject)
    .filter(({ severity }) => severity !== 'pass')
    .map(({ severity, rule }) => `${severity} ${rule}`);
const messageOf = (subject: LinkSubject, rule: string) =>
  judgeLink(subject).find((verdict) => verdict.rule === rule)?.message;

describe('judgeLink: what is no web address', () => {
  const cases: Record<string, string[]> = {
    '': ['error target'],
    '#': ['error target'],
    '#top': ['warning target'],
    'javascript:void(0)': ['error target'],
    'www.a.example/x': ['error target'],
    'page.html': ['error target'],
    'a.example:8080/x': ['error target'],
    'file:///C:/x.pdf': ['error target'],
    'cid:logo': ['error target'],
    'whatsapp://send?text=a': ['info target'],
    'http://': ['error target'],
    'https://a b.example/': ['error target'],
    'https://a.example/{{id}}': ['info merge-tag'],
    'https://a.example/?e=*|EMAIL|*': ['info merge-tag'],
    'https://a.example/%7B%7Bid%7D%7D': ['info merge-tag'],
    '%%view_url%%': ['info merge-tag'],
    '{$url}': ['info merge-tag'],
    'mailto:someone': ['error address'],
    'tel:+4930123456': [],
  };
  for (const [url, expected] of Object.entries(cases))
    it(`“${url}”: ${expected.join(', ') || 'nothing'}`, () => assert.deepEqual(said(link(url)), expected));
  it('a relative address that something completes', () => {
    const page = link('https://a.example/x', { relative: { written: 'x', completedBy: 'page' } });
    assert.deepEqual(
      [said(page), messageOf(page, 'target')],
      [
        ['warning target'],
        'x is relative, completed here by the address of the page: sent as a message, it leads nowhere.',
      ],
    );
    const base = link('https://a.example/x', { relative: { written: '/x', completedBy: 'base' } });
    assert.deepEqual(
      [said(base), messageOf(base, 'target')],
      [
        ['warning target'],
        '/x is relative, which the message’s base element completes, and not every client honors that.',
      ],
    );
  });
  it('a place that the message does not have', () =>
    assert.match(messageOf(link('#offers', { isAnchorThere: false }), 'target')!, /does not have/));
});

describe('judgeLink: the address', () => {
  const cases: Record<string, string[]> = {
    'https://a.example/': [],
    'http://a.example/': ['warning https'],
    '//a.example/x': [],
    'https://a.example/x y': ['warning url-syntax'],
    'https://a.example/x\ny': ['warning url-syntax'],
    'https:a.example/': ['warning url-syntax'],
    'https://https//a.example/': ['warning url-syntax'],
    'https://a.example/?a=1&amp;b=2': ['warning url-syntax'],
    'https://a.example/100%': ['warning url-syntax'],
    'https://a.example\\x': ['warning url-syntax'],
    [`https://a.example/${'x'.repeat(2_000)}`]: ['warning url-syntax'],
    'https://203.0.113.5/x': ['warning host'],
    'https://a.example:8443/': ['warning host'],
    'https://me:pw@a.example/': ['warning host'],
    'https://größe.example/': ['info host'],
    'https://bit.ly/x': ['warning shortener'],
    'https://a.example/?utm_source=x&utm_medium=y&gclid=1': ['info tracking'],
    'https://a.example/?utm_campaign=x': ['info tracking', 'warning tracking'],
    'https://a.example/?utm_source=x&utm_source=x&utm_medium=y': ['info tracking', 'warning tracking'],
    'https://a.example/?u=me%40b.example': ['warning personal-data'],
  };
  for (const [url, expected] of Object.entries(cases))
    it(`“${url.slice(0, 60)}”: ${expected.join(', ') || 'nothing'}`, () => assert.deepEqual(said(link(url)), expected));
  it('loses its tracking on the way, within one site', () => {
    const url = 'https://a.example/?utm_source=x&utm_medium=y';
    assert.deepEqual(
      said(link(url, { answer: answer({ finalUrl: 'https://www.a.example/shop?utm_source=x&utm_medium=y' }) })),
      ['info tracking'],
    );
    assert.deepEqual(said(link(url, { answer: answer({ finalUrl: 'https://www.a.example/shop' }) })), [
      'info tracking',
      'warning tracking',
    ]);
    assert.deepEqual(said(link(url, { answer: answer({ finalUrl: 'https://b.example/' }) })), ['info tracking']);
  });
});

describe('judgeLink: text against target', () => {
  const of = (text: string, url: string, more: Partial<LinkSubject> = {}) =>
    judgeLink(link(url, { text, ...more }))
      .filter(({ rule }) => rule.startsWith('text'))
      .map(({ severity, rule }) => `${severity} ${rule}`);
  it('agrees with the same registered domain', () => {
    for (const text of ['www.shop.com', 'https://shop.com/sale…', 'Shop.com', 'Visit https://news.shop.com/x.'])
      assert.deepEqual(of(text, 'https://click.shop.com/1'), ['pass text-domain'], text);
  });
  it('warns of another domain', () => {
    assert.deepEqual(of('www.bank.com', 'https://evil.net/'), ['error text-domain']);
    assert.deepEqual(of('alice.github.io', 'https://mallory.github.io/'), ['error text-domain']);
    assert.deepEqual(
      of('shop.com', 'https://click.tracker.net/1', { answer: answer({ finalUrl: 'https://www.shop.com/' }) }),
      ['warning text-domain'],
    );
  });
  it('takes no words for an address', () => {
    for (const text of ['Shop now', 'Read README.md today', 'v2.0', 'me@bank.com', 'report.pdf', '50%'])
      assert.deepEqual(of(text, 'https://evil.net/'), [], text);
    assert.deepEqual(of('bank.com', 'https://evil.net/', { isImageOnly: true }), []);
  });
  it('misses a text', () =>
    assert.deepEqual(of('', 'https://a.example/', { isImageOnly: true }), ['warning text-missing']));
});

describe('judgeLink: the answer', () => {
  const of = (more: Partial<LinkAnswer>, url = 'https://a.example/') => said(link(url, { answer: answer(more) }));
  const nothing = { statusCode: null, chain: [], finalUrl: null };
  it('tells dead from refused, private and not asked', () => {
    assert.deepEqual(of({}), []);
    assert.deepEqual(of({ status: 'broken', statusCode: 404 }), ['error reachable']);
    assert.deepEqual(of({ ...nothing, status: 'dns', reason: 'dns' }), ['error reachable']);
    for (const errorCode of ['ENOTFOUND', 'ENODATA'])
      assert.deepEqual(of({ ...nothing, status: 'dns', reason: 'dns', errorCode }), ['error reachable']);
    // Nobody said that there is no such host: that is not known of the link.
    for (const errorCode of ['ETIMEOUT', 'EREFUSED', 'EAI_AGAIN', 'EFAILED'])
      assert.deepEqual(of({ ...nothing, status: 'dns', reason: 'dns', errorCode }), ['info not-checked']);
    assert.deepEqual(of({ ...nothing, status: 'dns', reason: 'dns', errorCode: 'ESERVFAIL' }), ['warning not-checked']);
    assert.deepEqual(of({ ...nothing, status: 'broken', reason: 'connect', errorCode: 'ECONNREFUSED' }), [
      'error reachable',
    ]);
    assert.deepEqual(of({ ...nothing, status: 'tls', reason: 'tls' }), ['error reachable']);
    assert.deepEqual(of({ ...nothing, status: 'timeout', reason: 'timeout' }), ['error reachable']);
    assert.deepEqual(of({ ...nothing, status: 'loop', reason: 'redirect_loop' }), ['error reachable']);
    assert.deepEqual(of({ ...nothing, status: 'blocked', reason: 'refused' }), ['error private-address']);
    for (const statusCode of [403, 429, 999])
      assert.deepEqual(of({ status: 'refused_to_robots', statusCode }), ['info refuses-programs']);
    assert.deepEqual(of({ ...nothing, status: 'not_followed', reason: 'too_many' }), ['info not-checked']);
    assert.deepEqual(of({ ...nothing, status: 'timeout', reason: 'deadline' }), ['info not-checked']);
    assert.deepEqual(of({ ...nothing, status: 'not_followed', reason: 'not_followed' }), ['info unsubscribe']);
  });
  it('says that an unsubscribe link was only touched', () => {
    const touched = (more: Partial<LinkAnswer>) =>
      said(
        link('https://a.example/u', {
          isUnsubscribe: true,
          answer: answer({ status: 'not_followed', reason: 'not_followed', ...more }),
        }),
      );
    assert.deepEqual(touched({ statusCode: 302 }), ['info unsubscribe']);
    assert.deepEqual(touched({ statusCode: 405 }), ['info unsubscribe']);
    assert.deepEqual(touched({ statusCode: 404 }), ['warning unsubscribe']);
    assert.deepEqual(touched({ ...nothing, status: 'dns', reason: 'dns' }), ['error reachable']);
  });
  it('lists the whole way with the times of every phase', () => {
    const chain = [
      hop('http://a.example/', { status: 301 }),
      hop('https://a.example/', {
        via: 'redirect',
        status: 302,
        isReused: true,
        dnsMs: null,
        connectMs: null,
        tlsMs: null,
      }),
      hop('https://a.example/x', { via: 'meta_refresh' }),
    ];
    const subject = link('http://a.example/', {
      answer: answer({ status: 'redirected', chain, finalUrl: 'https://a.example/x' }),
    });
    assert.deepEqual(said(subject), ['info redirects', 'warning meta-refresh', 'warning https']);
    const { message, details } = judgeLink(subject).find(({ rule }) => rule === 'redirects')!;
    assert.equal(message, 'It takes 2 redirects (301 → 302 → 200).');
    assert.deepEqual(details![0], {
      url: 'http://a.example/',
      method: 'GET',
      status_code: 301,
      via: 'link',
      remote_address: '93.184.215.14',
      reused_connection: false,
      dns_ms: 1.23,
      connect_ms: 2,
      tls_ms: null,
      first_byte_ms: 4,
      total_ms: 7.23,
    });
    assert.deepEqual(
      [details![1]!['dns_ms'], details![1]!['reused_connection'], details![2]!['via']],
      [null, true, 'meta_refresh'],
    );
    const long = Array.from({ length: 5 }, (_, index) =>
      hop(`https://a.example/${index}`, { status: index === 4 ? 200 : 302, via: 'redirect' }),
    );
    assert.deepEqual(of({ chain: long }), ['warning redirects']);
    assert.deepEqual(
      of({
        chain: [hop('https://a.example/', { status: 302 }), hop('http://a.example/x')],
        finalUrl: 'http://a.example/x',
      }),
      ['info redirects', 'warning https'],
    );
  });
  it('judges what is there, how fast, and the place in it', () => {
    assert.deepEqual(of({ downloadName: 'price list.pdf', contentType: 'application/pdf' }), ['info content']);
    assert.deepEqual(of({ downloadName: 'setup.exe', contentType: 'application/octet-stream' }), ['warning content']);
    assert.deepEqual(of({ contentLength: 0 }), ['warning content']);
    assert.deepEqual(of({ contentType: null }), ['info content']);
    assert.deepEqual(of({ contentLength: 9_000_000, contentType: 'video/mp4' }), ['info content']);
    assert.deepEqual(of({ totalMs: 4_000 }), ['info response-time']);
    assert.deepEqual(of({ totalMs: 9_000 }), ['warning response-time']);
    assert.deepEqual(of({ isFragmentFound: false }, 'https://a.example/#x'), ['warning fragment']);
    assert.deepEqual(of({ isFragmentFound: true }, 'https://a.example/#x'), []);
  });
  it('judges certificates by problem, host and dates', () => {
    const shown = (more: Partial<AnswerCertificate>) =>
      said(
        link('https://a.example/', {
          answer: answer({ chain: [hop('https://a.example/', { certificate: { ...certificate, ...more } })] }),
        }),
      );
    for (const problem of [
      'CERT_HAS_EXPIRED',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'SOMETHING_NEW',
    ])
      assert.deepEqual(shown({ problem }), ['error certificate'], problem);
    assert.deepEqual(shown({ problem: 'ERR_TLS_CERT_ALTNAME_INVALID', hostMatches: false }), ['error certificate']);
    assert.deepEqual(shown({ daysLeft: 13 }), ['warning certificate']);
    assert.deepEqual(shown({ daysLeft: 15 }), []);
    // A certificate of six days always ends soon.
    assert.deepEqual(
      shown({ daysLeft: 3, validFrom: '2026-01-01T00:00:00.000Z', validTo: '2026-01-07T00:00:00.000Z' }),
      [],
    );
    const message = messageOf(
      link('https://a.example/', {
        answer: answer({
          chain: [
            hop('https://a.example/', {
              certificate: {
                ...certificate,
                problem: 'ERR_TLS_CERT_ALTNAME_INVALID',
                hostMatches: false,
                altNames: ['b.example'],
              },
            }),
          ],
        }),
      }),
      'certificate',
    );
    assert.equal(
      message,
      'The certificate of a.example is for another host (ERR_TLS_CERT_ALTNAME_INVALID, for b.example): ' +
        'browsers refuse to open the page.',
    );
  });
});

describe('judgeLinks', () => {
  it('writes results in the words of the wire, and findings at their places', () => {
    const place = { line: 3, column: 5, offset: 40, selector: 'a', snippet: '<a>' };
    const { results, findings } = judgeLinks([
      link('https://a.example/', { text: 'Shop', place, answer: answer({ status: 'broken', statusCode: 404 }) }),
      link('http://b.example/', { answer: answer({ finalUrl: 'http://b.example/' }) }),
      link('tel:112'),
    ]);
    const [first, second, third] = results;
    const { passes: _passes, failures, informational, ...about } = first!;
    assert.deepEqual(about, {
      url: 'https://a.example/',
      status: 'Error',
      status_code: 404,
      line: 3,
      column: 5,
      selector: 'a',
      absolute_index: 40,
      text: 'Shop',
      final_url: 'https://a.example/',
    });
    assert.deepEqual(informational, []);
    assert.deepEqual(failures, [
      {
        id: 'links/reachable',
        rule: 'reachable',
        description: 'https://a.example/ is broken: the server answers with status 404 and does not know the page.',
        impact: 'critical',
        recommendation: 'Correct the link, or bring the page back.',
        details: [
          {
            status_code: 404,
            final_url: 'https://a.example/',
            content_type: 'text/html',
            content_length: 900,
            total_ms: 10.23,
          },
        ],
      },
    ]);
    assert.deepEqual([second!.status, third!.status, third!.passes[0]!.rule], ['warning', 'pass', 'address']);
    assert.deepEqual(
      findings.map(({ rule, severity, where }) => [rule, severity, where?.line]),
      [
        ['links/reachable', 'error', 3],
        ['links/https', 'warning', undefined],
        ['links/redirects', 'pass', undefined],
        ['links/certificate', 'pass', undefined],
        ['links/response-time', 'pass', undefined],
        ['links/content', 'pass', undefined],
        ['links/address', 'pass', undefined],
      ],
    );
    assert.deepEqual(findings[0]!.details, {
      url: 'https://a.example/',
      impact: 'critical',
      items: failures[0]!.details,
    });
  });
  it('never throws, whatever the link', () => {
    const odd = [
      'http://[::1',
      'https://%/',
      'http://a.example:99999/',
      '\u0000',
      'https://xn--/',
      'mailto:%',
      'tel:%',
      'sms:%',
      `https://${'a'.repeat(300)}.example/`,
      '//',
      'https://a.example/?%=%',
      '\ud800',
      'https://[::1]/',
    ];
    for (const url of odd)
      assert.doesNotThrow(() => judgeLink(link(url, { text: url, answer: answer() })), JSON.stringify(url));
  });
});
