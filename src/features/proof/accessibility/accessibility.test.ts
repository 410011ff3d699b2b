import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { assetServer, type AssetServer } from '../../../../test/harness/asset-server.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { sql } from '../../../platform/db/index.ts';

let app: App;
let assets: AssetServer;
before(async () => {
  assets = await assetServer();
  app = await startApp({ GALLEY_ALLOW_HOSTS: '127.0.0.1' });
});
after(async () => {
  await app.close();
  await assets.close();
});

const PATH = '/v1/inspect/accessibility';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function finished(id: string): Promise<any> {
  for (;;) {
    const { body } = await app.call(`GET ${PATH}/${id}`);
    if (body.meta.status !== 'Processing') return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('accessibility tests', () => {
  it('start at once and end with passes, failures and what needs a look', async () => {
    const html =
      '<html><body><p style="color:#cccccc;background:#ffffff">Pale words</p>' +
      `<img src="${assets.url}/red.png"></body></html>`;
    const { status, body } = await app.call(`POST ${PATH}`, {
      body: { html: Buffer.from(html).toString('base64'), encoded: true },
    });
    assert.equal(status, 201);
    const { id } = body.items;
    assert.deepEqual(body, { meta: { status: 'Processing' }, items: { id, links: { self: `${PATH}/${id}` } } });
    const done = await finished(id);
    assert.equal(done.meta.status, 'Complete');
    assert.match(done.meta.created_at, TIME);
    const [report] = done.items;
    const failed = new Map<string, any>(report.failures.map((rule: { rule: string }) => [rule.rule, rule]));
    assert.deepEqual(
      ['image-alt', 'color-contrast', 'html-has-lang'].filter((rule) => !failed.has(rule)),
      [],
    );
    assert.deepEqual(failed.get('image-alt'), {
      rule: 'image-alt',
      impact: 'critical',
      description: 'Every image has alt: a text that says the same, or alt="" for decoration.',
      standards: ['WCAG 2A'],
      pour: ['Perceivable'],
      compliance: ['1.1.1 Non-text Content'],
      instances: [
        {
          correctAny: [
            'The image “red.png” has no alt. Add alt with what the image says, or alt="" if it is decoration.',
          ],
          correctAll: [],
          snippet: `<img src="${assets.url}/red.png">`,
          target: ['body > img'],
          lineNumber: 1,
          columnNumber: html.indexOf('<img') + 1,
          absoluteIndex: html.indexOf('<img'),
        },
      ],
    });
    assert.deepEqual(
      report.passes.find(({ rule }: { rule: string }) => rule === 'marquee'),
      {
        rule: 'marquee',
        description: 'There is no marquee element.',
        standards: ['WCAG 2A'],
        pour: ['Operable'],
        compliance: ['2.2.2 Pause, Stop, Hide'],
      },
    );
    assert.match(report.measured_by, /^axe-core \d+\.\d+\.\d+, .*Chrom.* \d+/);
    const { body: uniform } = await app.call(`GET /v1/inspections/${id}`);
    assert.deepEqual(
      [uniform.kind, uniform.status, uniform.version, uniform.error],
      ['accessibility', 'Complete', 1, null],
    );
    const finding = uniform.findings.find(({ rule }: { rule: string }) => rule === 'accessibility/image-alt');
    assert.equal(finding.where.line, 1);
    const { body: list } = await app.call(`GET ${PATH}?limit=1`);
    assert.equal(list.meta.count, 1);
    const { created_at, updated_at, ...item } = list.items[0];
    assert.match(created_at + updated_at, /Z.*Z$/);
    assert.deepEqual(item, {
      id,
      name: 'Untitled email',
      status: 'Complete',
      checks: report.checks,
      passes: report.passes.length,
      failures: report.failures.length,
      needs_review: report.needs_review.length,
    });
    assert.deepEqual(list.paging, {
      first: `${app.url}${PATH}?limit=1&skip=0`,
      last: `${app.url}${PATH}?limit=1&skip=0`,
    });
    assert.deepEqual((await app.call(`DELETE ${PATH}/${id}`)).body, { message: 'The accessibility test was deleted.' });
    const message = `No accessibility test has the id "${id}".`;
    for (const verb of ['GET', 'DELETE'])
      assert.deepEqual(
        await app.call(`${verb} ${PATH}/${id}`).then(({ status: code, body: answer }) => [code, answer]),
        [404, { message }],
      );
    assert.deepEqual((await app.call(`GET /v1/inspections/${id}`)).body, {
      message: `No inspection has the id "${id}".`,
    });
  });

  it('take a whole message too, and what it alone tells: subject, text part, moving pictures', async () => {
    const still = { raw: { width: 4, height: 8, channels: 3, pageHeight: 4 } } as const;
    const gif = await sharp(Buffer.from([...Array(48).fill(0), ...Array(48).fill(255)]), still)
      .gif({ delay: [400, 400], loop: 0 })
      .toBuffer();
    assets.set('/moving.gif', 'image/gif', gif);
    const html =
      '<html lang="en" dir="ltr"><title>Umbrellas</title><body><div lang="en" dir="ltr"><p>' +
      `Rain is coming.</p><img src="${assets.url}/moving.gif" alt="Rain falls">` +
      `<img src="${assets.url}/red.png" alt="Red"></div></body></html>`;
    const mime = [
      'From: a@example.com',
      'Subject: Our winter sale',
      'Content-Type: text/html; charset=utf-8',
      '',
      html,
    ].join('\r\n');
    const { body } = await app.call(`POST ${PATH}`, { body: { mime } });
    const {
      items: [report],
    } = await finished(body.items.id);
    const find = (list: any[], name: string) => list.find(({ rule }) => rule === name);
    assert.equal(
      find(report.failures, 'animated-image').instances[0].correctAny[0],
      'The animation “Rain falls” plays without end. Let the animation play once or twice and end on a still frame.',
    );
    assert.equal(find(report.failures, 'animated-image').instances.length, 1);
    assert.ok(find(report.failures, 'plain-text'));
    assert.equal(find(report.needs_review, 'title-subject').instances[0].snippet, '<title>');
    const {
      body: {
        items: [{ id }],
      },
    } = await app.call(`GET ${PATH}?limit=1`);
    assert.equal(id, body.items.id);
  });

  it('judge by its source alone a message that no browser could take', async () => {
    const { body } = await app.call(`POST ${PATH}`, {
      body: { html: `<html><body><img src="a.png">${'<div>'.repeat(20_000)}` },
    });
    const done = await finished(body.items.id);
    assert.equal(done.meta.status, 'Complete');
    const [report] = done.items;
    assert.deepEqual([report.measured_by, report.dark_modes], [null, 0]);
    assert.ok(report.failures.some(({ rule }: { rule: string }) => rule === 'image-alt'));
  });

  it('find nothing wrong in a message that has no HTML', async () => {
    const { body } = await app.call(`POST ${PATH}`, { body: { mime: 'Subject: Tea\r\n\r\nOnly text.' } });
    assert.deepEqual((await finished(body.items.id)).items, [
      { checks: 0, passes: [], failures: [], needs_review: [], measured_by: null, dark_modes: 0 },
    ]);
    const {
      body: { findings },
    } = await app.call(`GET /v1/inspections/${body.items.id}`);
    assert.deepEqual(
      findings.map(({ rule, severity }: any) => [rule, severity]),
      [['accessibility/no-html', 'info']],
    );
  });

  it('measure contrast after each client’s dark mode, and name the clients', async () => {
    const html =
      '<html lang="en" dir="ltr"><title>Sale</title><body><div lang="en" dir="ltr">' +
      '<p style="color:#ffffff;background:#d63384">White on pink</p></div></body></html>';
    const { body } = await app.call(`POST ${PATH}`, { body: { html } });
    const {
      items: [report],
    } = await finished(body.items.id);
    assert.ok(report.dark_modes > 10, String(report.dark_modes));
    assert.ok(report.passes.some(({ rule }: any) => rule === 'color-contrast'));
    assert.match(
      report.failures.find(({ rule }: any) => rule === 'color-contrast-dark').instances[0].correctAny[0],
      /^“White on pink” has [1-4]\.\d+:1 .*Outlook 20/,
    );
    const {
      body: { findings },
    } = await app.call(`GET /v1/inspections/${body.items.id}`);
    const dark = findings.find(({ rule }: any) => rule === 'accessibility/color-contrast-dark');
    assert.deepEqual(
      [dark.severity, dark.details.isMeasured, dark.clients.every((client: string) => client.endsWith(', dark'))],
      ['error', true, true],
    );
  });

  it('are listed a thousand on a page', async () => {
    const { db } = app.galley.outside;
    const before = (await app.call(`GET ${PATH}`)).body.meta.count;
    await db.run(sql`
      insert into inspections (
        id, account_id, kind, status, version, created_at, version_created_at, updated_at, expires_at
      )
      select 'old-' || lpad(n::text, 4, '0'), (select account_id from inspections limit 1), 'accessibility', 'Complete',
        1, timestamptz '2026-01-01T00:00:00Z' + n * interval '1 second', now(), timestamptz '2026-01-02T00:00:00Z',
        now() + interval '90 days'
      from generate_series(1, 1001) as n
    `);
    const { body: first } = await app.call(`GET ${PATH}?limit=1000`);
    assert.deepEqual(
      [first.meta, first.items.length, first.paging],
      [
        { count: 1001 + before },
        1000,
        {
          first: `${app.url}${PATH}?limit=1000&skip=0`,
          last: `${app.url}${PATH}?limit=1000&skip=1000`,
          next: `${app.url}${PATH}?limit=1000&skip=1000`,
        },
      ],
    );
    const { body: second } = await app.call(`GET ${first.paging.next}`);
    assert.deepEqual(
      [second.items.length, second.paging.previous, 'next' in second.paging],
      [1 + before, `${app.url}${PATH}?limit=1000&skip=0`, false],
    );
    assert.deepEqual(second.items.at(-1), {
      id: 'old-0001',
      name: 'Untitled email',
      status: 'Complete',
      checks: 0,
      passes: 0,
      failures: 0,
      needs_review: 0,
      created_at: '2026-01-01T00:00:01.000Z',
      updated_at: '2026-01-02T00:00:00.000Z',
    });
  });

  it('answers 400 with what is wrong', async () => {
    for (const [body, detail] of [
      [{}, 'html is required.'],
      [{ html: '  ' }, 'html is empty.'],
      [{ html: '<p>', encoded: true }, 'html is not base64, although encoded is true.'],
      [
        { html: '<p>', url: 'https://example.com/' },
        'html, url, mime: give exactly one of them; html and url were given.',
      ],
    ] as const) {
      const { status, body: answer } = await app.call(`POST ${PATH}`, { body });
      assert.deepEqual(
        [status, answer],
        [400, { errors: [{ status: '400', title: 'Bad Request', detail: [detail] }], message: detail }],
      );
    }
    assert.equal((await app.call(`GET ${PATH}?limit=1001`)).status, 400);
    assert.equal((await app.call(`GET ${PATH}`, { key: null })).status, 401);
  });
});
