// The lists at the attempt, in both directions: who is on one is not written to, and who refused gets on one.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'lists.example.com';
let app: App;
let sandbox = '';
const other = { 'x-service-account-id': '' };
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,send' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const { items } = (await app.call('GET /v4/domains')).body;
  sandbox = items.find(({ type }: { type: string }) => type === 'sandbox').name;
  other['x-service-account-id'] = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount.id;
  await app.call('POST /v4/domains', { body: { name: DOMAIN }, headers: other });
});
after(() => app.close());

interface Shown {
  event: string;
  recipient: string;
  reason?: string;
  severity?: string;
  'delivery-status'?: { code: number; description: string };
}

const END = new Set(['delivered', 'failed']);

/** Sends to all of them at once, and answers what became of each: `delivered`, or the code and the reason. */
async function send(
  recipients: string[],
  { tags = [], headers = {} }: { tags?: string[]; headers?: Record<string, string> } = {},
): Promise<Record<string, string>> {
  const letter = { from: `ann@${DOMAIN}`, to: recipients, subject: 'Hello', text: 'Hello', 'o:tag': tags };
  const { body } = await app.call(`POST /v3/${DOMAIN}/messages`, { body: letter, headers });
  const messageId = body.id.slice(1, -1);
  for (;;) {
    app.clock.advance(3000);
    const begin = Math.floor(app.clock.now().getTime() / 1000) - 86_000;
    const query = `begin=${begin}&ascending=yes&limit=300&message-id=${encodeURIComponent(messageId)}`;
    const { items } = (await app.call(`GET /v3/${DOMAIN}/events?${query}`, { headers })).body as { items: Shown[] };
    const ends = items.filter(({ event }) => END.has(event));
    if (ends.length >= recipients.length)
      return Object.fromEntries(
        ends.map(({ event, recipient, reason, 'delivery-status': status }) => [
          recipient,
          event === 'delivered' ? event : `${status?.code} ${reason}`,
        ]),
      );
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const add = (list: string, body: object) => app.call(`POST /v3/${DOMAIN}/${list}`, { body });

describe('an address on a list', () => {
  it('is not written to, and the event says which list it is on', async () => {
    await add('bounces', { address: 'gone@example.net' });
    await add('unsubscribes', { address: 'left@example.net' });
    await add('complaints', { address: 'angry@example.net' });
    assert.deepEqual(await send(['Gone@Example.NET', 'left@example.net', 'angry@example.net', 'fine@example.net']), {
      'gone@example.net': '605 suppress-bounce',
      'left@example.net': '606 suppress-unsubscribe',
      'angry@example.net': '607 suppress-complaint',
      'fine@example.net': 'delivered',
    });
    const { items } = (await app.call(`GET /v3/${DOMAIN}/events?event=failed&recipient=gone@example.net`)).body;
    const { severity, 'delivery-status': status } = items[0];
    assert.deepEqual([severity, status.description], ['permanent', 'Not delivering to previously bounced address']);
  });

  it('is written to again once it is taken off', async () => {
    assert.deepEqual(await send(['gone@example.net']), { 'gone@example.net': '605 suppress-bounce' });
    await app.call(`DELETE /v3/${DOMAIN}/bounces/gone@example.net`);
    assert.deepEqual(await send(['gone@example.net']), { 'gone@example.net': 'delivered' });
  });

  it('is written to by another account with a domain of that name, and by another domain', async () => {
    assert.deepEqual(await send(['left@example.net'], { headers: other }), { 'left@example.net': 'delivered' });
  });

  it('is written to although it bounced where the allowlist has it, or its domain, and for no other reason', async () => {
    for (const name of ['allowed', 'domain', 'cross']) await add('bounces', { address: `${name}@${name}.example` });
    await add('whitelists', { address: 'allowed@allowed.example' });
    await add('whitelists', { domain: 'domain.example' });
    await add('whitelists', { address: 'cross@cross.example' });
    await add('complaints', { address: 'cross@cross.example' });
    assert.deepEqual(await send(['allowed@allowed.example', 'domain@domain.example', 'cross@cross.example']), {
      'allowed@allowed.example': 'delivered',
      'domain@domain.example': 'delivered',
      'cross@cross.example': '607 suppress-complaint',
    });
  });

  it('gets messages without the tags that it unsubscribed from', async () => {
    await add('unsubscribes', { address: 'some@example.net', tag: 'Spring' });
    const expected: [tags: string[], end: string][] = [
      [['spring'], '606 suppress-unsubscribe'],
      [['news', 'SPRING'], '606 suppress-unsubscribe'],
      [['news'], 'delivered'],
      [[], 'delivered'],
    ];
    for (const [tags, end] of expected)
      assert.deepEqual(await send(['some@example.net'], { tags }), { 'some@example.net': end }, String(tags));
  });
});

describe('what recipients answer', () => {
  const codeOf = async (list: string, address: string) =>
    (await app.call(`GET /v3/${DOMAIN}/${list}/${encodeURIComponent(address)}`)).body;

  it('puts those who refused for good on the list of bounces, and no others', async () => {
    const refusals: [local: string, isListed: boolean][] = [
      ['bounced', true],
      ['bounced+550-5.1.1', true],
      ['bounced+550-5.1.10', true],
      ['bounced+550-5.2.1', true],
      ['bounced+552-5.2.2', false],
      ['bounced+550-5.7.1', false],
      ['bounced+554', false],
      ['deferred', false],
      ['delivered', false],
    ];
    await send(refusals.map(([local]) => `${local}@${sandbox}`).filter((address) => !address.startsWith('deferred')));
    for (const [local, isListed] of refusals) {
      const { code, error } = await codeOf('bounces', `${local}@${sandbox}`);
      assert.equal(code, isListed ? '550' : undefined, local);
      if (isListed) assert.match(error, /^550 5\.[12]\.\d+ The sandbox refuses it$/);
    }
  });

  it('puts those who complained or unsubscribed on their lists, with the tags of the message', async () => {
    await send([`complained@${sandbox}`, `unsubscribed@${sandbox}`], { tags: ['news', 'spring'] });
    assert.equal((await codeOf('complaints', `complained@${sandbox}`)).address, `complained@${sandbox}`);
    assert.deepEqual((await codeOf('unsubscribes', `unsubscribed@${sandbox}`)).tags, ['news', 'spring']);
    await send([`unsubscribed+all@${sandbox}`]);
    assert.deepEqual((await codeOf('unsubscribes', `unsubscribed+all@${sandbox}`)).tags, ['*']);
  });

  it('is the same the next time: recipients of the sandbox domain answer by their names', async () => {
    assert.deepEqual(await send([`bounced@${sandbox}`]), { [`bounced@${sandbox}`]: '550 bounce' });
  });
});

describe('a batch of a thousand recipients', () => {
  it('is compared with the lists at once', async () => {
    const recipients = Array.from({ length: 1000 }, (_, place) => `r${place}@many.example`);
    await app.call(`POST /v3/${DOMAIN}/bounces`, {
      body: recipients.filter((_, place) => place % 10 === 0).map((address) => ({ address })),
    });
    const letter = { from: `ann@${DOMAIN}`, to: recipients, subject: 'Hello', text: 'Hello' };
    await app.call(`POST /v3/${DOMAIN}/messages`, { body: letter });
    const { outside } = app.galley;
    const isEmpty = async () => (await outside.db.text('select 1 from deliveries limit 1')).rows.length === 0;
    while (!(await isEmpty())) await new Promise((resolve) => setTimeout(resolve, 20));
    const { rows } = await outside.db.text(
      "select code, count(*)::int as n from events where recipient_domain = 'many.example' and code is not null group by 1 order by 1",
    );
    assert.deepEqual(rows, [
      { code: 250, n: 900 },
      { code: 605, n: 100 },
    ]);
  });
});
