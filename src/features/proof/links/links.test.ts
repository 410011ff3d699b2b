import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { sql } from '../../../platform/db/index.ts';
import { openPlayground, type Playground } from './playground.fixture.ts';

let app: App;
let sites: Playground;
before(async () => {
  app = await startApp();
  sites = await openPlayground(app, async (host) => {
    if (host === 'shop.example') return ['127.0.0.1'];
    throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
  });
});
after(async () => {
  await app.close();
  await sites.close();
});

const PATH = '/v1/inspect/links';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const answerOf = async (operation: string, body?: unknown): Promise<[number, any]> => {
  const answer = await app.call(operation, body === undefined ? {} : { body });
  return [answer.status, answer.body];
};

async function finished(id: string): Promise<any> {
  for (;;) {
    const { body } = await app.call(`GET ${PATH}/${id}`);
    if (body.meta.status !== 'Processing') return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Starts a test and waits for its results. */
async function check(body: unknown, path = PATH): Promise<{ id: string; results: any[]; test: any }> {
  const [status, started] = await answerOf(`POST ${path}`, body);
  assert.equal(status, 200, JSON.stringify(started));
  const test = await finished(started.items.id);
  return { id: started.items.id, results: test.items.results, test };
}

/** `group rule` of everything but passes. */
const saidOf = (result: any): string[] => [
  ...result.failures.map(({ rule }: any) => `failure ${rule}`),
  ...result.informational.map(({ rule }: any) => `info ${rule}`),
];
const findingOf = (result: any, rule: string): any =>
  [...result.passes, ...result.failures, ...result.informational].find((finding) => finding.rule === rule);

describe('a link test', () => {
  it('starts at once, and ends with one result per link at its place', async () => {
    const url = `${sites.good.origin}/list.pdf`;
    const { body: started, status } = await app.call(`POST ${PATH}`, {
      body: {
        linksWithPositions: [{ url, line: 3, column: 7, selector: 'a', absolute_index: 55, text: 'Price list' }],
        userAgent: null,
      },
    });
    const { id } = started.items;
    assert.deepEqual(
      [status, started],
      [200, { meta: { status: 'Processing' }, items: { id, links: { self: `${PATH}/${id}` } } }],
    );
    const { meta, items } = await finished(id);
    assert.match(meta.created_at + meta.updated_at, /Z.*Z$/);
    assert.deepEqual([meta.status, meta.count, items.id, items.links], ['Complete', 1, id, { self: `${PATH}/${id}` }]);
    const [{ passes, informational, failures, ...result }] = items.results;
    assert.deepEqual(result, {
      url,
      status: 'warning',
      status_code: 200,
      line: 3,
      column: 7,
      selector: 'a',
      absolute_index: 55,
      text: 'Price list',
      final_url: url,
    });
    assert.deepEqual(failures, [
      {
        id: 'links/host',
        rule: 'host',
        description: 'The link leads to the bare address 127.0.0.1, which spam filters hold against a message.',
        impact: 'serious',
        recommendation: 'Use a host name.',
        details: [{ host: '127.0.0.1' }],
      },
    ]);
    assert.deepEqual(
      passes.map(({ rule }: any) => rule),
      ['reachable', 'redirects', 'response-time', 'certificate', 'https'],
    );
    const certificate = passes.find(({ rule }: any) => rule === 'certificate');
    assert.deepEqual(certificate, {
      id: 'links/certificate',
      rule: 'certificate',
      description: certificate.description,
      details: certificate.details,
    });
    assert.deepEqual(informational, [
      {
        id: 'links/content',
        rule: 'content',
        description: 'It starts a download of list.pdf (application/pdf).',
        impact: 'minor',
        details: [{ content_type: 'application/pdf', content_length: 1234, download_name: 'list.pdf' }],
      },
    ]);
  });

  it('tells every hop of a chain with its times, and the certificate', async () => {
    const {
      results: [result],
    } = await check({ links: [`${sites.good.origin}/old`], userAgent: null });
    assert.deepEqual(saidOf(result), ['failure host', 'info redirects']);
    const { description, details } = findingOf(result, 'redirects');
    assert.equal(description, 'It takes 2 redirects (301 → 302 → 200).');
    assert.deepEqual(
      details.map((hop: any) => [hop.url.replace(sites.good.origin, ''), hop.status_code, hop.via, hop.method]),
      [
        ['/old', 301, 'link', 'GET'],
        ['/older', 302, 'redirect', 'GET'],
        ['/', 200, 'redirect', 'GET'],
      ],
    );
    const [first] = details;
    assert.deepEqual(Object.keys(first).toSorted(), [
      'connect_ms',
      'dns_ms',
      'first_byte_ms',
      'method',
      'remote_address',
      'reused_connection',
      'status_code',
      'tls_ms',
      'total_ms',
      'url',
      'via',
    ]);
    assert.ok(first.connect_ms > 0 && first.tls_ms > 0 && first.first_byte_ms > 0 && first.total_ms >= first.tls_ms);
    const [certificate] = findingOf(result, 'certificate').details;
    assert.deepEqual(
      [
        certificate.host,
        certificate.subject,
        certificate.issuer,
        certificate.names,
        certificate.chain_valid,
        certificate.host_matches,
        certificate.problem,
        certificate.expires_soon,
      ],
      ['127.0.0.1', '127.0.0.1', 'Test authority', ['127.0.0.1'], true, true, null, false],
    );
    assert.ok([89, 90].includes(certificate.days_left));
    const [reached] = findingOf(result, 'reachable').details;
    assert.deepEqual(
      [reached.status_code, reached.final_url, reached.content_type, reached.content_length],
      [200, `${sites.good.origin}/`, 'text/html', 46],
    );
  });

  it('judges what a link leads to', async () => {
    const { origin } = sites.plain;
    const port = sites.plain.port;
    const cases: Record<string, [status: string, code: number | undefined, rule: string]> = {
      [`${origin}/`]: ['warning', 200, 'failure https'],
      [`${origin}/gone`]: ['Error', 410, 'failure reachable'],
      [`${origin}/circle`]: ['Error', 302, 'failure reachable'],
      [`${origin}/wall`]: ['warning', 403, 'info refuses-programs'],
      [`${origin}/busy`]: ['warning', 429, 'info refuses-programs'],
      [`${origin}/linkedin`]: ['warning', 999, 'info refuses-programs'],
      [`${origin}/refresh`]: ['warning', 200, 'failure meta-refresh'],
      [`${origin}/#offers`]: ['warning', 200, 'failure https'],
      [`${origin}/#nowhere`]: ['warning', 200, 'failure fragment'],
      [`http://shop.example:${port}/#offers`]: ['warning', 200, 'failure https'],
      [`http://no.example:${port}/`]: ['Error', undefined, 'failure reachable'],
      [`${sites.expired.origin}/`]: ['Error', 200, 'failure certificate'],
      [`${sites.selfSigned.origin}/`]: ['Error', 200, 'failure certificate'],
      [`${sites.wrongHost.origin}/`]: ['Error', 200, 'failure certificate'],
      'mailto:someone@shop.example?subject=Hi': ['pass', undefined, ''],
      'mailto:someone': ['Error', undefined, 'failure address'],
      'tel:+4930123456': ['pass', undefined, ''],
      'tel:1-800-FLOWERS': ['Error', undefined, 'failure address'],
      'sms:+4930123456?text=x': ['warning', undefined, 'failure address'],
      'javascript:alert(1)': ['Error', undefined, 'failure target'],
      '#': ['Error', undefined, 'failure target'],
      '': ['Error', undefined, 'failure target'],
      [`${origin}/{{name}}`]: ['pass', undefined, 'info merge-tag'],
    };
    const { results } = await check({ links: Object.keys(cases), userAgent: null });
    assert.deepEqual(
      results.map(({ url }) => url),
      Object.keys(cases),
    );
    for (const result of results) {
      const [status, code, rule] = cases[result.url]!;
      assert.deepEqual([result.status, result.status_code], [status, code], `${result.url} ${saidOf(result).join()}`);
      if (rule) assert.ok(saidOf(result).includes(rule), `${result.url} ${saidOf(result).join()}`);
    }
    const problems = ['expired', 'selfSigned', 'wrongHost'].map(
      (kind) =>
        findingOf(
          results.find(({ url }) => url === `${sites[kind as 'expired'].origin}/`),
          'certificate',
        ).details[0].problem,
    );
    assert.deepEqual(problems, ['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID']);
    assert.equal(
      findingOf(
        results.find(({ url }) => url.endsWith('#offers')),
        'fragment',
      ).id,
      'links/fragment',
    );
    assert.ok(!sites.plain.requests.some((request) => request.includes('name')));
  });

  it('sends the user agent that it is told', async () => {
    const links = [`${sites.good.origin}/agent`];
    assert.equal((await check({ links, userAgent: 'Thunderbird' })).results[0].status_code, 200);
    assert.equal((await check({ links })).results[0].status_code, 404);
  });

  it('never follows what may unsubscribe somebody', async () => {
    const { origin, requests } = sites.plain;
    requests.length = 0;
    const html =
      `<p><a href="${origin}/click">Shop</a> <a href="${origin}/unsubscribe?id=7">Unsubscribe</a>` +
      ` <a href="${origin}/old">Abbestellen</a></p>`;
    const mime = [
      'Subject: Hi',
      `List-Unsubscribe: <mailto:u@shop.example>, <${origin}/gone>`,
      'MIME-Version: 1.0',
      'Content-Type: text/html',
      '',
      html,
      '',
    ].join('\r\n');
    const { results } = await check({ mime }, `${PATH}/html-validate`);
    assert.deepEqual(requests.toSorted(), ['GET /click', 'HEAD /gone', 'HEAD /old', 'HEAD /unsubscribe?id=7']);
    assert.deepEqual(
      results.map(({ url, line }) => [url.replace(origin, ''), line]),
      [
        ['/click', 1],
        ['/unsubscribe?id=7', 1],
        ['/old', 1],
        ['/gone', undefined],
      ],
    );
    for (const [index, expected] of [
      'info unsubscribe',
      'info unsubscribe',
      'info unsubscribe',
      'failure unsubscribe',
    ].entries())
      assert.ok(saidOf(results[index]).includes(expected), `${index} ${saidOf(results[index]).join()}`);
    assert.match(findingOf(results[1], 'unsubscribe').description, /was only touched \(HEAD, status 302\)/);
  });
});

describe('a link test of an email', () => {
  it('says where each link stands, and what it shows', async () => {
    const { origin } = sites.good;
    const html = [
      '<html><body>',
      `<p><a href="${origin}/">Shop</a></p>`,
      `<a href="${origin}/"><img src="l.png" alt="Logo"></a>`,
      '<a href="#top">Up</a> <a href="#no">Nowhere</a>',
      `<a href="${origin}/">www.bank.com</a>`,
      '</body></html>',
    ].join('\n');
    for (const source of [{ html }, { html: Buffer.from(html).toString('base64'), transfer_encoding: 'base64' }]) {
      const { results, id } = await check(source, `${PATH}/html-validate`);
      assert.deepEqual(
        results.map(({ line, column, selector, absolute_index: index, text }) => [line, column, selector, index, text]),
        [
          [2, 4, 'html > body > p > a', html.indexOf('<a '), 'Shop'],
          [3, 1, 'html > body > a:nth-of-type(1)', html.indexOf('<a ', 60), 'Logo'],
          [4, 1, 'html > body > a:nth-of-type(2)', html.indexOf('<a href="#top"'), 'Up'],
          [4, 23, 'html > body > a:nth-of-type(3)', html.indexOf('<a href="#no"'), 'Nowhere'],
          [5, 1, 'html > body > a:nth-of-type(4)', html.lastIndexOf('<a '), 'www.bank.com'],
        ],
      );
      assert.ok(saidOf(results[4]).includes('failure text-domain'));
      const stored = await app.galley.outside.db.first(
        sql<{ findings: any[] }>`select findings from inspections where id = ${id}`,
      );
      const found = stored!.findings.find(({ rule }) => rule === 'links/text-domain');
      assert.deepEqual(
        [found.severity, found.where.line, found.where.snippet, found.details.url],
        ['error', 5, `<a href="${origin}/">`, `${origin}/`],
      );
    }
  });

  it('reads text without HTML, and reports a message without links as complete', async () => {
    const mime = `Subject: Hi\r\nContent-Type: text/plain\r\n\r\nSee ${sites.good.origin}/ today.\r\n`;
    const { results } = await check({ mime }, `${PATH}/html-validate`);
    assert.deepEqual(
      results.map(({ url, status_code: code, line }) => [url, code, line]),
      [[`${sites.good.origin}/`, 200, 1]],
    );
    const { test } = await check({ html: '<p>No links.</p>' }, `${PATH}/html-validate`);
    assert.deepEqual([test.meta.status, test.items.results], ['Complete', []]);
  });

  it('is made from a page at a URL, whose relative links are complete', async () => {
    const [status, body] = await answerOf(`POST ${PATH}/html-validate`, { url: `${sites.plain.origin}/` });
    assert.equal(status, 200);
    assert.equal((await finished(body.items.id)).meta.status, 'Complete');
  });
});

describe('one cause in many places', () => {
  it('is one finding with all of them, and one result of a report', async () => {
    const { id, results } = await check({ html: '<p><a href="#">more</a></p>\n'.repeat(18) }, `${PATH}/html-validate`);
    assert.deepEqual([results.length, results.at(-1).line], [18, 18]);
    const {
      body: { findings },
    } = await app.call(`GET /v1/inspections/${id}`);
    const errors = findings.filter(({ severity }: any) => severity === 'error');
    assert.deepEqual(
      errors.map(({ rule, where, count }: any) => [rule, where.line, count]),
      [['links/target', 1, 18]],
    );
    assert.deepEqual(
      errors[0].places.map(({ line, column }: any) => [line, column]),
      Array.from({ length: 18 }, (_, index) => [index + 1, 4]),
    );
    const { body: sarif } = await app.call(`GET /v1/inspections/${id}/report?format=sarif`);
    const { results: told } = (typeof sarif === 'string' || Buffer.isBuffer(sarif) ? JSON.parse(String(sarif)) : sarif)
      .runs[0];
    assert.deepEqual(
      told.filter(({ ruleId }: any) => ruleId === 'links/target').map(({ locations }: any) => locations.length),
      [18],
    );
  });
});

describe('running again and deleting', () => {
  it('checks the same links again', async () => {
    sites.good.requests.length = 0;
    const { id } = await check({ links: [`${sites.good.origin}/`], userAgent: null });
    assert.deepEqual(await answerOf(`POST ${PATH}/${id}`), [
      200,
      { meta: { status: 'Processing' }, items: { id, links: { self: `${PATH}/${id}` } } },
    ]);
    assert.equal((await finished(id)).items.results[0].status_code, 200);
    assert.deepEqual(sites.good.requests, ['GET /', 'GET /']);
  });

  it('deletes, and knows nothing of it afterwards', async () => {
    const { id } = await check({ links: ['tel:112'], userAgent: null });
    assert.deepEqual(await answerOf(`DELETE ${PATH}/${id}`), [200, { message: 'The link test was deleted.' }]);
    for (const operation of [`GET ${PATH}/${id}`, `POST ${PATH}/${id}`, `DELETE ${PATH}/${id}`])
      assert.deepEqual(await answerOf(operation), [404, { message: `No link test has the id "${id}".` }]);
  });
});

describe('a request that is wrong', () => {
  it('is answered 400 with what is wrong', async () => {
    const cases: [string, unknown, string][] = [
      [`POST ${PATH}`, { userAgent: null }, 'links, linksWithPositions: give at least one link in one of them.'],
      [
        `POST ${PATH}`,
        { links: [], linksWithPositions: [] },
        'links, linksWithPositions: give at least one link in one of them.',
      ],
      [
        `POST ${PATH}`,
        { links: Array(24_500).fill('#'), linksWithPositions: Array.from({ length: 501 }, () => ({ url: '#' })) },
        'links, linksWithPositions: hold 25001 links together; at most 25,000 are accepted.',
      ],
      [`POST ${PATH}`, { linksWithPositions: [{ line: 1 }] }, 'linksWithPositions[0].url is required'],
      [`POST ${PATH}/html-validate`, {}, 'html, url, mime: give exactly one of them.'],
      [`POST ${PATH}/html-validate`, { html: ' ' }, 'html is empty.'],
      [`POST ${PATH}/html-validate`, { url: 'ftp://a.example/' }, 'url must be an absolute http or https URL.'],
    ];
    for (const [operation, body, message] of cases) {
      const [status, answer] = await answerOf(operation, body);
      assert.deepEqual([status, answer.message.replace(/\.$/, '')], [400, message.replace(/\.$/, '')]);
    }
    const [status, { message }] = await answerOf(`POST ${PATH}`, { links: Array(25_001).fill('#') });
    assert.equal(status, 400);
    assert.match(message, /^links must not have more than 25000 items/);
    assert.deepEqual(await answerOf(`POST ${PATH}/html-validate`, { url: 'http://10.0.0.1/' }), [
      400,
      { message: 'The URL could not be fetched: its host cannot be reached.' },
    ]);
    assert.equal((await app.call(`GET ${PATH}`, { key: null })).status, 401);
  });
});

describe('the list of link tests', () => {
  const old = (count: number) => sql`
    insert into inspections (
      id, account_id, kind, status, version, summary, facets, created_at, version_created_at, updated_at, expires_at
    )
    select 'old-' || lpad(n::text, 4, '0'), (select account_id from inspections limit 1), 'links',
      case when n = 7 then 'Failed' else 'Complete' end, 1, '{"links": 1, "errors": 0, "warnings": 0, "results": []}',
      jsonb_build_object(
        'urls', jsonb_build_array('https://Old.example/' || n), 'statuses', jsonb_build_array('pass'), 'statusCodes',
        jsonb_build_array(200), 'isExpiredSSL', false
      ),
      timestamptz '2026-01-01T00:00:00Z' + n * interval '1 second', now(), now(), now() + interval '90 days'
    from generate_series(1, ${count}) as n
  `;

  it('pages by a thousand, newest first, with absolute addresses', async () => {
    const own = await startApp();
    const { body: empty } = await own.call(`GET ${PATH}`);
    assert.deepEqual(empty, {
      meta: { count: 0 },
      paging: { first: `${own.url}${PATH}?limit=100&skip=0`, last: `${own.url}${PATH}?limit=100&skip=0` },
      items: [],
    });
    const {
      body: {
        items: { id },
      },
    } = await own.call(`POST ${PATH}`, { body: { links: ['tel:x'], userAgent: null } });
    await own.idle();
    await own.galley.outside.db.run(old(1_002));
    const { body: first } = await own.call(`GET ${PATH}?limit=1000`);
    assert.deepEqual(
      [first.meta, first.paging, first.items.length],
      [
        { count: 1_003 },
        {
          first: `${own.url}${PATH}?limit=1000&skip=0`,
          last: `${own.url}${PATH}?limit=1000&skip=1000`,
          next: `${own.url}${PATH}?limit=1000&skip=1000`,
        },
        1_000,
      ],
    );
    assert.match(first.items[0].created_at, TIME);
    assert.deepEqual(first.items.slice(0, 2), [
      {
        id,
        name: 'tel:x',
        links: { self: `${PATH}/${id}` },
        status: 'Complete',
        created_at: first.items[0].created_at,
        link_count: 1,
        error_count: 1,
        warning_count: 0,
        results: [
          {
            url: 'tel:x',
            status: 'Error',
            failures: [
              {
                id: 'links/address',
                rule: 'address',
                description: 'The number “x” holds “x”, which no phone dials.',
                impact: 'critical',
                recommendation: 'Write digits only.',
                details: [
                  { scheme: 'tel', numbers: ['x'], faults: ['The number “x” holds “x”, which no phone dials.'] },
                ],
              },
            ],
          },
        ],
      },
      {
        id: 'old-1002',
        name: 'Untitled email',
        links: { self: `${PATH}/old-1002` },
        status: 'Complete',
        created_at: '2026-01-01T00:16:42.000Z',
        link_count: 1,
        error_count: 0,
        warning_count: 0,
        results: [],
      },
    ]);
    const { body: second } = await own.call(`GET ${first.paging.next}`);
    assert.deepEqual(
      [second.items.map((item: any) => item.id), second.paging.previous],
      [['old-0003', 'old-0002', 'old-0001'], `${own.url}${PATH}?limit=1000&skip=0`],
    );
    assert.equal((await own.call(`GET ${PATH}?limit=1001`)).status, 400);
    await own.close();
  });

  it('says where it leaves out details, so that nothing is taken for empty', async () => {
    const links = Array.from({ length: 50 }, (_, index) => `tel:${'x'.repeat(100)}${index}`);
    const { id } = await check({ links, userAgent: null });
    const { body } = await app.call(`GET ${PATH}?id=${id}`);
    const failures = body.items[0].results.flatMap(({ failures: ofLink }: any) => ofLink);
    const leftOut = failures.filter((finding: any) => finding.details_left_out);
    assert.deepEqual([failures.length, failures[0].details.length, failures[0].details_left_out], [50, 1, undefined]);
    assert.ok(leftOut.length > 0 && leftOut.every(({ details }: any) => details.length === 0));
    const { body: whole } = await app.call(`GET ${PATH}/${id}`);
    assert.ok(whole.items.results.every(({ failures: [finding] }: any) => finding.details.length === 1));
  });

  it('is filtered by status, id, address, status code and expired certificate', async () => {
    const { id: broken } = await check({ links: [`${sites.plain.origin}/gone?Summer=1`, 'tel:112'], userAgent: null });
    const { id: expired } = await check({ links: [`${sites.expired.origin}/`], userAgent: null });
    const idsOf = async (query: string) =>
      (await app.call(`GET ${PATH}?${query}`)).body.items.map((item: any) => item.id);
    assert.deepEqual(await idsOf(`id=${broken}`), [broken]);
    assert.deepEqual(await idsOf('url=SUMMER%3D1'), [broken]);
    assert.deepEqual(await idsOf('url=summer%25'), []);
    assert.deepEqual(await idsOf(`url=${encodeURIComponent(sites.plain.origin)}%2Fgone%3F&statusCode=404`), [broken]);
    assert.deepEqual(await idsOf('url=summer&statusCode=200'), []);
    assert.ok((await idsOf('isExpiredSSL=true')).includes(expired));
    assert.ok(!(await idsOf('isExpiredSSL=true')).includes(broken));
    assert.ok((await idsOf('isExpiredSSL=false')).includes(broken));
    assert.deepEqual(await idsOf(`status=Error&id=${broken}`), [broken]);
    assert.deepEqual(await idsOf(`status=warning&id=${expired}`), []);
    assert.deepEqual(await idsOf(`status=Complete&id=${expired}`), [expired]);
    assert.deepEqual(await idsOf('status=Failed'), []);
    const { body } = await app.call(`GET ${PATH}?url=summer&limit=1`);
    assert.deepEqual([body.meta, body.paging.first], [{ count: 1 }, `${app.url}${PATH}?url=summer&limit=1&skip=0`]);
    assert.deepEqual(await answerOf(`GET ${PATH}?status=odd`), [
      400,
      { message: 'status must be one of Processing, Complete, Failed, pass, warning, Error.' },
    ]);
    assert.equal((await app.call(`GET ${PATH}?isExpiredSSL=maybe`)).status, 400);
  });
});
