// A message's bytes are kept once for an account, whatever is made from them, and go with the last that needs them.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { unpackValue } from '../../../platform/blobs/index.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { sql } from '../../../platform/db/index.ts';
import { keepMessage, readKept, releaseMessages } from './index.ts';
import { sweepMessages } from './kept.ts';

const CHECKS = { link_validation: true, image_validation: true, accessibility: true, code_analysis: true };
const GATE = { checks: ['code', 'links'], fail_on: 'never' };
const HOUR_MS = 3_600_000;

let app: App;
let account: string;
let other: { id: string; key: string };
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
  const made = await app.call('POST /v1/keys', { headers: { 'x-service-account-id': id }, body: { role: 'admin' } });
  other = { id, key: made.body.key.secret };
  account = (await app.galley.outside.db.first(sql<{ id: string }>`select id from accounts where id <> ${id}`))!.id;
});
after(() => app.close());

/** Of its own for each test: what two tests send is one message. */
const htmlOf = (name: string): string => `<title>${name}</title><p>The roses of ${name} have begun to flower.</p>`;

async function made(operation: string, body: object, key?: string): Promise<string> {
  const reply = await app.call(operation, { body, ...(key !== undefined && { key }) });
  assert.ok(reply.status < 300, JSON.stringify(reply.body));
  return reply.body.id ?? reply.body.item?.id ?? reply.body.items?.id;
}
const preview = (html: string, more: object = {}, key?: string): Promise<string> =>
  made('POST /v2/preview/tests', { subject: 'May', html, clients: ['gmail_chrome'], ...more }, key);

const countMessages = (of: string): Promise<number> => app.galley.outside.blobs.count(`messages/${of}`);

/** How many stored objects hold the bytes, as they are or in base64. */
async function copiesOf(html: string): Promise<number> {
  const root = join(app.galley.outside.config.dataDir, 'objects');
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const forms = [html, JSON.stringify(html).slice(1, -1), Buffer.from(html).toString('base64')];
  const held = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const text = await readFile(join(parentPath, name), 'latin1').catch((error: NodeJS.ErrnoException) => {
        // Jobs move and delete files meanwhile.
        if (error.code !== 'ENOENT') throw error;
        return '';
      });
      return forms.some((form) => text.includes(form));
    }),
  );
  return held.filter(Boolean).length;
}

async function contentOf(id: string, key?: string): Promise<string> {
  return (await app.call(`GET /v1/preview/tests/${id}/content`, key === undefined ? {} : { key })).body.content;
}

describe('the bytes of a message', () => {
  it('are stored once for a preview, its four checks, its spam test, and a gate, and go with the last', async () => {
    const html = htmlOf('May');
    const [test, gate] = [
      await preview(html, { content_checking: CHECKS, spam: {} }),
      await made('POST /v1/inspect/gate', { html, ...GATE }),
    ];
    await app.idle();
    assert.equal(await countMessages(account), 1);
    // Of the emulated message, what is sent and drawn is something else.
    const digest = createHash('sha256').update(html).digest('hex');
    assert.deepEqual(await app.galley.outside.blobs.get(`messages/${account}/${digest}/bytes`), Buffer.from(html));
    assert.equal(await contentOf(test), html);
    const { body } = await app.call(`GET /v2/preview/tests/${test}`);
    for (const name of Object.keys(CHECKS)) assert.equal(body.content_checking[name].meta.status, 'Complete', name);
    await app.call(`DELETE /v2/preview/tests/${test}`);
    await app.idle();
    assert.equal(await countMessages(account), 1);
    assert.equal((await app.call(`GET /v1/inspect/gate/${gate}/message`)).body.content, html);
    await app.call(`DELETE /v1/inspect/gate/${gate}`);
    await app.idle();
    assert.equal(await countMessages(account), 0);
    assert.equal(await copiesOf(html), 0);
  });

  it('are in no other object that is stored', async () => {
    const html = htmlOf('June');
    const ids = [
      await made('POST /v1/inspect/analyze', { html }),
      await made('POST /v1/inspect/gate', { html, ...GATE }),
    ];
    const test = await preview(html, { content_checking: { code_analysis: true } });
    assert.equal(await copiesOf(html), 1);
    await app.idle();
    await app.call(`DELETE /v2/preview/tests/${test}`);
    await app.call(`DELETE /v1/inspect/analyze/${ids[0]}`);
    await app.call(`DELETE /v1/inspect/gate/${ids[1]}`);
    await app.idle();
    assert.equal(await copiesOf(html), 0);
  });

  it('are of one account alone', async () => {
    const html = htmlOf('July');
    const [ours, theirs] = [await preview(html), await preview(html, {}, other.key)];
    await app.idle();
    assert.deepEqual([await countMessages(other.id), await copiesOf(html)], [1, 2]);
    await app.call(`DELETE /v2/preview/tests/${ours}`);
    await app.idle();
    assert.equal(await contentOf(theirs, other.key), html);
    assert.equal(await copiesOf(html), 1);
    await app.call(`DELETE /v2/preview/tests/${theirs}`, { key: other.key });
    await app.idle();
    assert.equal(await copiesOf(html), 0);
  });

  it('are kept by an analysis that runs again, also on another message', async () => {
    const [html, next] = [htmlOf('August'), htmlOf('September')];
    const id = await made('POST /v1/inspect/analyze', { html });
    await app.idle();
    assert.equal((await app.call(`POST /v1/inspect/analyze/${id}`, { body: { html: next } })).status, 200);
    await app.idle();
    assert.deepEqual([await copiesOf(html), await copiesOf(next)], [1, 1]);
    app.clock.advance(2 * HOUR_MS);
    await sweepMessages(app.galley.outside);
    assert.deepEqual([await copiesOf(html), await copiesOf(next)], [1, 1]);
    await app.call(`DELETE /v1/inspect/analyze/${id}`);
    await app.idle();
    assert.deepEqual([await copiesOf(html), await copiesOf(next)], [0, 0]);
  });

  it('go after their time, when the process died before what needs them was stored', async () => {
    const { outside } = app.galley;
    const html = htmlOf('October');
    const { put } = outside.blobs;
    outside.blobs.put = (key, ...rest) =>
      key.startsWith('inspections/') ? Promise.reject(new Error('The disk is full.')) : put(key, ...rest);
    const { status } = await app
      .call('POST /v1/inspect/analyze', { body: { html } })
      .finally(() => (outside.blobs.put = put));
    assert.equal(status, 500);
    await sweepMessages(outside);
    assert.equal(await copiesOf(html), 1, 'another request may be about to need it');
    app.clock.advance(2 * HOUR_MS);
    await sweepMessages(outside);
    assert.equal(await copiesOf(html), 0);
  });

  it('go, when the process died between what needed them and them', async () => {
    const { outside } = app.galley;
    const html = htmlOf('November');
    await keepMessage(outside, { accountId: account, holder: 'previews/gone', bytes: Buffer.from(html) });
    const { deleteAll } = outside.blobs;
    outside.blobs.deleteAll = () => Promise.reject(new Error('The disk is away.'));
    await assert.rejects(releaseMessages(outside, 'previews/gone'));
    outside.blobs.deleteAll = deleteAll;
    assert.equal(await copiesOf(html), 1);
    // Whoever comes before the sweeping has them whole.
    const digest = await keepMessage(outside, {
      accountId: account,
      holder: 'previews/next',
      bytes: Buffer.from(html),
    });
    await sweepMessages(outside);
    assert.equal((await readKept(outside, { accountId: account, digest })).toString(), html);
    await releaseMessages(outside, 'previews/next');
    assert.equal(await copiesOf(html), 0);
  });

  it('are there for everybody who keeps them, while others let go of them', async () => {
    const { outside } = app.galley;
    const bytes = Buffer.from(htmlOf('December'));
    const keepAndLetGo = async (holder: string): Promise<void> => {
      for (let round = 0; round < 10; round++) {
        const digest = await keepMessage(outside, { accountId: account, holder, bytes });
        assert.deepEqual(await readKept(outside, { accountId: account, digest }), bytes);
        await releaseMessages(outside, holder);
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, index) => keepAndLetGo(`previews/race-${index}`)));
    assert.equal(await copiesOf(bytes.toString()), 0);
  });

  it('are read where they were stored before', async () => {
    const { blobs } = app.galley.outside;
    const html = htmlOf('January');
    const id = await preview(html);
    await app.idle();
    await blobs.deleteAll(`previews/${id}/source.json`);
    await blobs.put(`previews/${id}/source.html`, Buffer.from(`${html}!`), 'text/html');
    assert.equal(await contentOf(id), `${html}!`);
    const gate = await made('POST /v1/inspect/gate', { html, ...GATE });
    await app.idle();
    const key = `inspections/${gate}/input-1`;
    const input = unpackValue((await blobs.get(key))!) as { source: { body: unknown } };
    assert.deepEqual(Object.keys(input.source.body as object), ['sha256']);
    input.source.body = Buffer.from(`${html}?`).toString('base64');
    await blobs.deleteAll(key);
    await blobs.put(`${key}.json`, Buffer.from(JSON.stringify(input)), 'application/json');
    assert.equal((await app.call(`GET /v1/inspect/gate/${gate}/message`)).body.content, `${html}?`);
  });
});
