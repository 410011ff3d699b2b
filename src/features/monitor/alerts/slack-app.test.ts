// Slack is connected by the operator's app. The Slack here is an imitation of its documented API: no test reaches Slack.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { startWebServer, type WebRequest, type WebServer } from '../../../../test/harness/web-server.ts';

const PATH = '/v1/alerts/slack/oauth';
const TOKEN = 'xoxb-1111111111-AbCdEfGhIjKl';
const CLIENT = { id: '111.222', secret: 'client-secret-3' };
const REVOKED = 'Slack token has been revoked and deleted';
const NO_APP =
  'The operator of this Galley has set up no Slack app (GALLEY_SLACK_CLIENT_ID, GALLEY_SLACK_CLIENT_SECRET). Save the ' +
  'bot token of an app of your own with PUT /v1/alerts/settings/slack, or give an incoming webhook.';
const basic = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`;

/** Slack as documented: codes are good once, tokens until they are revoked. */
class FakeSlack {
  asked: WebRequest[] = [];
  codes = new Map<string, string>();
  tokens = new Set<string>();
  /** Given in place of its answer. */
  instead: ((request: WebRequest) => string | undefined) | undefined;

  answer(request: WebRequest): string {
    this.asked.push(request);
    const { path, headers, body } = request;
    const special = this.instead?.(request);
    if (special !== undefined) return special;
    const fault = (error: string): string => JSON.stringify({ ok: false, error });
    if (path === '/api/oauth.v2.access') {
      const form = new URLSearchParams(body);
      if (headers.authorization !== basic) return fault('bad_client_secret');
      const redirect = this.codes.get(form.get('code') ?? '');
      this.codes.delete(form.get('code') ?? '');
      if (redirect === undefined) return fault('invalid_code');
      if (redirect !== form.get('redirect_uri')) return fault('bad_redirect_uri');
      this.tokens.add(TOKEN);
      const team = { id: 'T9', name: 'Shop & Co' };
      return JSON.stringify({
        access_token: TOKEN,
        token_type: 'bot',
        scope: 'chat:write,channels:read',
        team,
        ok: true,
      });
    }
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    if (!this.tokens.has(token)) return fault('invalid_auth');
    if (path === '/api/auth.revoke') return JSON.stringify({ ok: true, revoked: this.tokens.delete(token) });
    if (path.startsWith('/api/conversations.list'))
      return JSON.stringify({ ok: true, channels: [{ id: 'C1', name: 'mail', is_archived: false }] });
    if (path === '/api/chat.postMessage') return JSON.stringify({ ok: true, channel: JSON.parse(body).channel });
    return fault('unknown_method');
  }
}

const slack = new FakeSlack();
let server: WebServer;
let app: App;
let stranger: Record<string, string>;
before(async () => {
  server = await startWebServer((request, response) => response.end(slack.answer(request)));
  app = await startApp({
    GALLEY_ROLES: 'api',
    GALLEY_ALLOW_HOSTS: server.host,
    GALLEY_SLACK_API: `${server.url}/api`,
    GALLEY_SLACK_CLIENT_ID: CLIENT.id,
    GALLEY_SLACK_CLIENT_SECRET: CLIENT.secret,
    GALLEY_PUBLIC_URL: 'https://galley.example',
  });
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  stranger = { 'x-mailgun-on-behalf-of': body.subaccount.id };
});
after(() => Promise.all([app?.close(), server?.close()]));

/** Somebody allows the app at Slack; what comes back. */
async function allow(headers: Record<string, string> = {}): Promise<{ code: string; state: string }> {
  const { status, body } = await app.call(`POST ${PATH}`, { headers });
  assert.equal(status, 200);
  const url = new URL(body.url);
  const code = `code-${slack.codes.size}-${Math.random()}`;
  slack.codes.set(code, url.searchParams.get('redirect_uri')!);
  return { code, state: url.searchParams.get('state')! };
}
const finish = async (body: object, headers: Record<string, string> = {}): Promise<[number, any]> => {
  const answer = await app.call(`PUT ${PATH}`, { body, headers });
  return [answer.status, answer.body];
};
const NOT_BEGUN = 'state is not that of an installation that this session began, or was used before.';
const slackOf = async () => (await app.call('GET /v1/alerts/settings')).body.slack;

describe('the Slack app of the operator', () => {
  it('sends people to Slack, with a state that is kept as a hash', async () => {
    assert.deepEqual((await app.call(`GET ${PATH}`)).body, {
      configured: true,
      redirect_uri: 'https://galley.example/alerts/slack',
      message: 'Slack can be connected by the app of this Galley’s operator.',
    });
    const { body } = await app.call(`POST ${PATH}`);
    const url = new URL(body.url);
    assert.equal(url.origin + url.pathname, `${server.url}/oauth/v2/authorize`);
    const { state, ...query } = Object.fromEntries(url.searchParams);
    assert.deepEqual(query, {
      client_id: CLIENT.id,
      scope: 'chat:write,chat:write.public,channels:read,groups:read',
      redirect_uri: 'https://galley.example/alerts/slack',
    });
    assert.match(state!, /^[0-9a-f]{48}$/);
    const { rows } = await app.galley.outside.db.text('select * from alert_slack_installs');
    assert.ok(rows.length === 1 && !JSON.stringify(rows).includes(state!));
    assert.equal(new Date(body.expires_at).getTime(), new Date((rows[0] as any).expires_at).getTime());
  });

  it('is installed: the code is exchanged, the token encrypted, channels are listed and posted to', async () => {
    const [status, body] = await finish(await allow());
    assert.deepEqual(
      [status, body],
      [
        200,
        {
          message: 'Slack has been connected',
          team_id: 'T9',
          team_name: 'Shop & Co',
          scope: 'chat:write,channels:read',
        },
      ],
    );
    assert.deepEqual(await slackOf(), {
      token: 'xoxb-…',
      team_id: 'T9',
      team_name: 'Shop & Co',
      scope: 'chat:write,channels:read',
    });
    const { rows } = await app.galley.outside.db.text('select * from alert_accounts');
    assert.ok(!JSON.stringify(rows).includes(TOKEN));
    assert.deepEqual((await app.call('GET /v1/alerts/slack/channels')).body.items, [
      { id: 'C1', name: 'mail', is_archived: false },
    ]);
    const test = { event_type: 'ip_listed', channel_ids: ['C1'] };
    assert.equal((await app.call('POST /v1/alerts/slack/test', { body: test })).status, 200);
    const posted = slack.asked.at(-1)!;
    assert.deepEqual(
      [posted.path, posted.headers.authorization, JSON.parse(posted.body).channel],
      ['/api/chat.postMessage', `Bearer ${TOKEN}`, 'C1'],
    );
  });

  it('lists many channels page by page, and asks Slack no further than it has to', async () => {
    const total = 2500;
    const asked = (): URLSearchParams[] =>
      slack.asked.splice(0).map(({ path }) => new URL(path, server.url).searchParams);
    const listing = (channels: number): void => {
      slack.instead = ({ path }) => {
        if (!path.startsWith('/api/conversations.list')) return undefined;
        const query = new URL(path, server.url).searchParams;
        const from = Number(query.get('cursor') ?? 0);
        const to = Math.min(channels, from + Number(query.get('limit')));
        const found = Array.from({ length: to - from }, (_, at) => ({ id: `C${from + at}`, name: `n${from + at}` }));
        const next = to < channels ? String(to) : '';
        return JSON.stringify({ ok: true, channels: found, response_metadata: { next_cursor: next } });
      };
    };
    listing(total);
    asked();
    const page = async (query: string): Promise<any> => (await app.call(`GET /v1/alerts/slack/channels${query}`)).body;
    const first = await page('?limit=999');
    assert.deepEqual(first.paging, { next: `https://galley.example/v1/alerts/slack/channels?limit=999&page=2` });
    assert.deepEqual([first.items.length, first.items[0]], [999, { id: 'C0', name: 'n0', is_archived: false }]);
    assert.deepEqual(
      asked().map((query) => Object.fromEntries(query)),
      [{ limit: '999', types: 'public_channel,private_channel' }],
    );
    const last = await page('?limit=999&page=3');
    assert.deepEqual(last.paging, { previous: `https://galley.example/v1/alerts/slack/channels?limit=999&page=2` });
    assert.deepEqual([last.items.length, last.items.at(-1).id], [total - 2 * 999, 'C2499']);
    assert.equal(asked().length, 3);
    // A workspace without end is asked for ten times.
    listing(1_000_000);
    const beyond = await page('?limit=1000&page=10');
    assert.deepEqual([beyond.items.length, Object.keys(beyond.paging)], [990, ['previous']]);
    assert.equal(asked().length, 10);
    assert.deepEqual((await page('?limit=1000&page=50')).items, []);
    assert.equal(asked().length, 10);
    slack.instead = ({ path }) =>
      path.startsWith('/api/conversations.list') ? '{"ok":false,"error":"missing_scope"}' : undefined;
    assert.deepEqual(await page(''), { message: 'token was refused by Slack: missing_scope.' });
    slack.instead = undefined;
    const others = await app.call('GET /v1/alerts/slack/channels', { headers: stranger });
    assert.deepEqual(others.body, { items: [], paging: {} });
  });

  it('takes a state once, of the session that began it, for ten minutes', async () => {
    const first = await allow();
    assert.equal((await finish(first))[0], 200);
    assert.deepEqual(await finish(first), [400, { message: NOT_BEGUN }]);
    // Another account, and another session of the same one.
    const second = await allow();
    assert.deepEqual(await finish(second, stranger), [400, { message: NOT_BEGUN }]);
    const session = async (): Promise<Record<string, string>> => {
      const { headers } = await app.call('POST /v1/session', { key: null, body: { key: app.key } });
      return { cookie: headers.get('set-cookie')!.split(';', 1)[0]!, origin: app.url };
    };
    const [one, other] = [await session(), await session()];
    const call = (operation: string, headers: Record<string, string>, body?: object) =>
      app.call(operation, { key: null, headers, ...(body && { body }) });
    const state = new URL((await call(`POST ${PATH}`, one)).body.url).searchParams.get('state')!;
    slack.codes.set('of-one', 'https://galley.example/alerts/slack');
    const refused = await call(`PUT ${PATH}`, other, { code: 'of-one', state });
    assert.deepEqual([refused.status, refused.body], [400, { message: NOT_BEGUN }]);
    assert.equal((await call(`PUT ${PATH}`, one, { code: 'of-one', state })).status, 200);
    assert.equal((await finish(second))[0], 200);
    const late = await allow();
    app.clock.advance(600_000);
    assert.deepEqual(await finish(late), [400, { message: 'state has expired after ten minutes; begin again.' }]);
    for (const [body, message] of [
      [{ code: 'x', state: 'y' }, new RegExp(`^${NOT_BEGUN}$`)],
      [{ code: 'x' }, /^state /],
      [{ code: '', state: 'y' }, /^code /],
    ] as const) {
      const [status, answer] = await finish(body);
      assert.equal(status, 400);
      assert.match(answer.message, message);
    }
  });

  it('keeps ten that were begun at a time', async () => {
    const states: string[] = [];
    for (let n = 0; n < 12; n++) states.push((await allow()).state);
    const { rows } = await app.galley.outside.db.text('select 1 from alert_slack_installs');
    assert.equal(rows.length, 10);
  });

  for (const [name, answer, message] of [
    [
      'a code that Slack does not know',
      '{"ok":false,"error":"invalid_code"}',
      'code was refused by Slack: invalid_code.',
    ],
    ['another page', '<html>', 'Slack could not be asked, or did not answer in its way.'],
    [
      'a token that expires',
      `{"ok":true,"access_token":"${TOKEN}","expires_in":43200}`,
      'code gave a token that expires: switch token rotation off in the settings of the Slack app.',
    ],
    ['no bot token', '{"ok":true}', 'code gave no bot token: the Slack app must ask for bot scopes.'],
  ] as const)
    it(`says so for ${name}, and keeps what is there`, async () => {
      const before = await slackOf();
      slack.instead = ({ path }) => (path === '/api/oauth.v2.access' ? answer : undefined);
      assert.deepEqual(await finish(await allow()), [400, { message }]);
      slack.instead = undefined;
      assert.deepEqual(await slackOf(), before);
    });

  it('is taken out: the token is revoked at Slack, and a pasted one is only deleted', async () => {
    assert.equal((await finish(await allow()))[0], 200);
    const gone = await app.call('DELETE /v1/alerts/settings/slack');
    assert.deepEqual([gone.status, gone.body], [200, { message: REVOKED }]);
    assert.ok(!slack.tokens.has(TOKEN));
    assert.deepEqual(await slackOf(), { token: null, team_id: null, team_name: null, scope: null });
    assert.deepEqual((await app.call('DELETE /v1/alerts/settings/slack')).body, {
      message: 'Slack token has been deleted',
    });
    // Slack is away: the token is gone here, and the answer says what is left to do.
    assert.equal((await finish(await allow()))[0], 200);
    slack.instead = ({ path }) => (path === '/api/auth.revoke' ? '{"ok":false,"error":"internal_error"}' : undefined);
    assert.deepEqual((await app.call('DELETE /v1/alerts/settings/slack')).body, {
      message:
        'Slack token has been deleted here, but not revoked (Slack said internal_error); remove the app in the workspace',
    });
    slack.instead = ({ path }) => (path === '/api/auth.test' ? '{"ok":true,"team":"Own","team_id":"T2"}' : undefined);
    assert.equal((await app.call('PUT /v1/alerts/settings/slack', { body: { token: TOKEN } })).status, 200);
    slack.instead = undefined;
    const asked = slack.asked.length;
    assert.equal((await app.call('DELETE /v1/alerts/settings/slack')).status, 200);
    assert.equal(slack.asked.length, asked);
  });

  it('is not there where the operator set none up, and says what to do', async () => {
    const bare = await startApp({ GALLEY_ROLES: 'api' });
    try {
      const { body } = await bare.call(`GET ${PATH}`);
      assert.deepEqual([body.configured, body.message], [false, NO_APP]);
      for (const [operation, given] of [
        [`POST ${PATH}`, undefined],
        [`PUT ${PATH}`, { code: 'x', state: 'y' }],
      ] as const) {
        const answer = await bare.call(operation, given && { body: given });
        assert.deepEqual([answer.status, answer.body], [409, { message: NO_APP }]);
      }
    } finally {
      await bare.close();
    }
    await assert.rejects(
      startApp({ GALLEY_ROLES: 'api', GALLEY_SLACK_CLIENT_ID: '1' }),
      /GALLEY_SLACK_CLIENT_ID and GALLEY_SLACK_CLIENT_SECRET belong together/,
    );
  });
});
