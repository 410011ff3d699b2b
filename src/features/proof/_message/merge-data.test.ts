// `data`: merge tags filled before anything is drawn or checked, at every endpoint that takes an email.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,mail', GALLEY_SMTP_DOMAIN: 'galley.test' });
});
after(() => app.close());

const HTML = [
  '<!doctype html><html lang="en"><title>{{title}}</title><p>Dear *|FNAME|*,</p>',
  '<a href="mailto:{{sender.mail}}">Write to us</a> <a href="{{gone}}">Gone</a>',
  '<img src="{$logo}" alt="{{title}}"></html>',
].join('\n');
const GIF = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const DATA = { title: 'May & June', FNAME: 'Ann', sender: { mail: 'us@shop.example' }, logo: GIF };

async function post(path: string, body: object): Promise<any> {
  const { status, body: made } = await app.call(`POST ${path}`, { body });
  assert.ok(status === 200 || status === 201, JSON.stringify(made));
  return made;
}

async function complete(path: string, id: string): Promise<any> {
  for (;;) {
    const { body } = await app.call(`GET ${path}/${id}`);
    if (body.meta.status !== 'Processing') return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const findingsOf = async (id: string): Promise<any[]> => (await app.call(`GET /v1/inspections/${id}`)).body.findings;
const ofRule = (findings: any[], rule: string): any[] => findings.filter((finding) => finding.rule === rule);

describe('data', () => {
  it('fills source and subject of a preview test, and says which tags it has no value for', async () => {
    const made = await post('/v2/preview/tests', {
      subject: 'For *|FNAME|*',
      html: HTML,
      clients: ['gmail_chrome'],
      data: DATA,
    });
    assert.deepEqual(made.warnings, [{ name: 'unfilled_merge_tag', message: 'data has no value for {{gone}}' }]);
    assert.equal((await app.call(`GET /v2/preview/tests/${made.id}`)).body.subject, 'For Ann');
    const { content } = (await app.call(`GET /v1/preview/tests/${made.id}/content`)).body;
    assert.match(content, /<title>May &amp; June<\/title><p>Dear Ann,<\/p>\n<a href="mailto:us@shop\.example">/);
  });

  it('fills a whole message', async () => {
    const mime = `From: a@shop.example\r\nSubject: x\r\nContent-Type: text/html\r\n\r\n${HTML}`;
    const made = await post('/v2/preview/tests', { subject: 'x', mime, clients: ['gmail_chrome'], data: DATA });
    assert.match((await app.call(`GET /v1/preview/tests/${made.id}/content`)).body.content, /Dear Ann,/);
  });

  it('fills what inspections look at', async () => {
    const links = await complete(
      '/v1/inspect/links',
      (await post('/v1/inspect/links/html-validate', { html: HTML, data: DATA })).items.id,
    );
    assert.deepEqual(
      links.items.results.map(({ url, status }: any) => [url, status]),
      [
        ['mailto:us@shop.example', 'pass'],
        ['{{gone}}', 'pass'],
      ],
    );
    const images = await complete(
      '/v1/inspect/images',
      (await post('/v1/inspect/images/html-validate', { html: HTML, data: DATA })).items.id,
    );
    assert.match(images.items.images[0].url, /^data:image\/gif;base64,R0/);
    const code = await complete(
      '/v1/inspect/analyze',
      (await post('/v1/inspect/analyze', { html: HTML, subject: 'Hi {{FNAME}}', data: DATA })).items.id,
    );
    assert.equal(code.items.inbox[0].subject.shown, 'Hi Ann');
    const {
      items: { id },
    } = await post('/v1/inspect/accessibility', {
      html: Buffer.from(HTML).toString('base64'),
      encoded: true,
      data: DATA,
    });
    await complete('/v1/inspect/accessibility', id);
    const spam = await post('/v1/inspect/spam', { html: HTML, subject: 'Hi {{FNAME}}', data: DATA });
    assert.equal(spam.item.subject, 'Hi Ann');
  });

  it('fills what a gate is about', async () => {
    const {
      items: { id },
    } = await post('/v1/inspect/gate', {
      html: HTML,
      checks: ['code', 'links', 'images'],
      data: { ...DATA, gone: 'mailto:x@y.example' },
    });
    await complete('/v1/inspect/gate', id);
    const findings = await findingsOf(id);
    assert.deepEqual(
      findings.filter(({ rule, severity }) => /merge-tag|links\/target/.test(rule) && severity !== 'pass'),
      [],
    );
  });

  const wrong: [body: object, reason: RegExp][] = [
    [{ html: HTML, data: [1] }, /^data must be object\.$|^data must be/],
    [{ html: HTML, data: 'x' }, /^data must be/],
    [{ html: 'a\n{{#if x}}', data: { x: 1 } }, /^html is no template that can be filled, line 2: /],
    [
      { html: HTML, data: { x: 'y'.repeat(1024 * 1024) } },
      /^data is \d+ characters of JSON; at most 1048576 are accepted\.$/,
    ],
  ];
  for (const [body, reason] of wrong) {
    it(`answers 400 to ${JSON.stringify(body).slice(-60)}`, async () => {
      const answer = await app.call('POST /v2/preview/tests', { body: { subject: 's', ...body } });
      assert.equal(answer.status, 400);
      assert.match(answer.body.Reason, reason);
    });
  }
});

describe('merge tags without data', () => {
  it('are one finding with its places; links and images behind them are not checked, and not broken', async () => {
    const links = Array.from({ length: 13 }, (_, at) => `<a href="{{link${at}}}">Link ${at}</a>`).join('\n');
    const images = Array.from({ length: 13 }, (_, at) => `<img src="{$image${at}}" alt="Image ${at}">`).join('\n');
    const html = `<!doctype html><html lang="en"><title>Tea</title><p>Dear {{name}}</p>${links}${images}</html>`;
    const {
      items: { id },
    } = await post('/v1/inspect/gate', { html, checks: ['code', 'links', 'images'] });
    await complete('/v1/inspect/gate', id);
    const findings = await findingsOf(id);
    const about = findings.filter(
      ({ rule, severity }) => severity !== 'pass' && /merge-tag|not-checked|links\/target|absolute-url/.test(rule),
    );
    assert.deepEqual(about.map(({ rule, severity, message }) => [rule, severity, message]).sort(), [
      [
        'hygiene/merge-tag',
        'error',
        '27 merge tags were not replaced, in 27 places: “{{name}}”, “{{link0}}”, “{{link1}}” and 24 more.',
      ],
      ['images/not-checked', 'info', '13 images were not checked: merge tag in the address.'],
      ['links/merge-tag', 'info', '13 links were not checked: merge tag in the address.'],
    ]);
    const [{ details }] = ofRule(findings, 'hygiene/merge-tag');
    assert.equal(details.count, 27);
    assert.deepEqual([details.tags.length, details.tags[1].lines], [27, [1]]);
  });
});
