// Single addresses that an account gives to its subaccounts, over HTTP; literal answers, another account, wrong values.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const IPS =
  [2, 3, 4, 5].map((last) => `127.0.0.${last}=mail${last}.example.com`).join(',') +
  ',127.0.0.9=shared.example.com;shared';
const PATH = '/v3/ips/subaccounts';

let app: App;
let [first, second] = ['', ''];
const acting = (id: string) => ({ 'x-service-account-id': id });
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,send', GALLEY_SENDING_IPS: IPS });
  [first, second] = [await makeSubaccount('First'), await makeSubaccount('Second')];
  await ok('POST /v4/domains', { name: 'first.example.com' }, acting(first));
});
after(() => app.close());

const ok = async (operation: string, body?: unknown, headers = {}): Promise<any> => {
  const answer = await app.call(operation, { ...(body !== undefined && { body }), headers });
  assert.equal(answer.status, 200, `${operation}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const refused = async (operation: string, body: unknown, { status = 400, words = /./, headers = {} } = {}) => {
  const answer = await app.call(operation, { ...(body !== undefined && { body }), headers });
  assert.equal(answer.status, status, `${operation}: ${JSON.stringify(answer.body)}`);
  assert.deepEqual(Object.keys(answer.body), ['message']);
  assert.match(answer.body.message, words);
};
async function makeSubaccount(name: string): Promise<string> {
  return (await ok(`POST /v5/accounts/subaccounts?name=${name}`)).subaccount.id;
}
const given = async (query = '', headers = {}): Promise<string[]> =>
  (await ok(`GET ${PATH}${query}`, undefined, headers)).items.map((one: any) => `${one.ip} ${one.subaccount_id}`);
const seenBy = async (id: string): Promise<string[]> => (await ok('GET /v3/ips', undefined, acting(id))).items;
function formOf(fields: Record<string, string | string[]>): FormData {
  const form = new FormData();
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value);
  return form;
}

describe('PATCH /v3/ips/subaccounts', () => {
  it('gives an address to a subaccount, which sees it and lets its domains send from it', async () => {
    assert.deepEqual(await ok(`PATCH ${PATH}`, { subaccount_id: first, link_ip: '127.0.0.2' }), {
      message: 'success',
    });
    assert.deepEqual(await ok(`GET ${PATH}`), {
      items: [{ ip: '127.0.0.2', subaccount_id: first }],
      total_count: 1,
    });
    const { items, total_count, assignable_to_pools, details } = await ok('GET /v3/ips', undefined, acting(first));
    assert.deepEqual([items, total_count, assignable_to_pools], [['127.0.0.2', '127.0.0.9'], 2, []]);
    assert.deepEqual(
      details.map((one: any) => [one.ip, one.dedicated, one.is_inherited, one.pool_id]),
      [
        ['127.0.0.2', true, true, null],
        ['127.0.0.9', false, false, null],
      ],
    );
    assert.equal((await ok('GET /v3/ips/127.0.0.2', undefined, acting(first))).ip, '127.0.0.2');
    await refused('GET /v3/ips/127.0.0.2', undefined, { status: 404, headers: acting(second) });
    const own = (await ok('GET /v3/ips')).details.find(({ ip }: any) => ip === '127.0.0.2');
    assert.equal(own.is_inherited, false);
    await ok('POST /v3/domains/first.example.com/ips', { ip: '127.0.0.2' }, acting(first));
    assert.deepEqual((await ok('GET /v3/ips/127.0.0.2/domains', undefined, acting(first))).items, [
      { domain: 'first.example.com', ips: ['127.0.0.2'] },
    ]);
  });

  it('is named by messages of the subaccount that has it, and of no other', async () => {
    await ok('POST /v4/domains', { name: 'second.example.com' }, acting(second));
    const message = (domain: string): unknown => ({
      from: `ann@${domain}`,
      to: 'ben@example.net',
      subject: 'x',
      text: 'x',
      'o:testmode': 'yes',
      'o:sending-ip': '127.0.0.2',
    });
    const send = (domain: string, id: string) =>
      app.call(`POST /v3/${domain}/messages`, { body: message(domain), headers: acting(id) });
    assert.equal((await send('first.example.com', first)).status, 200);
    const { status, body } = await send('second.example.com', second);
    assert.equal(status, 400);
    assert.match(body.message, /o:sending-ip "127\.0\.0\.2" is not known/);
  });

  it('goes into no pool while a subaccount has it, and cannot be given on', async () => {
    await refused('POST /v3/ip_pools', { name: 'x', ip: '127.0.0.2' }, { words: /^ip "127\.0\.0\.2" is given to sub/ });
    await refused('POST /v3/ips/127.0.0.2/ip_band', { ip_band: 'good' }, { words: /is given to subaccounts/ });
    await refused('POST /v3/dynamic_pools/all', {
      good_reputation: '127.0.0.2',
      poor_reputation: '127.0.0.3',
      new_senders: '127.0.0.4',
    });
    const headers = acting(first);
    await refused('POST /v3/ip_pools', { name: 'x', ip: '127.0.0.2' }, { headers, words: /not an address of this/ });
    await refused(`PATCH ${PATH}`, { subaccount_id: second, link_ip: '127.0.0.2' }, { headers, status: 404 });
    assert.deepEqual(await given('', headers), []);
    const nobody = await ok(`PATCH ${PATH}`, { all_subaccounts: true, link_ip: '127.0.0.3' }).then(() => given());
    assert.equal(nobody.length, 3);
    await ok(`PATCH ${PATH}`, { all_subaccounts: true, unlink_ip: '127.0.0.3' });
  });

  it('refuses what is wrong, naming the field', async () => {
    const { pool_id: poolId } = await ok('POST /v3/ip_pools', { name: 'letters', description: '', ip: '127.0.0.5' });
    const stranger = '64b0c0f1a2b3c4d5e6f70819';
    const wrong: [unknown, RegExp][] = [
      [{ link_ip: '127.0.0.3' }, /^subaccount_id or all_subaccounts is required/],
      [
        { subaccount_id: first, all_subaccounts: true, link_ip: '127.0.0.3' },
        /^subaccount_id cannot be given together/,
      ],
      [{ subaccount_id: first }, /^link_ip or unlink_ip is required/],
      [{ subaccount_id: first, link_ip: 'none' }, /^link_ip "none" is not an IP address/],
      [{ subaccount_id: first, link_ip: '192.0.2.1' }, /^link_ip "192\.0\.2\.1" is not an address of this account/],
      [{ subaccount_id: first, link_ip: '127.0.0.9' }, /^link_ip "127\.0\.0\.9" is shared/],
      [{ subaccount_id: first, link_ip: '127.0.0.5' }, /^link_ip "127\.0\.0\.5" is in an IP pool/],
      [{ subaccount_id: first, unlink_ip: '127.0.0.4' }, /^unlink_ip names no address that these subaccounts were/],
      [
        { subaccount_id: first, link_ip: '127.0.0.4', unlink_ip: '127.0.0.4' },
        /^link_ip "127\.0\.0\.4" is in unlink_ip/,
      ],
    ];
    for (const [body, words] of wrong) await refused(`PATCH ${PATH}`, body, { words });
    await refused(`PATCH ${PATH}`, { subaccount_id: stranger, link_ip: '127.0.0.3' }, { status: 404 });
    await refused(`PATCH ${PATH}`, { subaccount_id: [first, stranger], link_ip: '127.0.0.3' }, { status: 404 });
    assert.deepEqual(await given(), [`127.0.0.2 ${first}`], 'nothing of it was done');
    await refused(`GET ${PATH}?limit=many`, undefined);
    await ok(`DELETE /v3/ip_pools/${poolId}`, {});
  });

  it('gives several to several, and finds them by address and by subaccount', async () => {
    const all = { all_subaccounts: true, link_ip: ['127.0.0.3', '127.0.0.4'] };
    assert.deepEqual(await ok(`PATCH ${PATH}`, all), { message: 'queued' });
    assert.deepEqual(
      await given('?ip=127.0.0.4'),
      [first, second].sort().map((id) => `127.0.0.4 ${id}`),
    );
    assert.deepEqual(await given(`?subaccount_id=${second}`), [`127.0.0.3 ${second}`, `127.0.0.4 ${second}`]);
    const page = await ok(`GET ${PATH}?limit=1&skip=4`);
    assert.deepEqual([page.items.length, page.total_count], [1, 5]);
    await ok(`PATCH ${PATH}`, { all_subaccounts: true, unlink_ip: ['127.0.0.3', '127.0.0.4'] });
    assert.deepEqual(await given(), [`127.0.0.2 ${first}`]);
  });

  it('takes an address back once no domain of the subaccount has it', async () => {
    const back = { subaccount_id: first, unlink_ip: '127.0.0.2' };
    await refused(`PATCH ${PATH}`, back, {
      words: /^unlink_ip "127\.0\.0\.2" cannot be taken back: first\.example\.com of the subaccount/,
    });
    await ok('DELETE /v3/domains/first.example.com/ips/127.0.0.2', undefined, acting(first));
    assert.deepEqual(await ok(`PATCH ${PATH}`, formOf(back)), { message: 'success' });
    assert.deepEqual([await seenBy(first), await given()], [['127.0.0.9'], []]);
    assert.deepEqual((await ok('GET /v3/ips')).assignable_to_pools.length, 4);
  });

  it('is gone with the subaccount', async () => {
    await ok(`PATCH ${PATH}`, { subaccount_id: second, link_ip: '127.0.0.3' });
    await ok('DELETE /v5/accounts/subaccounts', undefined, { 'x-mailgun-on-behalf-of': second });
    assert.deepEqual(await given(), []);
    await refused(`PATCH ${PATH}`, { subaccount_id: second, link_ip: '127.0.0.4' }, { status: 404 });
  });
});
