// What leaves from dynamic pools: a domain that is enrolled sends from the addresses of its band, and from what it has
// of its own where none of those can send. What is bound to a pool never leaves by an address that nobody chose.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { DOMAIN, liveBed } from './live.fixture.ts';

const [GOOD, POOR, NEW, OWN, POOLED] = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'] as const;
const SHARED = '127.0.0.9';
const GONE = '192.0.2.9';

const IPS = [GOOD, POOR, NEW, OWN, POOLED].map((ip) => `${ip}=mail${ip.at(-1)}.example.com`).join(',');

let poolId: string;
let other: { 'x-service-account-id': string };

const bed = liveBed({
  settings: { GALLEY_SENDING_IPS: `${IPS},${SHARED}=shared.example.com;shared` },
  async prepare() {
    const { subaccount } = await call('POST /v5/accounts/subaccounts?name=Other');
    other = { 'x-service-account-id': subaccount.id };
    // As if the process that had this address were gone.
    await bed.app.galley.outside.db.text(
      `insert into sending_ips (ip, account_id, is_shared, host_name, bound_until, created_at)
       select '${GONE}', id, false, 'gone.example.com', now() - interval '1 day', now()
       from accounts where parent_id is null`,
    );
    ({ pool_id: poolId } = await call('POST /v3/ip_pools', { name: 'letters', description: '', ip: [POOLED] }));
  },
});

const call = async (operation: string, body?: unknown, headers = {}): Promise<any> => {
  const answer = await bed.app.call(operation, { ...(body !== undefined && { body }), headers });
  assert.equal(answer.status, 200, `${operation}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

async function until<Found>(look: () => Promise<Found>, isSo: (found: Found) => boolean): Promise<Found> {
  for (;;) {
    const found = await look();
    if (isSo(found)) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

let count = 0;
async function send(domain: string, headers = {}): Promise<string> {
  const to = `reader${count++}@example.net`;
  await call(`POST /v3/${domain}/messages`, { from: `ann@${domain}`, to, subject: 'x', text: 'x' }, headers);
  return to;
}

/** The addresses that several messages of a domain leave from. */
async function leaveFrom(domain: string, headers = {}): Promise<string[]> {
  const ips = new Set<string>();
  for (let time = 0; time < 2; time++) {
    const to = await send(domain, headers);
    const [taken] = await until(
      async () => bed.taken(to),
      (found) => found.length > 0,
    );
    ips.add(taken!.client.ip);
  }
  return [...ips].sort();
}

/** Why a message waits, as the queue says it. */
async function waits(to: string, headers = {}): Promise<{ reason: string; next_attempt_at: string }> {
  const look = async (): Promise<any[]> =>
    (await call(`GET /v1/galley/queue/deliveries?recipient=${to}`, undefined, headers)).items;
  const [found] = await until(look, ([one]) => one?.state === 'deferred');
  assert.deepEqual(bed.taken(to), []);
  return found;
}

const override = (pool: string): Promise<any> => call(`PUT /v1/dynamic_pools/domains/${DOMAIN}/override`, { pool });

describe('a domain that is enrolled in dynamic pools', () => {
  before(async () => {
    await call('POST /v3/dynamic_pools/all', { good_reputation: GOOD, poor_reputation: POOR, new_senders: NEW });
    await call(`POST /v3/domains/${DOMAIN}/dynamic_pools?replacement_ip=${OWN}`);
  });

  it('sends from the pool of its band, which events name', async () => {
    assert.deepEqual(await leaveFrom(DOMAIN), [NEW]);
    const { pools } = await call('GET /v3/dynamic_pools');
    const { id } = pools.find(({ name }: { name: string }) => name === 'dynamic_new');
    const [, delivered] = await bed.eventsOf(await send(DOMAIN));
    assert.deepEqual([delivered.envelope['sending-ip'], delivered.envelope['i-ip-pool-id']], [NEW, id]);
  });

  it('sends from another band’s, when somebody puts it there', async () => {
    for (const [band, ip] of [
      ['good', GOOD],
      ['poor', POOR],
    ] as const) {
      await override(`dynamic_${band}`);
      assert.deepEqual(await leaveFrom(DOMAIN), [ip]);
    }
  });

  it('sends from what it has of its own, while no address of its pool can send', async () => {
    await call('PATCH /v3/dynamic_pools/dynamic_poor', { add_ip: GONE, remove_ip: POOR });
    assert.deepEqual(await leaveFrom(DOMAIN), [OWN]);
    await call('PATCH /v3/dynamic_pools/dynamic_poor', { add_ip: POOR });
    assert.deepEqual(await leaveFrom(DOMAIN), [POOR]);
  });

  it('sends from what takes the place of the pools, when it is taken out', async () => {
    await call(`DELETE /v3/domains/${DOMAIN}/dynamic_pools?replacement_ip=${SHARED}`);
    await call(`DELETE /v3/domains/${DOMAIN}/ips/${OWN}`);
    assert.deepEqual(await leaveFrom(DOMAIN), [SHARED]);
    await call(`DELETE /v3/domains/${DOMAIN}/ips/all`);
    assert.deepEqual(await leaveFrom(DOMAIN), [OWN]);
  });
});

describe('a pool that has no address any more', () => {
  const SUB = 'sub.example.com';
  before(async () => {
    const { sending_dns_records: records } = await call('POST /v4/domains', { name: SUB }, other);
    for (const record of records) bed.zone[record.name] = { TXT: [record.value] };
    await call(`PUT /v4/domains/${SUB}/verify`, undefined, other);
    await call(`PATCH /v3/ip_pools/${poolId}`, { link_domain: DOMAIN });
    await call(`PUT /v3/ip_pools/${poolId}/delegate`, { subaccount_id: other['x-service-account-id'] });
    // No call takes the last address of a pool that something sends from.
    await bed.app.galley.outside.db.text(`update sending_ips set pool_id = null where ip = '${POOLED}'`);
    // What is remembered is asked for again.
    await call('POST /v3/ip_pools', { name: 'empty', description: '' });
  });

  it('keeps the mail of its domains and subaccounts waiting, and the queue says why; then it leaves', async () => {
    const waiting = [
      [await send(DOMAIN), {}],
      [await send(SUB, other), other],
    ] as const;
    for (const [to, headers] of waiting)
      assert.equal(
        (await waits(to, headers)).reason,
        `The IP pool ${poolId} that this is to leave from has no addresses; add one, or choose what else it leaves from.`,
      );
    await call(`PUT /v3/ip_pools/${poolId}/ips/${POOLED}`);
    bed.app.clock.advance(61_000);
    for (const [to] of waiting) {
      const [taken] = await until(
        async () => bed.taken(to),
        (found) => found.length > 0,
      );
      assert.equal(taken!.client.ip, POOLED);
    }
  });

  it('takes the place of no dynamic pool', async () => {
    const { pool_id: empty } = await call('POST /v3/ip_pools', { name: 'none', description: '' });
    const { status, body } = await bed.app.call(
      `POST /v3/domains/${DOMAIN}/dynamic_pools?replacement_pool_id=${empty}`,
    );
    assert.deepEqual(
      [status, body],
      [400, { message: `replacement_pool_id "${empty}" has no addresses; add one first.` }],
    );
  });
});

describe('an address that a subaccount was given', () => {
  const SUB = 'given.example.com';
  const PATH = '/v3/ips/subaccounts';
  before(async () => {
    const { sending_dns_records: records } = await call('POST /v4/domains', { name: SUB }, other);
    for (const record of records) bed.zone[record.name] = { TXT: [record.value] };
    await call(`PUT /v4/domains/${SUB}/verify`, undefined, other);
    await call(`DELETE /v3/ip_pools/${poolId}/delegate`, { subaccount_id: other['x-service-account-id'] });
  });

  it('is where its mail leaves from, until it is taken back', async () => {
    assert.deepEqual(await leaveFrom(SUB, other), [SHARED]);
    await call(`PATCH ${PATH}`, { subaccount_id: other['x-service-account-id'], link_ip: OWN });
    assert.deepEqual(await leaveFrom(SUB, other), [OWN]);
    await call(`PATCH ${PATH}`, { subaccount_id: other['x-service-account-id'], unlink_ip: OWN });
    assert.deepEqual(await leaveFrom(SUB, other), [SHARED]);
  });
});
