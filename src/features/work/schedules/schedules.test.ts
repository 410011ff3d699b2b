// Schedules over HTTP: what they take, when they run, and what becomes of their runs, by the clock of the test.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { startWebServer, type WebServer } from '../../../../test/harness/web-server.ts';
import { begin } from './jobs.ts';

const DAY_MS = 86_400_000;
const HTML = '<!doctype html><html lang="en"><head><title>Roses</title></head><body><p>In flower.</p></body></html>';
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

let app: App;
let site: WebServer;
/** What the watched page says; undefined: the server answers 503. */
let page: string | undefined = 'Roses\nfrom 5 €';
/** The headers of another account. */
let stranger: Record<string, string>;

before(async () => {
  site = await startWebServer((_request, response) => {
    response.statusCode = page === undefined ? 503 : 200;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<p>${(page ?? 'away').replaceAll('\n', '</p><p>')}</p>`);
  });
  app = await startApp({
    GALLEY_ROLES: 'api,work,mail',
    GALLEY_ALLOW_HOSTS: site.host,
    GALLEY_SMTP_DOMAIN: 'galley.test',
  });
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  stranger = { 'x-mailgun-on-behalf-of': body.subaccount.id };
});
after(async () => {
  await app?.close();
  await site?.close();
});

async function make(body: object): Promise<any> {
  const answer = await app.call('POST /v1/schedules', { body: { name: 'Roses', at: '09:00', ...body } });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}
const get = async (id: string): Promise<any> => (await app.call(`GET /v1/schedules/${id}`)).body;
const runsOf = async (id: string): Promise<any> => (await app.call(`GET /v1/schedules/${id}/runs`)).body;
const alertsOf = async (event: string): Promise<any[]> =>
  (await app.call(`GET /v1/galley/alerts?event_type=${event}`)).body.items;

/** What the service does every few seconds; returns when all that came of it is done. */
async function look(): Promise<void> {
  await begin.run(app.galley.outside, {}, { signal: new AbortController().signal, attempt: 1, isLast: true });
  await app.idle();
}

async function lookAt(moment: string): Promise<void> {
  app.clock.advance(new Date(moment).getTime() - app.clock.now().getTime());
  await look();
}

async function ended(id: string): Promise<any> {
  for (;;) {
    const { last_run: run } = await get(id);
    if (run && run.state !== 'running') return run;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

describe('schedules', () => {
  it('are created, listed newest first, shown, changed and deleted', async () => {
    const url = `${site.url}/`;
    const first = await make({ page: { url }, time_zone: 'Europe/Berlin', weekdays: ['monday', 'friday', 'monday'] });
    const { id, created_at, updated_at, next_at, ...rest } = first;
    assert.match(id, /^[0-9a-f]{24}$/);
    assert.equal(created_at, updated_at);
    assert.match(next_at, /T0[78]:00:00\.000Z$/);
    assert.deepEqual(rest, {
      name: 'Roses',
      task: 'page',
      at: '09:00',
      time_zone: 'Europe/Berlin',
      weekdays: ['monday', 'friday'],
      on: true,
      last_run: null,
      request: { url },
    });
    app.clock.advance(1000);
    const { request: _, ...second } = await make({ gate: { html: HTML } });
    const listed = await app.call('GET /v1/schedules?limit=1');
    assert.deepEqual([listed.body.items, listed.body.total], [[second], 2]);
    const changed = await app.call(`PATCH /v1/schedules/${id}`, { body: { on: false, at: '23:59', name: 'Tulips' } });
    assert.equal(changed.status, 200);
    assert.deepEqual(
      [changed.body.on, changed.body.at, changed.body.name, changed.body.next_at, changed.body.request],
      [false, '23:59', 'Tulips', null, { url }],
    );
    const other = await app.call(`PATCH /v1/schedules/${id}`, { body: { gate: { html: HTML }, on: true } });
    assert.deepEqual([other.body.task, other.body.request], ['gate', { html: HTML }]);
    assert.notEqual(other.body.next_at, null);
    for (const made of [id, second.id]) {
      assert.equal((await app.call(`DELETE /v1/schedules/${made}`)).status, 200);
      assert.equal((await app.call(`GET /v1/schedules/${made}`)).status, 404);
      assert.equal((await app.call(`DELETE /v1/schedules/${made}`)).status, 404);
    }
  });

  it('are those of one account, and so are their runs', async () => {
    const { id } = await make({ gate: { html: HTML }, on: false });
    const calls: [string, object | undefined][] = [
      [`GET /v1/schedules/${id}`, undefined],
      [`PATCH /v1/schedules/${id}`, { name: 'Yours' }],
      [`POST /v1/schedules/${id}/run`, {}],
      [`GET /v1/schedules/${id}/runs`, undefined],
      [`DELETE /v1/schedules/${id}`, undefined],
    ];
    for (const [operation, body] of calls) {
      const answer = await app.call(operation, { headers: stranger, ...(body && { body }) });
      assert.equal(answer.status, 404, operation);
    }
    const { body: theirs } = await app.call('GET /v1/schedules', { headers: stranger });
    assert.deepEqual([theirs.items, theirs.total], [[], 0]);
    assert.deepEqual([(await get(id)).name, (await runsOf(id)).total], ['Roses', 0]);
  });

  const gate = { html: HTML };
  const refused: [body: object, field: RegExp][] = [
    [{ at: '09:00', gate }, /name/],
    [{ name: ' ', at: '09:00', gate }, /name/],
    [{ name: 'a', gate }, /at/],
    [{ name: 'a', at: '24:00', gate }, /at/],
    [{ name: 'a', at: '9:00', gate }, /at/],
    [{ name: 'a', at: '09:00', gate, time_zone: 'Mars/Olympus' }, /^time_zone must name a time zone/],
    [{ name: 'a', at: '09:00', gate, weekdays: [] }, /weekdays/],
    [{ name: 'a', at: '09:00', gate, weekdays: ['someday'] }, /weekdays/],
    [{ name: 'a', at: '09:00' }, /^gate is missing, and so are the others: give one of gate, placement, page\.$/],
    [{ name: 'a', at: '09:00', gate, page: { url: 'https://a.example' } }, /^page cannot stand beside gate/],
    [{ name: 'a', at: '09:00', gate: {} }, /^gate must have exactly one of html, url, mime, template\.$/],
    [{ name: 'a', at: '09:00', gate: { html: HTML, clients: ['nope'] } }, /clients/],
    [{ name: 'a', at: '09:00', gate: { html: HTML, policy: { fail_on: 'sometimes' } } }, /policy\.fail_on/],
    [{ name: 'a', at: '09:00', page: { url: 'file:///etc/passwd' } }, /^page\.url must be an absolute http or https/],
    [{ name: 'a', at: '09:00', placement: { from: 'a@b.example', subject: 'x' } }, /^placement must have one of/],
    [{ name: 'a', at: '09:00', placement: { subject: 'x', html: 'x' } }, /from/],
  ];
  for (const [body, message] of refused)
    it(`refuse ${JSON.stringify(body).slice(0, 90)}`, async () => {
      const answer = await app.call('POST /v1/schedules', { body });
      assert.equal(answer.status, 400);
      assert.match(answer.body.message, message);
    });
});

describe('runs of a schedule', () => {
  it('begin at its time on its days, once, also for several times that passed', async () => {
    const today = app.clock.now();
    const tomorrow = new Date(today.getTime() + DAY_MS).toISOString().slice(0, 10);
    const weekday = DAYS[new Date(tomorrow).getUTCDay()]!;
    const { id, next_at } = await make({ page: { url: `${site.url}/` }, weekdays: [weekday] });
    assert.equal(next_at, `${tomorrow}T09:00:00.000Z`);
    await lookAt(`${tomorrow}T08:59:59.000Z`);
    assert.equal((await runsOf(id)).total, 0);
    await lookAt(`${tomorrow}T09:00:05.000Z`);
    await look();
    const week = new Date(new Date(next_at).getTime() + 7 * DAY_MS);
    assert.deepEqual([(await runsOf(id)).total, (await get(id)).next_at], [1, week.toISOString()]);
    await lookAt(new Date(week.getTime() + 15 * DAY_MS).toISOString());
    assert.equal((await runsOf(id)).total, 2);
    await app.call(`DELETE /v1/schedules/${id}`);
  });

  it('of a page say what changed in its text, and an alert does', async () => {
    page = 'Roses\nfrom 5 €';
    const { id } = await make({ name: 'Price list', page: { url: `${site.url}/prices` } });
    const first = await app.call(`POST /v1/schedules/${id}/run`);
    assert.deepEqual([first.status, first.body.state, first.body.ended_at], [201, 'running', null]);
    const states = [(await ended(id)).state];
    const next = async (): Promise<any> => {
      app.clock.advance(2 * 3_600_000);
      await app.call(`POST /v1/schedules/${id}/run`);
      await app.idle();
      return ended(id);
    };
    states.push((await next()).state);
    page = 'Roses\nfrom 6 €';
    const changed = await next();
    states.push(changed.state, (await next()).state);
    assert.deepEqual(states, ['first', 'unchanged', 'changed', 'unchanged']);
    assert.deepEqual(changed.change, {
      added: ['from 6 €'],
      removed: ['from 5 €'],
      added_count: 1,
      removed_count: 1,
    });
    assert.equal(changed.message, `The text of ${site.url}/prices changed. New lines: 1. Lines that are gone: 1.`);
    const [alert, ...more] = await alertsOf('page_changed');
    assert.deepEqual([alert.subject, alert.page, more], [`Price list · ${id}`, `/schedules/${id}`, []]);
    assert.equal((await runsOf(id)).total, 4);
    await app.call(`DELETE /v1/schedules/${id}`);
  });

  it('that cannot be made say why and raise an alert, which ends with the next one that can', async () => {
    page = undefined;
    const { id } = await make({ name: 'Away', page: { url: `${site.url}/away` } });
    await app.call(`POST /v1/schedules/${id}/run`);
    const run = await ended(id);
    assert.deepEqual([run.state, run.message], ['error', 'url answered with status 503. It was tried 3 times.']);
    const of = async () => (await alertsOf('schedule_failed')).find(({ subject }) => subject === `Away · ${id}`);
    const alert = await of();
    assert.deepEqual([alert.message, alert.over_at], [`The schedule "Away" could not run. ${run.message}`, null]);
    page = 'Here again';
    await app.call(`POST /v1/schedules/${id}/run`);
    await app.idle();
    assert.equal((await ended(id)).state, 'first');
    assert.notEqual((await of()).over_at, null);
    await app.call(`DELETE /v1/schedules/${id}`);
  });

  it('of a gate have its verdict, and only one is under way', async () => {
    const checks = ['code'];
    const passing = await make({ gate: { html: HTML, checks } });
    const [one, other] = await Promise.all(
      [1, 2].map(() => app.call(`POST /v1/schedules/${passing.id}/run`, { body: {} })),
    );
    assert.deepEqual([one!.status, other!.status].sort(), [201, 409]);
    const run = await ended(passing.id);
    assert.equal(run.state, 'passed', run.message);
    const { body: gate } = await app.call(`GET /v1/inspect/gate/${run.resource_id}`);
    assert.equal(gate.items.verdict, 'pass');
    const failing = await make({
      gate: { html: HTML, checks, policy: { limits: { html_bytes_max: 10 } } },
    });
    await app.call(`POST /v1/schedules/${failing.id}/run`);
    const failed = await ended(failing.id);
    assert.deepEqual([failed.state, failed.message !== ''], ['failed', true]);
    // Another account's run is not found by the id of a gate.
    assert.equal((await app.call(`GET /v1/inspect/gate/${run.resource_id}`, { headers: stranger })).status, 404);
  });

  it('of a placement test say where its messages landed', async () => {
    const sent = { subject: 'Roses', html: HTML };
    const told = await app.call('POST /v4/inbox/tests', { body: { from: 'a@elsewhere.example', ...sent } });
    const domain = /sandbox\w+\.galley\.test/.exec(told.body.message)?.[0];
    const seeds = { provider_filter: ['webmail.local-receiver.example'], seeds_per_provider: 1 };
    const { id } = await make({ placement: { from: `news@${domain}`, ...sent, ...seeds } });
    await app.call(`POST /v1/schedules/${id}/run`);
    const run = await ended(id);
    assert.equal(run.state, 'complete', run.message);
    assert.match(run.message, /^[01] of 1 are in the inbox of simulated receivers\.$/);
    const { body } = await app.call(`GET /v4/inbox/results/${run.resource_id}`);
    assert.equal(body.result.status, 'complete');
  });

  it('end as errors when the next one is due before their end', async () => {
    const { id } = await make({ gate: { html: HTML, checks: ['code'] } });
    const started = await app.call(`POST /v1/schedules/${id}/run`);
    await app.galley.outside.db.ofAnyone
      .updateTable('scheduleRuns')
      .set({ state: 'running', resourceId: 'lost', endedAt: null })
      .where('id', '=', started.body.id)
      .execute();
    app.clock.advance(DAY_MS);
    await look();
    const { items } = await runsOf(id);
    const lost = items.find((run: any) => run.id === started.body.id);
    assert.deepEqual([lost.state, lost.message], ['error', 'It had not ended when the next run was due.']);
    // It was raised, and is over when the run after it ends.
    await app.idle();
    const alert = (await alertsOf('schedule_failed')).find(({ subject }) => subject.endsWith(id));
    assert.notEqual(alert.over_at, null);
    assert.equal(items.length, 2);
  });

  it('are not made for an account that is closed', async () => {
    const headers = stranger;
    const body = { name: 'Closed', at: '09:00', page: { url: `${site.url}/` } };
    const { body: made } = await app.call('POST /v1/schedules', { body, headers });
    const account = stranger['x-mailgun-on-behalf-of'];
    assert.equal((await app.call(`POST /v5/accounts/subaccounts/${account}/disable`)).status, 200);
    app.clock.advance(2 * DAY_MS);
    await look();
    assert.equal((await app.call(`POST /v5/accounts/subaccounts/${account}/enable`)).status, 200);
    const { body: runs } = await app.call(`GET /v1/schedules/${made.id}/runs`, { headers });
    assert.equal(runs.total, 0);
  });
});
