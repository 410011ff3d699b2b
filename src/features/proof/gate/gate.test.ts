import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assetServer, type AssetServer } from '../../../../test/harness/asset-server.ts';
import { sarifFaults } from '../../../../test/harness/sarif-schema.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { readXml } from '../../../../test/harness/strict-xml.ts';

const PATH = '/v1/inspect/gate';
const WRITTEN = {
  fail_on: 'error',
  checks: {},
  rules: {},
  ignore: [],
  limits: {},
  screenshots: { difference_max: 0.001, threshold: 0.1, missing_baseline: 'warn' },
};
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let app: App;
let site: AssetServer;
before(async () => {
  app = await startApp({ GALLEY_ALLOW_HOSTS: '127.0.0.1' });
  site = await assetServer();
  site.set('/page', 'text/html', '<!doctype html><title>Page</title>');
});
after(async () => {
  await app.close();
  await site.close();
});

/** Nothing in it is wrong but what a test puts there. */
function mail(body: string): string {
  return `<!doctype html>
<html lang="en" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Spring list</title></head>
<body style="background:#ffffff;color:#111111"><div lang="en" dir="ltr"><h1>Spring list</h1>
${body}</div></body></html>`;
}

async function finished(id: string): Promise<any> {
  for (;;) {
    const { body } = await app.call(`GET ${PATH}/${id}`);
    if (body.meta.status !== 'Processing') return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function run(body: object): Promise<any> {
  const { status, body: started } = await app.call(`POST ${PATH}`, { body });
  assert.equal(status, 201, JSON.stringify(started));
  return finished(started.items.id);
}

describe('the gate', () => {
  it('runs every check on an email and says why it fails', async () => {
    const html = mail(
      `<p><a href="${site.url}/gone">Our prints</a> <a href="${site.url}/page">Our shop</a></p>` +
        `<img src="${site.url}/red.png" width="120" height="80">`,
    );
    const { status, body: started } = await app.call(`POST ${PATH}`, {
      body: { html, name: 'mails/spring.html', subject: 'Spring' },
    });
    const { id } = started.items;
    assert.equal(status, 201);
    assert.deepEqual(started, { meta: { status: 'Processing' }, items: { id, links: { self: `${PATH}/${id}` } } });
    const { meta, items } = await finished(id);
    assert.match(meta.created_at + meta.updated_at, /Z.*Z$/);
    assert.match(meta.created_at, TIME);
    assert.equal(meta.status, 'Complete');
    assert.deepEqual(
      [items.id, items.email, items.verdict, items.baseline, items.screenshots, items.limits],
      [id, 'mails/spring.html', 'fail', null, [], []],
    );
    assert.deepEqual(items.policy, WRITTEN);
    assert.deepEqual(
      items.checks.map(({ check, status: state }: any) => [check, state]),
      [
        ['code', 'complete'],
        ['hygiene', 'complete'],
        ['links', 'complete'],
        ['images', 'complete'],
        ['accessibility', 'complete'],
      ],
    );
    const failing = items.checks
      .flatMap(({ findings }: any) => findings)
      .filter(({ fails }: any) => fails)
      .map(({ rule }: any) => rule);
    assert.ok(failing.includes('links/reachable') && failing.includes('accessibility/image-alt'), failing.join());
    assert.ok(items.reasons.includes('Links: 1 finding of severity error.'), items.reasons.join());
    const { body: page } = await app.call(`GET ${PATH}?limit=1`);
    assert.deepEqual(page, {
      meta: { count: 1 },
      paging: { first: `${app.url}${PATH}?limit=1&skip=0`, last: `${app.url}${PATH}?limit=1&skip=0` },
      items: [
        {
          id,
          name: 'mails/spring.html',
          status: 'Complete',
          email: 'mails/spring.html',
          verdict: 'fail',
          reasons: items.reasons,
          counts: items.counts,
          created_at: meta.created_at,
          updated_at: meta.updated_at,
        },
      ],
    });
    assert.deepEqual((await app.call(`DELETE ${PATH}/${id}`)).body, { message: 'The gate was deleted.' });
    assert.equal((await app.call(`GET ${PATH}/${id}`)).status, 404);
  });

  it('goes by the policy: severities, what is ignored and why, limits', async () => {
    const html = mail(
      `<p><a href="${site.url}/gone">Our prints</a></p><img src="${site.url}/red.png" width="120" height="80">`,
    );
    const policy = {
      rules: { 'accessibility/*': 'info', 'images/*': 'warning', 'hygiene/*': 'off' },
      ignore: [{ rule: 'links/reachable', contains: '/gone', reason: 'It opens on Thursday.' }],
      checks: { code: { fail_on: 'never' } },
    };
    const passed = await run({ html, policy });
    assert.deepEqual([passed.items.verdict, passed.items.reasons], ['pass', []]);
    assert.equal(
      passed.items.checks.some(({ check }: any) => check === 'hygiene'),
      false,
    );
    const ignored = passed.items.checks
      .find(({ check }: any) => check === 'links')
      .findings.find(({ rule }: any) => rule === 'links/reachable');
    assert.deepEqual([ignored.ignored, ignored.fails, ignored.severity], ['It opens on Thursday.', false, 'error']);
    const limited = await run({
      html,
      policy: { ...policy, limits: { html_bytes_max: 100, image_bytes_max: 10_000_000, score_min: 0 } },
    });
    assert.equal(limited.items.verdict, 'fail');
    assert.deepEqual(limited.items.reasons, [`limits.html_bytes_max is 100, and it is ${Buffer.byteLength(html)}.`]);
    assert.deepEqual(limited.items.policy, {
      ...WRITTEN,
      ...policy,
      rules: policy.rules,
      limits: { html_bytes_max: 100, image_bytes_max: 10_000_000, score_min: 0 },
    });
    assert.deepEqual(
      limited.items.limits.map(({ limit, passed: isWithin }: any) => [limit, isWithin]),
      [
        ['html_bytes_max', false],
        ['image_bytes_max', true],
        ['score_min', true],
      ],
    );
  });

  it('says that HTML is no whole message where the size of one is limited', async () => {
    const { items } = await run({
      html: mail('<p>Words</p>'),
      checks: ['code'],
      policy: { limits: { message_bytes_max: 100_000 } },
    });
    assert.deepEqual(items.limits, [{ limit: 'message_bytes_max', allowed: 100_000, value: null, passed: false }]);
    assert.deepEqual(items.reasons, [
      'limits.message_bytes_max is 100000, but HTML is no whole message, and it was not measured: ' +
        'give the message as it is sent, headers and all, or limit html_bytes_max.',
    ]);
  });

  it('hands over the HTML that its findings have their places in, and runs again on the same', async () => {
    const html = mail('<p>Words</p>\r\n<img src="cid:nothing">');
    const policy = { limits: { html_bytes_max: 10 } };
    const first = await run({ html, name: 'mails/a.html', checks: ['accessibility'], policy });
    const { id } = first.items;
    assert.deepEqual((await app.call(`GET ${PATH}/${id}/message`)).body, { content: html, images: [] });
    const { where } = first.items.checks[0].findings.find(({ rule }: any) => rule === 'accessibility/image-alt');
    assert.equal(html.startsWith('<img src="cid:nothing">', where.offset), true);
    const { status, body: again } = await app.call(`POST ${PATH}/${id}/again`);
    assert.deepEqual(
      [status, again],
      [
        201,
        { meta: { status: 'Processing' }, items: { id: again.items.id, links: { self: `${PATH}/${again.items.id}` } } },
      ],
    );
    assert.notEqual(again.items.id, id);
    assert.deepEqual((await finished(again.items.id)).items, { ...first.items, id: again.items.id });
    const mime =
      'Subject: Spring\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n' +
      `Content-Transfer-Encoding: base64\r\n\r\n${Buffer.from(html).toString('base64')}\r\n`;
    const pictured = await run({
      html: mail(
        `<img src="${site.url}/red.png" alt="Red" width="120" height="80"><img src="${site.url}/gone.png" alt="Gone">`,
      ),
      checks: ['images'],
    });
    const { images } = (await app.call(`GET ${PATH}/${pictured.items.id}/message`)).body;
    assert.deepEqual(
      images.map(({ url }: any) => url),
      [`${site.url}/red.png`],
    );
    assert.equal(
      (await app.call(`GET ${images[0].stored_url.slice(app.url.length)}`)).headers.get('content-type'),
      'image/png',
    );
    const whole = await run({ mime, checks: ['code'] });
    assert.equal(
      (await app.call(`GET ${PATH}/${whole.items.id}/message`)).body.content.trim(),
      html.replaceAll('\r\n', '\n'),
    );
  });

  it('runs the checks that are named', async () => {
    const { items } = await run({ html: mail('<p>Words</p>'), checks: ['links', 'accessibility'] });
    assert.deepEqual(
      items.checks.map(({ check }: any) => check),
      ['links', 'accessibility'],
    );
    assert.equal(items.verdict, 'pass', JSON.stringify(items.reasons));
  });

  it('reads whole messages', async () => {
    const mime =
      'From: a@example.com\r\nTo: b@example.com\r\nSubject: Spring\r\nMIME-Version: 1.0\r\n' +
      `Content-Type: text/html; charset=utf-8\r\n\r\n${mail('<p>Words</p>')}`;
    const { items } = await run({ mime, checks: ['code'], policy: { limits: { message_bytes_max: 1 } } });
    assert.equal(items.email, 'message.eml');
    assert.deepEqual(items.limits, [
      { limit: 'message_bytes_max', allowed: 1, value: Buffer.byteLength(mime), passed: false },
    ]);
  });

  it('makes a check that cannot run an error of that check', async () => {
    const { browser } = app.galley.outside;
    const { audit } = browser;
    browser.audit = () => Promise.reject(new Error('The browser is not there.'));
    const { items } = await run({ html: mail('<p>Words</p>'), checks: ['links', 'accessibility'] }).finally(
      () => (browser.audit = audit),
    );
    assert.equal(items.verdict, 'fail');
    assert.deepEqual(items.reasons, ['Accessibility could not run: The browser is not there.']);
    assert.deepEqual(
      items.checks.map(({ check, status, error }: any) => [check, status, error]),
      [
        ['links', 'complete', undefined],
        ['accessibility', 'failed', 'The browser is not there.'],
      ],
    );
  });

  it('has reports of every format', async () => {
    const {
      items: { id },
    } = await run({ html: mail('<p>Words</p><img src="cid:nothing">'), name: 'a.html' });
    const reportOf = (format: string) => app.call(`GET ${PATH}/${id}/report?format=${format}`);
    const sarif = await reportOf('sarif');
    assert.deepEqual([sarif.status, sarif.headers.get('content-type')], [200, 'application/sarif+json; charset=utf-8']);
    assert.deepEqual(sarifFaults(sarif.body), []);
    assert.ok(sarif.body.runs[0].results.length > 0);
    const junit = await reportOf('junit');
    assert.equal(junit.headers.get('content-type'), 'application/xml; charset=utf-8');
    assert.equal(readXml(junit.body.toString('utf8')).name, 'testsuites');
    assert.match((await reportOf('github')).body, /^::(error|warning|notice) file=a\.html,/);
    assert.match((await reportOf('pretty')).body, /^a\.html\n/);
    assert.equal((await app.call(`GET ${PATH}/${id}/report`)).body.emails[0].email, 'a.html');
    const wrong = await reportOf('pdf');
    assert.deepEqual(
      [wrong.status, wrong.body],
      [400, { message: 'format must be one of pretty, json, sarif, junit, markdown, github.' }],
    );
  });

  it('says which field is wrong', async () => {
    const html = '<p>Words</p>';
    const cases: [object, string][] = [
      [{}, 'html, url, mime: give exactly one of them.'],
      [{ html, checks: ['spelling'] }, 'checks[0] must be one of code, links, images, accessibility, screenshots.'],
      [{ html, clients: ['gmail_in_space'] }, 'clients: Unknown client id: gmail_in_space.'],
      [{ html, checks: ['links'], baseline: 'a' }, 'checks must name screenshots where clients or baseline are given.'],
      [{ html, policy: [] }, 'policy must be an object.'],
      [
        { html, policy: { fail: 'error' } },
        'policy.fail is not known here; known are $schema, fail_on, checks, rules, ignore, limits, screenshots.',
      ],
      [{ html, policy: { fail_on: 'often' } }, 'policy.fail_on must be one of error, warning, info, never.'],
      [
        { html, policy: { checks: { spam: {} } } },
        'policy.checks.spam is not known here; known are code, hygiene, links, images, accessibility, screenshots.',
      ],
      [
        { html, policy: { rules: { 'links/reachable': 'loud' } } },
        'policy.rules["links/reachable"] must be one of off, info, warning, error.',
      ],
      [
        { html, policy: { ignore: [{ rule: 'links/*' }] } },
        'policy.ignore[0].reason must be a text of 1 to 500 characters.',
      ],
      [
        { html, policy: { ignore: [{ rule: 'links/*', reason: 'x', until: '2026-02-31' }] } },
        'policy.ignore[0].until must be a day, such as 2026-12-31.',
      ],
      [
        { html, policy: { limits: { score_min: { nobody: 1 } } } },
        'policy.limits.score_min.nobody is not known here; known are b2c, published-opens-2022-03, b2b-outlook, ' +
          'mobile-first, b2c-germany, equal.',
      ],
      [
        { html, policy: { limits: { html_bytes_max: -1 } } },
        'policy.limits.html_bytes_max must be a whole number from 0 up.',
      ],
      [
        { html, policy: { screenshots: { threshold: 2 } } },
        'policy.screenshots.threshold must be a number from 0 to 1.',
      ],
    ];
    for (const [body, message] of cases) {
      const { status, body: answer } = await app.call(`POST ${PATH}`, { body });
      assert.deepEqual([status, answer], [400, { message }]);
    }
  });

  it('describes the policy by one schema: in the API, and for editors', async () => {
    const { body: api } = await app.call('GET /openapi.json');
    // Several operations take a policy: it stands once, under a name.
    const { $ref } = api.components.schemas.CreateGateBody.properties.policy.anyOf[0];
    const given = api.components.schemas[$ref.slice('#/components/schemas/'.length)];
    const applied = api.components.schemas.GatePolicy;
    const { body: editors, headers } = await app.call('GET /policy.schema.json', { key: null });
    assert.equal(headers.get('content-type'), 'application/schema+json; charset=utf-8');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    const { $schema: _, ...fields } = editors.properties;
    for (const schema of [given, applied, editors]) {
      const { properties } = schema;
      assert.deepEqual(properties.fail_on.enum, ['error', 'warning', 'info', 'never']);
      assert.deepEqual(Object.keys(properties.checks.properties), Object.keys(fields.checks.properties));
      assert.deepEqual(Object.keys(properties.limits.properties), Object.keys(fields.limits.properties));
    }
    assert.deepEqual([given.required, editors.required], [undefined, undefined], 'nothing of a policy is needed');
    assert.deepEqual(applied.required, Object.keys(fields), 'all of it is answered');
    const [pattern] = Object.keys(fields.rules.patternProperties);
    const isRule = new RegExp(pattern ?? '');
    assert.deepEqual(
      ['links/reachable', 'links/*', '*', 'code*', 'links', 'links/', '/x', 'a b/c'].map((name) => isRule.test(name)),
      [true, true, true, true, false, false, false, false],
    );
    assert.equal(fields.rules.additionalProperties, false);
  });

  it('answers for what is not there, not ready, and not allowed', async () => {
    const gone = { message: 'No gate has the id "nothing".' };
    for (const operation of [
      `GET ${PATH}/nothing`,
      `DELETE ${PATH}/nothing`,
      `GET ${PATH}/nothing/report`,
      `GET ${PATH}/nothing/message`,
      `POST ${PATH}/nothing/again`,
      `GET ${PATH}/nothing/pictures/gmail_chrome/current`,
    ])
      assert.deepEqual(await app.call(operation).then(({ status, body }) => [status, body]), [404, gone], operation);
    assert.deepEqual((await app.call(`POST ${PATH}/nothing/approve`, { body: { baseline: 'a' } })).body, gone);
    assert.equal((await app.call(`GET ${PATH}`, { key: null })).status, 401);
    assert.equal((await app.call(`GET ${PATH}?limit=1001`)).status, 400);
    const {
      items: { id },
    } = await run({ html: mail('<p>Words</p>'), checks: ['code'] });
    assert.deepEqual(
      await app
        .call(`POST ${PATH}/${id}/approve`, { body: { baseline: 'a' } })
        .then(({ status, body }) => [status, body]),
      [409, { message: 'This gate has no pictures to approve; start one with clients.' }],
    );
    assert.deepEqual(
      await app.call(`POST ${PATH}/${id}/approve`, { body: { baseline: '../a' } }).then(({ status }) => status),
      400,
    );
  });
});

describe('a gate that runs', () => {
  it('answers 425 with Retry-After where its result is asked for', async () => {
    const { browser } = app.galley.outside;
    const { audit } = browser;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    browser.audit = async (...given) => {
      await held;
      return audit(...given);
    };
    try {
      const { body } = await app.call(`POST ${PATH}`, {
        body: { html: mail('<p>Words</p>'), checks: ['accessibility'], name: 'a.html' },
      });
      const { id } = body.items;
      for (const path of [`${PATH}/${id}/report`, `/v1/inspections/${id}/report`]) {
        const answer = await app.call(`GET ${path}`);
        assert.deepEqual([answer.status, answer.headers.get('retry-after')], [425, '1'], path);
      }
      const early = await app.call(`GET ${PATH}/${id}`);
      assert.deepEqual(
        [early.headers.get('retry-after'), early.body.items],
        [
          '1',
          {
            id,
            name: 'a.html',
            email: 'a.html',
            verdict: null,
            reasons: [],
            counts: null,
            policy: WRITTEN,
            limits: [],
            checks: [],
            baseline: null,
            screenshots: [],
          },
        ],
      );
      assert.equal((await app.call(`GET ${PATH}?limit=1`)).body.items[0].email, 'a.html');
      assert.match((await app.call(`GET ${PATH}/${id}/message`)).body.content, /Words/);
      release();
      assert.equal((await finished(id)).items.verdict, 'pass');
    } finally {
      release();
      browser.audit = audit;
    }
  });
});

describe('reports of an inspection of any kind', () => {
  it('come in every format, by id', async () => {
    const { body } = await app.call('POST /v1/inspect/accessibility', {
      body: { html: '<p><img src="https://example.com/a.png"></p>' },
    });
    const { id } = body.items;
    await app.idle();
    const reportOf = (format: string) =>
      app.call(`GET /v1/inspections/${id}/report?format=${format}&name=mails/a.html`);
    const sarif = (await reportOf('sarif')).body;
    assert.deepEqual(sarifFaults(sarif), []);
    assert.equal(sarif.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri, 'mails/a.html');
    assert.equal(readXml((await reportOf('junit')).body.toString('utf8')).name, 'testsuites');
    assert.match(
      (await reportOf('github')).body,
      /::error file=mails\/a\.html,line=1,col=4,title=accessibility\/image-alt::/,
    );
    assert.equal((await reportOf('json')).body.verdict, 'fail');
    assert.deepEqual((await app.call('GET /v1/inspections/nothing/report')).body, {
      message: 'No inspection has the id "nothing".',
    });
  });
});

describe('screenshots and their baselines', () => {
  const clients = ['gmail_chrome', 'ol2021'];
  const shots = (items: any) => items.screenshots.map(({ client, outcome }: any) => [client, outcome]);

  it('are told to have no baseline, then pass when approved, then fail with a picture of the difference', async () => {
    const before = mail('<p>Words</p>');
    const order = { checks: ['screenshots'], clients, baseline: 'Spring list' };
    const first = await run({ html: before, ...order });
    assert.deepEqual(
      [first.items.verdict, shots(first.items)],
      [
        'pass',
        [
          ['gmail_chrome', 'no_baseline'],
          ['ol2021', 'no_baseline'],
        ],
      ],
    );
    const { id } = first.items;
    assert.deepEqual(first.items.screenshots[0].links, {
      current: `${PATH}/${id}/pictures/gmail_chrome/current`,
      thumbnail: `${PATH}/${id}/pictures/gmail_chrome/current?size=thumbnail`,
    });
    assert.deepEqual([first.items.screenshots[0].approved_as, first.items.screenshots[0].width > 300], [[], true]);
    const strict = await run({ html: before, ...order, policy: { screenshots: { missing_baseline: 'fail' } } });
    assert.deepEqual(
      [strict.items.verdict, strict.items.reasons],
      ['fail', ['Screenshots: 2 findings of severity error.']],
    );
    assert.deepEqual((await app.call(`POST ${PATH}/${id}/approve`, { body: { baseline: 'Spring list' } })).body, {
      baseline: 'Spring list',
      clients,
    });
    const {
      body: {
        items: [listed],
      },
    } = await app.call('GET /v1/inspect/baselines');
    assert.deepEqual([listed.name, listed.clients], ['Spring list', clients]);
    const picture = '/v1/inspect/baselines/Spring%20list/pictures/gmail_chrome';
    const { approved_at: approvedAt, engine, ...approved } = listed.pictures[0];
    assert.deepEqual(approved, {
      client: 'gmail_chrome',
      gate_id: id,
      links: { picture, thumbnail: `${picture}?size=thumbnail` },
    });
    assert.deepEqual([TIME.test(approvedAt), engine], [true, first.items.screenshots[0].engine]);
    assert.deepEqual(
      (await app.call(`GET ${PATH}/${id}`)).body.items.screenshots.map((shot: any) => shot.approved_as),
      [['Spring list'], ['Spring list']],
    );
    const [full, same304, small] = [
      await app.call(`GET ${picture}`),
      await app.call(`GET ${picture}`, {
        headers: { 'if-none-match': (await app.call(`GET ${picture}`)).headers.get('etag') ?? '' },
      }),
      await app.call(`GET ${picture}?size=thumbnail`),
    ];
    assert.deepEqual(
      [full.status, full.headers.get('content-type'), same304.status, small.headers.get('content-type')],
      [200, 'image/png', 304, 'image/jpeg'],
    );
    assert.deepEqual(full.body, (await app.call(`GET ${PATH}/${id}/pictures/gmail_chrome/current`)).body);
    assert.deepEqual(
      await app
        .call('GET /v1/inspect/baselines/Spring%20list/pictures/yahoo')
        .then(({ status, body }) => [status, body]),
      [404, { message: 'No approved picture in this baseline has the id "yahoo".' }],
    );
    // The clients of the baseline are those of the gate when none are named.
    const same = await run({ html: before, baseline: 'Spring list', checks: ['screenshots'] });
    assert.deepEqual(
      [same.items.verdict, shots(same.items), same.items.screenshots[0].difference],
      [
        'pass',
        [
          ['gmail_chrome', 'unchanged'],
          ['ol2021', 'unchanged'],
        ],
        0,
      ],
    );
    const changed = await run({
      html: mail('<p>Words</p><p style="background:#c00;height:200px">A red box</p>'),
      ...order,
    });
    assert.deepEqual(
      [changed.items.verdict, shots(changed.items)],
      [
        'fail',
        [
          ['gmail_chrome', 'changed'],
          ['ol2021', 'changed'],
        ],
      ],
    );
    const [shot] = changed.items.screenshots;
    assert.ok(shot.difference > 0.01 && shot.difference < 1);
    for (const which of ['current', 'baseline', 'difference']) {
      const { status, headers, body } = await app.call(`GET ${shot.links[which]}`);
      assert.deepEqual(
        [status, headers.get('content-type'), body.subarray(1, 4).toString()],
        [200, 'image/png', 'PNG'],
        which,
      );
    }
    assert.equal(shot.links.thumbnail, `${PATH}/${changed.items.id}/pictures/gmail_chrome/difference?size=thumbnail`);
    for (const path of [shot.links.thumbnail, `${shot.links.baseline}?size=thumbnail`]) {
      const { status, headers, body } = await app.call(`GET ${path}`);
      assert.deepEqual(
        [status, headers.get('content-type'), body.subarray(0, 2).toString('hex')],
        [200, 'image/jpeg', 'ffd8'],
        path,
      );
    }
    assert.equal((await app.call(`GET ${shot.links.current}?size=huge`)).status, 400);
    assert.equal((await app.call(`GET ${PATH}/${changed.items.id}/pictures/gmail_chrome/other`)).status, 400);
    assert.equal((await app.call(`GET ${PATH}/${changed.items.id}/pictures/iphone16_18/current`)).status, 404);
    assert.deepEqual(
      (
        await app.call(`POST ${PATH}/${changed.items.id}/approve`, {
          body: { baseline: 'Spring list', clients: ['ol2021'] },
        })
      ).body,
      { baseline: 'Spring list', clients: ['ol2021'] },
    );
    const half = await run({ html: before, ...order });
    assert.deepEqual(shots(half.items), [
      ['gmail_chrome', 'unchanged'],
      ['ol2021', 'changed'],
    ]);
    assert.equal((await app.call(`DELETE ${PATH}/${id}`)).status, 200);
    const kept = (await app.call('GET /v1/inspect/baselines')).body.items[0].pictures;
    assert.deepEqual(
      kept.map(({ client, gate_id: gateId }: any) => [client, gateId]),
      [
        ['gmail_chrome', null],
        ['ol2021', changed.items.id],
      ],
    );
    assert.deepEqual(
      await app
        .call(`POST ${PATH}/${half.items.id}/approve`, { body: { baseline: 'x', clients: ['yahoo'] } })
        .then(({ status, body }) => [status, body]),
      [400, { message: 'clients names what has no picture in this gate: yahoo.' }],
    );
    assert.deepEqual((await app.call('DELETE /v1/inspect/baselines/Spring%20list')).body, {
      message: 'The baseline was deleted.',
    });
    assert.deepEqual((await app.call('DELETE /v1/inspect/baselines/Spring%20list')).body, {
      message: 'No baseline has the id "Spring list".',
    });
    assert.equal(await app.galley.outside.blobs.count('gate-baselines'), 0);
  });
});
