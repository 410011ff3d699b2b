// Keys by CNAME records: published once by the owner, then changed in the operator's zone alone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../../platform/dns/index.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { jobs } from './jobs.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NAME = 'automatic.example.com';

/** What the owners of domains publish, and what the operator does. */
const zone: Record<string, DeclaredRecords> = {};
let operated: Record<string, DeclaredRecords> = {};
const dns: Dns = { resolve: (name, type) => createZoneDns({ ...zone, ...operated }).resolve(name, type) };
let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work', GALLEY_KEYS_ZONE: 'Keys.Galley.test' }, { dns });
});
after(() => app.close());

const call = async (operation: string, body?: object, headers = {}): Promise<{ status: number; body: any }> => {
  const { status, body: said } = await app.call(operation, { ...(body && { body }), headers });
  return { status, body: said };
};

/** The operator's script. */
async function publish(): Promise<string> {
  const { body } = await call('GET /v1/galley/keys_zone');
  operated = Object.fromEntries(body.records.map(({ name, value }: any) => [name, { TXT: [value] }]));
  return body.zone_file;
}

/** Time goes on; then what the service does by itself every few minutes, and what the operator's script does. */
async function pass(milliseconds: number): Promise<void> {
  app.clock.advance(milliseconds);
  const job = jobs.find(({ name }) => name === 'sending-domains.find-rotations');
  assert.ok(job);
  await job.run(app.galley.outside, {} as never, { signal: new AbortController().signal, attempt: 1, isLast: true });
  await app.idle();
  await publish();
}

const keysOf = async (name: string): Promise<any[]> => (await call(`GET /v4/domains/${name}/keys`)).body.items;
const activeOf = async (name: string): Promise<string[]> =>
  (await keysOf(name)).filter(({ active }) => active).map(({ selector }) => selector);

/** Whether DNS shows, under its own name, every key that signs. */
async function isEveryKeyShown(name: string): Promise<boolean> {
  const { body } = await call('GET /v1/galley/keys_zone');
  const { id } = (await call(`GET /v4/domains/${name}`)).body.domain;
  const shown = await Promise.all(
    (await activeOf(name)).map(async (selector) => {
      const record = body.records.find((one: any) => one.name === `${selector}.${id}.keys.galley.test`);
      const found = await dns.resolve(`${selector}._domainkey.${name}`, 'TXT');
      return record !== undefined && found.some((pieces) => pieces.join('') === record.value);
    }),
  );
  return shown.every(Boolean);
}

const cnamesOf = (body: any): [name: string, value: string][] =>
  body.sending_dns_records
    .filter(({ purpose }: any) => purpose === 'dkim')
    .map(({ record_type: type, name, value }: any) => {
      assert.equal(type, 'CNAME');
      return [name, value];
    });

describe('use_automatic_sender_security of a new domain', () => {
  it('has two CNAME records, which lead to what the operator publishes', async () => {
    const { status, body } = await call('POST /v4/domains', { name: NAME, use_automatic_sender_security: true });
    assert.deepEqual([status, body.domain.use_automatic_sender_security], [200, true]);
    const { id } = body.domain;
    const cnames = cnamesOf(body).toSorted();
    assert.deepEqual(
      cnames,
      ['galley-a', 'galley-b'].map((slot) => [`${slot}._domainkey.${NAME}`, `${slot}.${id}.keys.galley.test`]),
    );
    for (const [name, value] of cnames) zone[name] = { CNAME: [value] };
    const file = await publish();
    assert.match(
      file,
      new RegExp(`^galley-a\\.${id}\\.keys\\.galley\\.test\\. 3600 IN TXT "v=DKIM1.{1,248}" ".{1,255}"\n`),
    );
    assert.equal((await call(`PUT /v4/domains/${NAME}/verify`)).body.domain.state, 'active');
    assert.deepEqual(await activeOf(NAME), ['galley-a']);
  });

  it('changes its keys when they are due, again and again, while the owner does nothing and every key is shown', async () => {
    const owners = structuredClone(zone);
    await pass(DAY_MS);
    assert.deepEqual(await activeOf(NAME), ['galley-a'], 'the next key waits for its day');
    const changes: string[] = [];
    for (let day = 0; day < 300; day += 10) {
      await pass(9.6 * DAY_MS);
      await pass(0.4 * DAY_MS);
      assert.equal(await isEveryKeyShown(NAME), true, `day ${day}`);
      const [active = '', ...more] = await activeOf(NAME);
      assert.deepEqual(more, []);
      if (changes.at(-1) !== active) changes.push(active);
    }
    assert.deepEqual(changes, ['galley-a', 'galley-b', 'galley-a']);
    assert.deepEqual(zone, owners);
  });

  it('goes on signing with the key before where the operator publishes nothing', async () => {
    const [before] = await activeOf(NAME);
    for (let day = 0; day < 130; day += 13) {
      await pass(13 * DAY_MS);
      const own = (await keysOf(NAME)).find(({ selector }) => selector === before);
      operated = Object.fromEntries(Object.entries(operated).filter(([name]) => name.startsWith(`${own.selector}.`)));
    }
    assert.deepEqual(await activeOf(NAME), [before]);
  });
});

describe('use_automatic_sender_security of a domain that has other keys', () => {
  it('lets these sign until the first of the operator has been seen for three hours', async () => {
    const name = 'moving.example.com';
    await call('POST /v4/domains', { name, dkim_selector: 'old' });
    for (const { dns_record: record } of await keysOf(name)) zone[record.name] = { TXT: [record.value] };
    assert.equal((await call(`PUT /v4/domains/${name}/verify`)).body.domain.state, 'active');
    const { body } = await call(`PUT /v4/domains/${name}`, { use_automatic_sender_security: true });
    assert.equal(body.domain.use_automatic_sender_security, true);
    for (const slot of ['galley-a', 'galley-b'])
      zone[`${slot}._domainkey.${name}`] = { CNAME: [`${slot}.${body.domain.id}.keys.galley.test`] };
    await pass(0);
    await pass(HOUR_MS);
    assert.deepEqual(await activeOf(name), ['old']);
    await pass(3 * HOUR_MS);
    assert.deepEqual(await activeOf(name), ['galley-a']);
    const off = await call(`PUT /v4/domains/${name}`, { use_automatic_sender_security: false });
    assert.equal(off.body.domain.use_automatic_sender_security, false);
    assert.ok(off.body.sending_dns_records.every((record: any) => record.record_type !== 'CNAME'));
  });
});

describe('what is refused', () => {
  it('is a selector of its own beside it, a sandbox domain, and the zone to other accounts', async () => {
    const given = { name: 'wrong.example.com', use_automatic_sender_security: true, dkim_selector: 'mine' };
    const made = await call('POST /v4/domains', given);
    assert.deepEqual([made.status, made.body.Reason.startsWith('dkim_selector must be left out')], [400, true]);
    const { items } = (await call('GET /v4/domains')).body;
    const sandbox = items.find(({ type }: any) => type === 'sandbox').name;
    const refused = await call(`PUT /v4/domains/${sandbox}`, { use_automatic_sender_security: true });
    assert.deepEqual([refused.status, /must be false for a sandbox domain/.test(refused.body.Reason)], [400, true]);
    const stranger = (await call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount.id;
    const theirs = await call('GET /v1/galley/keys_zone', undefined, { 'x-service-account-id': stranger });
    assert.deepEqual([theirs.status, /first account/.test(theirs.body.message)], [403, true]);
  });
});
