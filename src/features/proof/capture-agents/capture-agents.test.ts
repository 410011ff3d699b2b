import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startProgram } from '../../../../test/harness/program.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const MAIN = join(import.meta.dirname, '../../../main.ts');
const HTML = '<body style="margin:0"><div style="width:300px;height:60px;background:#1a73e8">Roses</div></body>';
const CLIENTS = [{ client: 'gmail_chrome', version: 'Chrome 142', os: 'Debian 12' }];

let app: App;
let folder: string;
let token: string;
let picture: Buffer;
/** The header of a subaccount. */
let theirs: Record<string, string>;

before(async () => {
  app = await startApp();
  folder = await mkdtemp(join(tmpdir(), 'galley-agent-'));
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Other' } });
  theirs = { 'x-mailgun-on-behalf-of': body.subaccount.id };
  const enrolled = await app.call('POST /v2/preview/capture_agents', { body: { name: 'Lab 3' } });
  assert.equal(enrolled.status, 201, JSON.stringify(enrolled.body));
  ({ token } = enrolled.body);
});
after(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

async function newTest(headers: Record<string, string> = {}, clients = ['gmail_chrome']): Promise<string> {
  const { body } = await app.call('POST /v2/preview/tests', {
    body: { subject: 'Roses', html: HTML, clients },
    headers,
  });
  return body.id;
}

const ask = (testId: string, client = 'gmail_chrome', headers: Record<string, string> = {}) =>
  app.call('POST /v2/preview/capture_requests', { body: { test_id: testId, client }, headers });

const asAgent = (path: string, body: unknown = {}, secret = token) =>
  app.call(`POST /v2/preview/capture_agent${path}`, {
    key: null,
    headers: { authorization: `Bearer ${secret}` },
    body,
  });

const claim = async () => (await asAgent('/claim', { clients: CLIENTS })).body.job;

const requests = async (testId: string) =>
  (await app.call(`GET /v2/preview/capture_requests?test_id=${testId}`)).body.items;

function pictureForm(bytes: Buffer): FormData {
  const form = new FormData();
  form.set('picture', new Blob([Uint8Array.from(bytes)]), 'a.png');
  return form;
}

describe('capture agents', () => {
  it('are asked only for clients that one of them runs', async () => {
    const id = await newTest({}, ['gmail_chrome', 'ol2021']);
    const refused = await ask(id);
    assert.deepEqual(
      [refused.status, refused.body.message],
      [409, 'No agent of this installation runs gmail_chrome. None has said what it runs.'],
    );
    assert.equal(await claim(), null);
    assert.equal((await ask(id, 'ol2021')).status, 409);
    assert.deepEqual((await app.call('GET /v2/preview/capture_requests')).body.clients, ['gmail_chrome']);
    assert.equal((await ask(id, 'none')).status, 400);
    const { body } = await app.call('GET /v2/preview/capture_agents');
    assert.deepEqual([body.meta.count, body.items[0].name, body.items[0].clients], [1, 'Lab 3', CLIENTS]);
    assert.equal(JSON.stringify(body).includes(token), false, 'the token is shown once');
  });

  it('claim jobs by turns of accounts, extend them, and end them with a picture', async () => {
    const [first, second] = [await newTest(), await newTest()];
    const other = await newTest(theirs);
    for (const id of [first, second]) assert.equal((await ask(id)).status, 201);
    app.clock.advance(1000);
    const { body: theirRequest } = await ask(other, 'gmail_chrome', theirs);
    await app.idle();
    const job = await claim();
    const firstRequest = (await requests(first))[0];
    assert.deepEqual([job.id, firstRequest.state, firstRequest.attempts], [firstRequest.id, 'claimed', 1]);
    assert.match(Buffer.from(job.message, 'base64').toString(), /^Subject: Roses\r?$/m);
    assert.equal((await claim()).id, theirRequest.id, 'the account that was served longest ago');
    assert.ok((await asAgent(`/jobs/${job.id}/extend`)).body.lease_until >= job.lease_until);
    const results = (await app.call(`GET /v2/preview/tests/${first}/results/gmail_chrome`)).body.gmail_chrome;
    picture = (await app.call(`GET ${results.screenshots.default}`)).body;
    for (let sent = 0; sent < 2; sent++)
      assert.equal((await asAgent(`/jobs/${job.id}/complete`, pictureForm(picture))).status, 200, 'also twice');
    await app.idle();
    const [done] = await requests(first);
    const { body: capture } = await app.call(`GET /v2/preview/captures/${done.capture_id}`);
    const { fidelity, how, agent, state, client_version: version, comparison } = capture;
    assert.deepEqual(
      [done.state, fidelity, how, agent, state, version, comparison.agreement],
      ['done', 'real', 'agent', 'Lab 3', 'accepted', 'Chrome 142', 1],
    );
    assert.equal((await app.call(`GET /v2/preview/captures?test_id=${first}`)).body.meta.count, 1);
    await asAgent(`/jobs/${theirRequest.id}/complete`, pictureForm(picture));
  });

  it('lose no job: a claim that ends is claimed again, three times at most', async () => {
    const id = await newTest();
    const { body: request } = await ask(id);
    const earlier = await claim();
    assert.equal((await asAgent(`/jobs/${earlier.id}/complete`, pictureForm(picture))).status, 200);
    for (let attempt = 1; attempt <= 3; attempt++) {
      const job = await claim();
      assert.deepEqual([job.id, (await requests(id))[0].attempts], [request.id, attempt]);
      app.clock.advance(121_000);
      assert.equal((await requests(id))[0].state, attempt < 3 ? 'waiting' : 'failed');
    }
    assert.equal(await claim(), null);
    assert.match((await requests(id))[0].error, /^No agent finished it/);
    const late = await asAgent(`/jobs/${request.id}/complete`, pictureForm(picture));
    assert.equal(late.status, 409);
  });

  it('have a token that opens nothing else, and that ends with the agent', async () => {
    const basic = { authorization: `Basic ${btoa(`api:${token}`)}` };
    assert.equal((await app.call('GET /v2/preview/tests', { key: null, headers: basic })).status, 401);
    const bearer = { authorization: `Bearer ${token}` };
    assert.equal((await app.call('GET /v2/preview/tests', { key: null, headers: bearer })).status, 401);
    assert.equal((await asAgent('/claim', { clients: CLIENTS }, `agent-${'0'.repeat(48)}`)).status, 401);
    assert.equal((await asAgent('/claim', { clients: [] })).status, 400);
    const { body: second } = await app.call('POST /v2/preview/capture_agents', { body: { name: 'Lab 4' } });
    await ask(await newTest());
    const job = await claim();
    assert.equal((await asAgent(`/jobs/${job.id}/extend`, {}, second.token)).status, 404, 'the job of another agent');
    assert.equal((await asAgent(`/jobs/${job.id}/fail`, { reason: 'Frozen.' })).status, 200);
    assert.equal((await app.call(`DELETE /v2/preview/capture_agents/${second.id}`)).status, 200);
    assert.equal((await asAgent('/claim', { clients: CLIENTS }, second.token)).status, 401);
    assert.equal((await app.call(`DELETE /v2/preview/capture_agents/${second.id}`)).status, 404);
  });

  it('are run by `galley capture-agent`, with a command that takes the picture', async () => {
    const id = await newTest();
    assert.equal((await ask(id)).status, 201);
    await writeFile(join(folder, 'shown.png'), picture);
    const script = join(folder, 'shoot.sh');
    await writeFile(script, `#!/bin/sh\ngrep -q '^Subject: Roses' "$1" && cp '${folder}/shown.png' "$2"\n`);
    await chmod(script, 0o755);
    const run = async (...command: string[]) => {
      const options = [
        '--url',
        app.url,
        '--client',
        'gmail_chrome',
        '--client-version',
        'Chrome 142',
        '--os',
        'Debian',
      ];
      const program = startProgram([process.execPath, MAIN, 'capture-agent', ...options, '--once', '--', ...command], {
        env: { GALLEY_AGENT_TOKEN: token },
      });
      const { code } = await program.ended;
      return { code, stderr: program.stderr() };
    };
    assert.deepEqual(await run(script), {
      code: 0,
      stderr: 'Captured "Roses".\nCaptured "Roses".\n',
    });
    assert.equal((await requests(id))[0].state, 'done');
    const broken = await newTest();
    await ask(broken);
    const { stderr } = await run('/bin/false');
    assert.equal(stderr.match(/Not captured "Roses": The command failed/g)?.length, 3);
    const [failed] = await requests(broken);
    assert.deepEqual([failed.state, failed.attempts], ['failed', 3]);
  });
});
