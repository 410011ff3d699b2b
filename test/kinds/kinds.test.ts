// A kind of inspection is declared once: one folder and one line bring it everywhere.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { dashboardLists } from '../../scripts/generate-dashboard.ts';
import { FEATURES } from '../../src/app/features.ts';
import { policyTable } from '../../src/engines/gate/index.ts';
import { checkedKinds } from '../../src/features/proof/_content-checking/index.ts';
import { defineInspection, inspectionFeature } from '../../src/features/proof/_inspections/index.ts';
import { rulesOf } from '../../src/features/proof/gate/index.ts';
import { assemble, listsOf } from '../../src/platform/feature/index.ts';
import { startApp, type App } from '../harness/start-app.ts';
import shouting from './shouting/index.ts';

const WITH_SHOUTING = [...FEATURES, shouting];
const PATH = '/v1/inspect/shouting';
const HTML = '<!doctype html><html lang="en"><title>Sale</title><p>Prints are CHEAP, and they are cheap TODAY.</p>';

let app: App;
let dir: string;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'galley-kinds-'));
  app = await startApp({}, { features: [shouting] });
});
after(async () => {
  await app?.close();
  await rm(dir, { recursive: true, force: true });
});

async function finished(path: string): Promise<any> {
  for (;;) {
    const { status, body } = await app.call(`GET ${path}`);
    assert.equal(status, 200, JSON.stringify(body));
    if (body.meta.status !== 'Processing') return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function galleyCheck(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const program = join(import.meta.dirname, 'check.fixture.ts');
  const env = { ...process.env, GALLEY_OPTIONAL_ENGINES: 'off', GALLEY_BROWSERS: '1' };
  return new Promise((resolve) =>
    execFile(process.execPath, [program, ...args], { cwd: dir, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    ),
  );
}

describe('a kind that is declared once', () => {
  it('has endpoints: start, list, get, delete, and what every inspection has', async () => {
    const { status, body: started } = await app.call(`POST ${PATH}`, { body: { html: HTML } });
    const { id } = started.items;
    assert.equal(status, 201, JSON.stringify(started));
    assert.deepEqual(started, { meta: { status: 'Processing' }, items: { id, links: { self: `${PATH}/${id}` } } });
    const { meta, items } = await finished(`${PATH}/${id}`);
    assert.deepEqual([meta.status, items], ['Complete', [{ words: ['CHEAP', 'TODAY'] }]]);
    const { body: page } = await app.call(`GET ${PATH}?limit=1`);
    assert.deepEqual(
      [page.meta, page.items[0].id, page.items[0].name, page.items[0].words],
      [{ count: 1 }, id, 'Sale', 2],
    );
    assert.deepEqual(
      (await app.call(`GET /v1/inspections/${id}`)).body.findings.map(({ rule }: any) => rule),
      ['shouting/word', 'shouting/word'],
    );
    assert.deepEqual((await app.call(`DELETE ${PATH}/${id}`)).body, { message: 'The odd test was deleted.' });
    assert.deepEqual((await app.call(`GET ${PATH}/${id}`)).body, { message: `No odd test has the id "${id}".` });
    assert.equal((await app.call(`GET ${PATH}`, { key: null })).status, 401);
  });

  it('is a content check of previews, at once and later, and goes with them', async () => {
    const create = (checks: object): Promise<any> =>
      app
        .call('POST /v2/preview/tests', {
          body: { html: HTML, subject: 'Sale', clients: ['gmail_chrome'], content_checking: checks },
        })
        .then(({ body }) => body);
    const { id, content_checking: asked } = await create({ shouting: true });
    assert.equal(asked.link_validation, null);
    const { self } = asked.shouting.items.links;
    assert.match(self, /^\/v1\/inspect\/shouting\/\w+$/);
    assert.deepEqual((await finished(self)).items, [{ words: ['CHEAP', 'TODAY'] }]);
    const { body: page } = await app.call('GET /v1/previews/summary');
    const row = page.items.find((one: any) => one.id === id);
    assert.deepEqual(row.checks, { shouting: { status: 'Complete', errors: 2, warnings: 0 } });
    await app.call(`DELETE /v2/preview/tests/${id}`);
    assert.equal((await app.call(`GET ${self}`)).status, 404);
    const later = await create({});
    const added = await app.call(`POST /v2/preview/tests/${later.id}/content_checking`, { body: { shouting: true } });
    assert.match(added.body.content_checking.shouting.items.links.self, /^\/v1\/inspect\/shouting\//);
    const { body: wrong } = await app.call(`POST /v2/preview/tests/${later.id}/content_checking`, {
      body: { whispering: true },
    });
    assert.equal(wrong.message, 'whispering is not known here.');
  });

  it('is a check of the gate, with its rules and its limit in the policy', async () => {
    const run = async (policy: object): Promise<any> => {
      const { status, body } = await app.call('POST /v1/inspect/gate', {
        body: { html: HTML, checks: ['shouting'], policy },
      });
      assert.equal(status, 201, JSON.stringify(body));
      return (await finished(`/v1/inspect/gate/${body.items.id}`)).items;
    };
    const { verdict, reasons, checks } = await run({ limits: { shouted_words_max: 1 } });
    assert.deepEqual(
      [verdict, reasons, checks.map(({ check, title }: any) => [check, title])],
      [
        'fail',
        ['Shouting: 2 findings of severity error.', 'limits.shouted_words_max is 1, and it is 2.'],
        [['shouting', 'Shouting']],
      ],
    );
    const lenient = await run({ limits: { shouted_words_max: 2 }, checks: { shouting: { fail_on: 'never' } } });
    assert.deepEqual(
      [lenient.verdict, lenient.limits, lenient.policy.limits, lenient.policy.checks],
      [
        'pass',
        [{ limit: 'shouted_words_max', allowed: 2, value: 2, passed: true }],
        { shouted_words_max: 2 },
        { shouting: { fail_on: 'never' } },
      ],
    );
    const { body: wrong } = await app.call('POST /v1/inspect/gate', { body: { html: HTML, checks: ['spelling'] } });
    assert.equal(wrong.message, 'checks[0] must be one of code, links, images, accessibility, shouting, screenshots.');
  });

  it('is in the documents: the API, the schema that editors read, the table of the guide', async () => {
    const { body: api } = await app.call('GET /openapi.json', { key: null });
    assert.deepEqual(
      [Object.keys(api.paths[PATH]), Object.keys(api.paths[`${PATH}/{id}`])],
      [
        ['post', 'get'],
        ['get', 'delete'],
      ],
    );
    const { operationId, summary, tags } = api.paths[PATH].post;
    assert.deepEqual([operationId, summary, tags], ['createOddTest', 'Start an odd test of an email', ['Shouting']]);
    assert.equal(
      api.tags.find(({ name }: any) => name === 'Shouting').description,
      'Finds what is shouted in an email.',
    );
    const { AddPreviewTestChecksBody, CreateGateBody, GatePolicy } = api.components.schemas;
    assert.ok(AddPreviewTestChecksBody.properties.shouting);
    assert.ok(CreateGateBody.properties.checks.anyOf[0].items.enum.includes('shouting'));
    const { body: editors } = await app.call('GET /policy.schema.json', { key: null });
    // Several operations take a policy: it stands once, under a name.
    const { $ref } = CreateGateBody.properties.policy.anyOf[0];
    const given = api.components.schemas[$ref.slice('#/components/schemas/'.length)];
    for (const { properties } of [given, GatePolicy, editors]) {
      assert.ok(properties.checks.properties.shouting);
      assert.equal(properties.limits.properties.shouted_words_max.description, 'How many words may be shouted.');
    }
    assert.match((await app.call('GET /docs', { key: null })).body, /createOddTest/);
    const table = policyTable(rulesOf({ lists: listsOf(WITH_SHOUTING) }));
    assert.match(table, /`<group>`: .*`shouting`/);
    assert.match(table, /\n\| `limits\.shouted_words_max` \| How many words may be shouted\. \|/);
  });

  it('is among --checks, in the usage, and in the reports of the command line', async () => {
    await writeFile(join(dir, 'mail.html'), HTML);
    const help = await galleyCheck('--help');
    assert.match(help.stdout, /some of code, links, images, accessibility, shouting, screenshots;/);
    const wrong = await galleyCheck('mail.html', '--checks', 'spelling');
    assert.deepEqual(
      [wrong.code, wrong.stderr],
      [2, '--checks must be one of code, links, images, accessibility, shouting, screenshots; it is "spelling".\n'],
    );
    const { code, stdout } = await galleyCheck('mail.html', '--checks', 'shouting', '--format', 'json');
    assert.equal(code, 1);
    assert.match(stdout, /"shouting\/word"/);
    await writeFile(join(dir, 'galley.policy.json'), JSON.stringify({ rules: { 'shouting/*': 'info' } }));
    assert.equal((await galleyCheck('mail.html', '--checks', 'shouting')).code, 0);
  });

  it('is in what the dashboard lists: a tab, a switch, the group of its rules, a field of the form', () => {
    const lists = dashboardLists(WITH_SHOUTING, 'A note.');
    const shown = { name: 'Shouting', about: 'Finds words in capitals.', page: null, gate: 'shouting' };
    assert.ok(lists.includes(`"shouting": ${JSON.stringify({ ...shown, groups: ['shouting'] })},\n`), lists);
    assert.ok(
      lists.includes('{"name":"shouted_words_max","field":"shoutedWords","label":"Shouted words, at most"'),
      lists,
    );
    assert.doesNotMatch(dashboardLists(FEATURES, 'A note.'), /shout/i);
  });
});

describe('a kind that is at odds with others', () => {
  const odd = (listing: object) =>
    inspectionFeature(
      defineInspection<never, object>({
        kind: 'odd',
        noun: 'odd test',
        lane: 'quick',
        timeoutMs: 1,
        listing: {
          path: '/v1/inspect/odd',
          label: 'Odd',
          about: 'Is odd.',
          tag: { name: 'Odd', about: 'Odd.' },
          contentChecking: { field: 'odd', order: 1 },
          gate: { check: 'odd', order: 1, groups: { odd: 'Odd' } },
          ...listing,
        },
        inspect: () => Promise.reject(new Error('It is not run.')),
      }),
      { endpoints: [] },
    );

  it('keeps the service from starting, with the reason', () => {
    const field = odd({ contentChecking: { field: 'accessibility', order: 1 } });
    assert.throws(
      () => checkedKinds({ lists: listsOf([...FEATURES, field]) }),
      /Two kinds of inspections have one field of content_checking\./,
    );
    const group = odd({ gate: { check: 'odd', order: 1, groups: { links: 'Links' } } });
    assert.throws(() => assemble([...FEATURES, group]), /Two groups of rules of the gate are named links\./);
    assert.throws(() => odd({ gate: undefined }), /must be a check of gates and of previews, or of neither/);
    assert.equal(assemble([...FEATURES, odd({})]).length, FEATURES.length + 1);
  });
});
