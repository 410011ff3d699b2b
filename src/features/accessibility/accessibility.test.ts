import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../test/harness/start-app.ts';

let app: App;
before(async () => {
  app = await startApp();
});
after(() => app.close());

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
    const html = '<html><body><p style="color:#cccccc;background:#ffffff">Pale words</p><img src="https://example.com/a.png"></body></html>';
    const { status, body } = await app.call(`POST ${PATH}`, { body: { html: Buffer.from(html).toString('base64'), encoded: true } });
    assert.equal(status, 201);
    const { id } = body.items;
    assert.deepEqual(body, { meta: { status: 'Processing' }, items: { id, links: { self: `${PATH}/${id}` } } });
    const done = await finished(id);
    assert.equal(done.meta.status, 'Complete');
    assert.match(done.meta.created_at, TIME);
    const [report] = done.items;
    const failed = new Map<string, any>(report.failures.map((rule: { rule: string }) => [rule.rule, rule]));
    assert.deepEqual(['image-alt', 'color-contrast', 'html-has-lang'].filter((rule) => !failed.has(rule)), []);
    assert.deepEqual(failed.get('image-alt').compliance, ['1.1.1 Non-text Content']);
    assert.equal(failed.get('image-alt').instances[0].lineNumber, 1);
    const { body: uniform } = await app.call(`GET /v1/inspections/${id}`);
    assert.deepEqual([uniform.kind, uniform.status, uniform.version, uniform.error], ['accessibility', 'Complete', 1, null]);
    const finding = uniform.findings.find(({ rule }: { rule: string }) => rule === 'accessibility/image-alt');
    assert.equal(finding.where.line, 1);
    const { body: list } = await app.call(`GET ${PATH}?limit=1`);
    assert.equal(list.meta.count, 1);
    const { created_at, updated_at, ...item } = list.items[0];
    assert.match(created_at + updated_at, /Z.*Z$/);
    assert.deepEqual(item, { id, status: 'Complete', checks: report.checks, passes: report.passes.length, failures: report.failures.length, needs_review: report.needs_review.length });
    assert.deepEqual(list.paging, { first: `${app.url}${PATH}?limit=1&skip=0`, last: `${app.url}${PATH}?limit=1&skip=0` });
    assert.deepEqual((await app.call(`DELETE ${PATH}/${id}`)).body, { message: 'The accessibility test was deleted.' });
    const message = `No accessibility test has the id "${id}".`;
    for (const verb of ['GET', 'DELETE']) assert.deepEqual(await app.call(`${verb} ${PATH}/${id}`).then(({ status: code, body: answer }) => [code, answer]), [404, { message }]);
    assert.deepEqual((await app.call(`GET /v1/inspections/${id}`)).body, { message: `No inspection has the id "${id}".` });
  });

  it('answers 400 with what is wrong', async () => {
    for (const [body, detail] of [[{}, 'html is required.'], [{ html: '  ' }, 'html is empty.'], [{ html: '<p>', encoded: true }, 'html is not base64, although encoded is true.']] as const) {
      const { status, body: answer } = await app.call(`POST ${PATH}`, { body });
      assert.deepEqual([status, answer], [400, { errors: [{ status: '400', title: 'Bad Request', detail: [detail] }], message: detail }]);
    }
    assert.equal((await app.call(`GET ${PATH}?limit=1001`)).status, 400);
    assert.equal((await app.call(`GET ${PATH}`, { key: null })).status, 401);
  });
});
