import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../test/harness/start-app.ts';
import { sql } from '../../platform/db/index.ts';

const PATHS = { link_validation: '/v1/inspect/links', image_validation: '/v1/inspect/images', accessibility: '/v1/inspect/accessibility', code_analysis: '/v1/inspect/analyze' };
const ALL = { link_validation: true, image_validation: true, accessibility: true, code_analysis: true };
const HTML = '<p>Spring <a href="mailto:a@example.com">proofs</a> <img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" alt="dot"></p>';

let app: App;
before(async () => {
  app = await startApp();
});
after(() => app.close());

async function create(content_checking: object): Promise<any> {
  const { status, body } = await app.call('POST /v2/preview/tests', { body: { subject: 'Spring', html: HTML, clients: ['gmail_chrome'], content_checking } });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function checksOf(id: string): Promise<any> {
  return (await app.call(`GET /v2/preview/tests/${id}`)).body.content_checking;
}

describe('content_checking of a preview test', () => {
  it('starts the checks, links each, and takes them along when the test is deleted', async () => {
    const { id, content_checking: refs } = await create(ALL);
    assert.deepEqual(Object.keys(refs).sort(), Object.keys(PATHS).sort());
    for (const [name, path] of Object.entries(PATHS)) {
      // A quick check may have ended before the answer was written.
      assert.match(refs[name].meta.status, /^(?:Processing|Complete)$/);
      assert.deepEqual(refs[name].items, { id: refs[name].items.id, links: { self: `${path}/${refs[name].items.id}` } });
    }
    await app.idle();
    const done = await checksOf(id);
    for (const name of Object.keys(PATHS)) {
      assert.equal(done[name].meta.status, 'Complete', name);
      assert.deepEqual(done[name].items, refs[name].items);
      const { status, body } = await app.call(`GET ${refs[name].items.links.self}`);
      assert.equal(status, 200);
      assert.equal(body.meta.status, name === 'code_analysis' ? 'Completed' : 'Complete');
    }
    assert.deepEqual((await app.call(`DELETE /v2/preview/tests/${id}`)).body, { success: true });
    for (const name of Object.keys(PATHS)) assert.equal((await app.call(`GET ${refs[name].items.links.self}`)).status, 404, name);
  });

  it('runs none that was not asked for', async () => {
    assert.deepEqual((await create({})).content_checking, {});
    assert.deepEqual((await create({ accessibility: false })).content_checking, { accessibility: null });
  });

  it('says of a check that could not start, or not run, what the matter is, and shows the screenshots all the same', async () => {
    const { blobs, db } = app.galley.outside;
    const { put } = blobs;
    blobs.put = (key, ...rest) => (key.startsWith('inspections/') ? Promise.reject(new Error('The disk is full.')) : put(key, ...rest));
    const { id } = await create({ accessibility: true }).finally(() => (blobs.put = put));
    assert.deepEqual((await checksOf(id)).accessibility, { errors: [{ status: '500', title: 'processing_error', detail: 'The check could not be started: The disk is full.' }] });
    const { id: other, content_checking: refs } = await create({ accessibility: true });
    await app.idle();
    await db.run(sql`update inspections set status = 'Failed', error = 'The browser is not there.' where id = ${refs.accessibility.items.id}`);
    assert.deepEqual((await checksOf(other)).accessibility, { errors: [{ status: '500', title: 'processing_error', detail: 'The browser is not there.' }] });
    for (const test of [id, other]) assert.deepEqual((await app.call(`GET /v2/preview/tests/${test}`)).body.completed, ['gmail_chrome']);
  });

  it('says of a check that was deleted that it is gone', async () => {
    const { id, content_checking: refs } = await create({ accessibility: true });
    await app.call(`DELETE ${refs.accessibility.items.links.self}`);
    assert.deepEqual((await checksOf(id)).accessibility, { errors: [{ status: '404', title: 'not_found', detail: 'This check was deleted.' }] });
    assert.deepEqual((await app.call(`DELETE /v2/preview/tests/${id}`)).body, { success: true });
  });
});
