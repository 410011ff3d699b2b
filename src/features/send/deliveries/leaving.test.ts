// Where messages leave from: the server that takes them sees the address and its name, and the events say both.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { liveBed, DOMAIN } from './live.fixture.ts';

const IPS = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].map((ip) => `${ip}=mail${ip.at(-1)}.example.com`).join(',');
const SHARED = `${IPS},127.0.0.9=shared.example.com;shared`;

const bed = liveBed({
  settings: { GALLEY_SENDING_IPS: SHARED },
  async prepare() {
    const { subaccount } = await call('POST /v5/accounts/subaccounts?name=Other');
    other = { 'x-service-account-id': subaccount.id };
  },
});
let pool: string;
let other: { 'x-service-account-id': string };

let count = 0;
const reader = (): string => `reader${count++}@example.net`;

/** Sends to somebody new, and answers where that came from. */
async function leaves(fields: Record<string, string> = {}): Promise<{ ip: string; name: string; envelope: any }> {
  const to = reader();
  await bed.send({ to, ...fields });
  const [, ended] = await bed.eventsOf(to);
  assert.equal(ended.event, 'delivered', JSON.stringify(ended));
  const [taken] = bed.taken(to) as [(typeof bed.server.messages)[number]];
  return { ip: taken.client.ip, name: taken.client.name, envelope: ended.envelope };
}

/** The addresses that several messages leave from. */
async function leaveFrom(times: number, fields: Record<string, string> = {}): Promise<string[]> {
  const ips = new Set<string>();
  for (let time = 0; time < times; time++) ips.add((await leaves(fields)).ip);
  return [...ips].sort();
}

const call = async (operation: string, body?: unknown, headers = {}): Promise<any> => {
  const answer = await bed.app.call(operation, { ...(body !== undefined && { body }), headers });
  assert.equal(answer.status, 200, `${operation}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

describe('a message leaves', () => {
  it('from the addresses of the account in turn, each greeting with its name', async () => {
    const { ip, name, envelope } = await leaves();
    assert.equal(name, `mail${ip.at(-1)}.example.com`);
    assert.equal(envelope['sending-ip'], ip);
    assert.equal(envelope['i-ip-pool-id'], undefined);
    assert.deepEqual(await leaveFrom(6), ['127.0.0.2', '127.0.0.3', '127.0.0.4']);
  });

  it('from the address that its call names', async () => {
    assert.deepEqual(await leaveFrom(3, { 'o:sending-ip': '127.0.0.3' }), ['127.0.0.3']);
  });

  it('from the addresses of its domain', async () => {
    await call(`POST /v3/domains/${DOMAIN}/ips`, { ip: '127.0.0.4' });
    assert.deepEqual(await leaveFrom(3), ['127.0.0.4']);
    await call(`DELETE /v3/domains/${DOMAIN}/ips/all`);
  });

  it('from the pool that its call names, or that its domain is linked to', async () => {
    ({ pool_id: pool } = await call('POST /v3/ip_pools', { name: 'letters', description: '', ip: ['127.0.0.2'] }));
    const { ip, envelope } = await leaves({ 'o:sending-ip-pool': pool });
    assert.deepEqual([ip, envelope['i-ip-pool-id']], ['127.0.0.2', pool]);
    // What is in a pool is for those who send from the pool.
    assert.deepEqual(await leaveFrom(4), ['127.0.0.3', '127.0.0.4']);
    await call(`PATCH /v3/ip_pools/${pool}`, { link_domain: DOMAIN });
    assert.deepEqual(await leaveFrom(2), ['127.0.0.2']);
    await call(`DELETE /v3/domains/${DOMAIN}/pool/ip_pool`);
    assert.deepEqual(await leaveFrom(4), ['127.0.0.3', '127.0.0.4']);
  });

  it('from what all share, when a subaccount has nothing of its own, else from the pool delegated to it', async () => {
    const name = 'sub.example.com';
    const { sending_dns_records: records } = await call('POST /v4/domains', { name }, other);
    for (const record of records) bed.zone[record.name] = { TXT: [record.value] };
    await call(`PUT /v4/domains/${name}/verify`, undefined, other);
    const send = async (fields = {}): Promise<string> => {
      const to = reader();
      await call(`POST /v3/${name}/messages`, { from: `ann@${name}`, to, subject: 'x', text: 'x', ...fields }, other);
      for (;;) {
        const [taken] = bed.taken(to);
        if (taken) return taken.client.ip;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    assert.equal(await send(), '127.0.0.9');
    const subaccountId = other['x-service-account-id'];
    await call(`PUT /v3/ip_pools/${pool}/delegate`, { subaccount_id: subaccountId });
    assert.equal(await send(), '127.0.0.2');
    assert.equal(await send({ 'o:sending-ip-pool': pool }), '127.0.0.2');
    // What was accepted while it had the pool, and waits, leaves from it no more.
    const waiting = ['o:sending-ip-pool', 'o:sending-ip'].map((field) => {
      const from = { [field]: field === 'o:sending-ip' ? '127.0.0.2' : pool };
      return {
        to: reader(),
        ...from,
        'o:deliverytime': new Date(bed.app.clock.now().getTime() + 60_000).toUTCString(),
      };
    });
    for (const fields of waiting)
      await call(`POST /v3/${name}/messages`, { from: `ann@${name}`, subject: 'x', text: 'x', ...fields }, other);
    await call(`DELETE /v3/ip_pools/${pool}/delegate`, { subaccount_id: subaccountId });
    assert.equal(await send(), '127.0.0.9');
    bed.app.clock.advance(61_000);
    for (const { to } of waiting) {
      while (bed.taken(to).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      assert.equal(bed.taken(to)[0]!.client.ip, '127.0.0.9');
    }
  });

  it('from nothing that the account has not', async () => {
    const wrong: [Record<string, string>, RegExp][] = [
      [{ 'o:sending-ip': '192.0.2.1' }, /^o:sending-ip "192\.0\.2\.1" is not known: GET \/v3\/ips lists/],
      [{ 'o:sending-ip': 'none' }, /^o:sending-ip "none" is not an IP address\.$/],
      [{ 'o:sending-ip-pool': 'none' }, /^o:sending-ip-pool "none" is not known, or has no addresses/],
      [{ 'o:sending-ip-pool': pool, 'o:sending-ip': '127.0.0.3' }, /are both given; give one of them\.$/],
    ];
    for (const [fields, message] of wrong) {
      const letter = { from: `ann@${DOMAIN}`, to: 'x@example.net', subject: 'x', text: 'x', ...fields };
      const { status, body } = await bed.app.call(`POST /v3/${DOMAIN}/messages`, { body: letter });
      assert.equal(status, 400);
      assert.match(body.message, message);
    }
  });

  it('from none that no process can bind: it waits, and says why', async () => {
    await bed.app.galley.outside.db.text(
      `insert into sending_ips (ip, account_id, is_shared, host_name, bound_until, created_at)
       select '192.0.2.9', id, false, 'gone.example.com', now() - interval '1 day', now() from accounts where parent_id is null`,
    );
    const to = reader();
    // The list of addresses is remembered for a second.
    const { pool_id: empty } = await call('POST /v3/ip_pools', { name: 'gone', description: '', ip: '192.0.2.9' });
    await bed.send({ to, 'o:sending-ip-pool': empty });
    let last: any;
    while (!last?.reason) {
      const { rows } = await bed.app.galley.outside.db.text('select last from deliveries where recipient = $1', [to]);
      last = (rows[0] as any)?.last;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(last.reason, 'No running process can send from 192.0.2.9; GALLEY_SENDING_IPS names addresses.');
  });
});

describe('the rates of a pool', () => {
  it('are counted from its events', async () => {
    const { outside } = bed.app.galley;
    bed.app.clock.advance(3000);
    const now = outside.clock.now().getTime();
    const [{ id }] = (await outside.db.text('select id from accounts where parent_id is null')).rows as [
      { id: string },
    ];
    const { rows } = await outside.events.tally({
      accountIds: [id],
      from: new Date(now - 3_600_000),
      to: new Date(now),
      by: ['ipPool', 'sendingIp'],
    });
    const found = rows.filter(({ event, group }) => event === 'delivered' && group.ipPool === pool);
    assert.deepEqual(
      found.map(({ group, count: many }) => [group.sendingIp, many]),
      [['127.0.0.2', 3]],
    );
  });
});
