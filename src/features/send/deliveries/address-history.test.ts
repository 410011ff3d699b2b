// What an account's own mail says of an address: only what left the machine, and only its own.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DOMAIN, liveBed } from './live.fixture.ts';

const bed = liveBed({
  answer: (_verb, line) => (/^RCPT TO:<gone/i.test(line) ? '550 5.1.1 No such mailbox' : undefined),
});
const validate = async (address: string, as = {}) =>
  (await bed.app.call(`GET /v4/address/validate?address=${encodeURIComponent(address)}`, as)).body;

describe('own mail', () => {
  it('says that an address takes mail, to its account alone', async () => {
    assert.equal((await validate('Bob@example.net')).result, 'unknown');
    await bed.send({ to: 'Bob@example.net' });
    await bed.eventsOf('bob@example.net');
    const said = await validate('Bob@example.net');
    assert.deepEqual([said.result, said.risk, said.reason], ['deliverable', 'low', []]);
    assert.deepEqual(said.engagement, { engaged: false, is_bot: false, engagement: 'disengaged' });
    const { body } = await bed.app.call('POST /v5/accounts/subaccounts?name=Other');
    const as = { headers: { 'x-service-account-id': body.subaccount.id } };
    const theirs = await validate('Bob@example.net', as);
    assert.deepEqual([theirs.result, theirs.engagement], ['unknown', undefined]);
  });

  it('says that an address refused mail', async () => {
    await bed.send({ to: 'gone@example.net' });
    await bed.eventsOf('gone@example.net');
    const said = await validate('gone@example.net');
    assert.deepEqual([said.result, said.risk, said.reason], ['undeliverable', 'high', ['bounced_before']]);
    await bed.app.call(`DELETE /v3/${DOMAIN}/bounces/gone@example.net`);
    assert.equal((await validate('gone@example.net')).result, 'unknown');
  });

  it('says nothing by what was captured', async () => {
    await bed.send({ to: 'carl@example.net', 'o:testmode': 'yes' });
    await bed.eventsOf('carl@example.net');
    const said = await validate('carl@example.net');
    assert.deepEqual([said.result, said.engagement], ['unknown', undefined]);
  });
});
