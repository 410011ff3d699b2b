// Where placement tests landed, beside the health score: real mailboxes and simulated receivers are told apart.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DAY = 86_400_000;
const NOTHING = { inbox: 0, decided: 0, addresses: 0 };
const HTML = '<p>The tomatoes are out of the greenhouse at last, and the roses have begun to flower.</p>';

let app: App;
let part: { 'x-mailgun-on-behalf-of': string };

const placementOf = async (query = '', headers = {}): Promise<any> => {
  const { status, body } = await app.call(`GET /v1/health-score/total?${query}`, { headers });
  assert.equal(status, 200, JSON.stringify(body));
  return body.placement;
};

/** A result of four seeds at a receiver of Galley's own. */
async function place(headers = {}): Promise<{ id: string; inbox: number }> {
  const { items } = (await app.call('GET /v4/domains?search=sandbox', { headers })).body;
  const started = await app.call('POST /v4/inbox/tests', {
    headers,
    body: {
      from: `news@${items[0].name}`,
      subject: 'Notes',
      html: HTML,
      provider_filter: ['gateway.local-receiver.example'],
      seeds_per_provider: 4,
    },
  });
  assert.equal(started.status, 200, JSON.stringify(started.body));
  const { result_id: id } = started.body;
  await app.idle();
  const { result } = (await app.call(`GET /v4/inbox/results/${id}`, { headers })).body;
  assert.deepEqual([result.status, result.delivery_totals.simulated.total], ['complete', 4]);
  return { id, inbox: result.delivery_totals.simulated.inbox };
}

/** As real mailboxes would have it: no test reaches a provider. */
async function asMailboxes(id: string, outcomes: readonly (readonly [string, string | null])[]): Promise<void> {
  const { db } = app.galley.outside;
  const seeds = await db.ofAnyone
    .selectFrom('seedDeliveries')
    .select('token')
    .where('testId', '=', id)
    .orderBy('place')
    .execute();
  for (const [at, [state, placement]] of outcomes.entries())
    await db.ofAnyone
      .updateTable('seedDeliveries')
      .set({ seedKind: 'mailbox', state: state as never, placement: placement as never, email: `${at}@box.example` })
      .where('token', '=', seeds[at]!.token)
      .execute();
}

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,mail', GALLEY_SMTP_DOMAIN: 'galley.test' });
  const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Part')).body.subaccount;
  part = { 'x-mailgun-on-behalf-of': id };
});
after(() => app?.close());

describe('placement beside the health score', () => {
  it('is nothing before the first test', async () =>
    assert.deepEqual(await placementOf(), { tests: 0, real: NOTHING, simulated: NOTHING, is_bound: false }));

  it('counts simulated receivers and real mailboxes apart, each mailbox once', async () => {
    const { inbox } = await place();
    assert.deepEqual(await placementOf(), {
      tests: 1,
      real: NOTHING,
      simulated: { inbox, decided: 4, addresses: 4 },
      is_bound: false,
    });
    for (const last of [
      ['bounced', null],
      ['unknown', null],
    ] as const) {
      const { id } = await place();
      await asMailboxes(id, [['delivered', 'inbox'], ['delivered', 'category'], ['delivered', 'spam'], last]);
    }
    const all = await placementOf();
    // What is unknown is neither in the inbox nor missing.
    assert.deepEqual(all, {
      tests: 3,
      real: { inbox: 4, decided: 7, addresses: 4 },
      simulated: { inbox, decided: 4, addresses: 4 },
      is_bound: false,
    });
  });

  it('is that of the time that is asked for', async () => {
    const at = app.clock.now().getTime();
    const time = (from: number, to: number): string =>
      `start=${new Date(from).toISOString()}&end=${new Date(to).toISOString()}`;
    assert.equal((await placementOf(time(at - DAY, at + 60_000))).tests, 3);
    assert.equal((await placementOf(time(at - 9 * DAY, at - DAY))).tests, 0);
  });

  it('of subaccounts counts too, unless they are left out, and nobody else sees it', async () => {
    await place(part);
    assert.equal((await placementOf()).tests, 4);
    assert.equal((await placementOf('include_subaccounts=false')).tests, 3);
    assert.equal((await placementOf('', part)).tests, 1);
  });
});
