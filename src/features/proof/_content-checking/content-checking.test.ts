import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { sql } from '../../../platform/db/index.ts';

const PATHS = {
  link_validation: '/v1/inspect/links',
  image_validation: '/v1/inspect/images',
  accessibility: '/v1/inspect/accessibility',
  code_analysis: '/v1/inspect/analyze',
};
const ALL = { link_validation: true, image_validation: true, accessibility: true, code_analysis: true };
const NONE = { link_validation: null, image_validation: null, accessibility: null, code_analysis: null };
const HTML =
  '<p>Spring <a href="mailto:a@example.com">proofs</a>' +
  ' <img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" alt="dot"></p>';

let app: App;
before(async () => {
  app = await startApp();
});
after(() => app.close());

async function create(content_checking: object): Promise<any> {
  const { status, body } = await app.call('POST /v2/preview/tests', {
    body: { subject: 'Spring', html: HTML, clients: ['gmail_chrome'], content_checking },
  });
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
      assert.deepEqual(refs[name].items, {
        id: refs[name].items.id,
        links: { self: `${path}/${refs[name].items.id}` },
      });
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
    for (const name of Object.keys(PATHS))
      assert.equal((await app.call(`GET ${refs[name].items.links.self}`)).status, 404, name);
  });

  it('runs none that was not asked for', async () => {
    assert.deepEqual((await create({})).content_checking, {});
    assert.deepEqual((await create({ accessibility: false })).content_checking, NONE);
  });

  it('says of a check that could not start, or not run, what the matter is, and shows the screenshots all the same', async () => {
    const { blobs, db } = app.galley.outside;
    const { put } = blobs;
    blobs.put = (key, ...rest) =>
      key.startsWith('inspections/') ? Promise.reject(new Error('The disk is full.')) : put(key, ...rest);
    const { id } = await create({ accessibility: true }).finally(() => (blobs.put = put));
    assert.deepEqual((await checksOf(id)).accessibility, {
      errors: [
        { status: '500', title: 'processing_error', detail: 'The check could not be started: The disk is full.' },
      ],
    });
    const { id: other, content_checking: refs } = await create({ accessibility: true });
    await app.idle();
    await db.run(sql`
      update inspections
      set status = 'Failed', error = 'The browser is not there.'
      where id = ${refs.accessibility.items.id}
    `);
    assert.deepEqual((await checksOf(other)).accessibility, {
      errors: [{ status: '500', title: 'processing_error', detail: 'The browser is not there.' }],
    });
    for (const test of [id, other])
      assert.deepEqual((await app.call(`GET /v2/preview/tests/${test}`)).body.completed, ['gmail_chrome']);
  });

  it('says of a check that was deleted that it is gone', async () => {
    const { id, content_checking: refs } = await create({ accessibility: true });
    await app.call(`DELETE ${refs.accessibility.items.links.self}`);
    assert.deepEqual((await checksOf(id)).accessibility, {
      errors: [{ status: '404', title: 'not_found', detail: 'This check was deleted.' }],
    });
    assert.deepEqual((await app.call(`DELETE /v2/preview/tests/${id}`)).body, { success: true });
  });

  const add = (id: string, body: unknown) => app.call(`POST /v2/preview/tests/${id}/content_checking`, { body });

  it('may be asked for later, of a message with all its parts; what is there stays, what failed runs anew', async () => {
    const mime =
      'From: a@example.com\r\nSubject: Spring\r\nContent-Type: text/html\r\n\r\n<p>Spring <a href="mailto:a@example.com">proofs</a></p>';
    const {
      body: { id },
    } = await app.call('POST /v2/preview/tests', { body: { subject: 'Spring', mime, clients: ['gmail_chrome'] } });
    const { status, body: first } = await add(id, { link_validation: true, accessibility: false });
    const ref = first.content_checking.link_validation.items;
    assert.deepEqual(
      [status, first.id, ref.links.self, { ...first.content_checking, link_validation: null }],
      [200, id, `/v1/inspect/links/${ref.id}`, NONE],
    );
    await app.idle();
    assert.equal((await app.call(`GET ${ref.links.self}`)).body.items.results[0].url, 'mailto:a@example.com');
    const { body: second } = await add(id, { link_validation: true, code_analysis: true });
    assert.deepEqual(second.content_checking.link_validation, { meta: { status: 'Complete' }, items: ref });
    await app.idle();
    // Only a whole message lacks a List-Unsubscribe.
    const { findings } = (await app.call(`GET /v1/inspections/${second.content_checking.code_analysis.items.id}`)).body;
    assert.ok(findings.some(({ rule }: any) => rule === 'hygiene/list-unsubscribe'));
    await app.galley.outside.db.run(sql`update inspections set status = 'Failed', error = 'x' where id = ${ref.id}`);
    const { body: third } = await add(id, { link_validation: true });
    assert.notEqual(third.content_checking.link_validation.items.id, ref.id);
    assert.equal((await app.call(`GET ${ref.links.self}`)).status, 404);
    assert.deepEqual((await checksOf(id)).code_analysis, {
      meta: { status: 'Complete' },
      items: second.content_checking.code_analysis.items,
    });
  });

  it('starts each once, however many ask for it at the same time', async () => {
    const { id } = await create({});
    const answers = await Promise.all(Array.from({ length: 4 }, () => add(id, { accessibility: true })));
    const [one] = [...new Set(answers.map(({ body }) => body.content_checking.accessibility.items.id))];
    assert.deepEqual(
      answers.map(({ body }) => body.content_checking.accessibility.items.id),
      Array(4).fill(one),
    );
    assert.equal((await checksOf(id)).accessibility.items.id, one);
  });

  it('refuses checks of other names, and tests that are not there', async () => {
    const { id } = await create({});
    const refused = await add(id, { spelling: true });
    assert.deepEqual([refused.status, refused.body.message], [400, 'spelling is not known here.']);
    assert.equal((await add('nothing', { accessibility: true })).status, 404);
    assert.deepEqual((await add(id, {})).body, { id, content_checking: {} });
  });
});
