import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../../platform/dns/index.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { jobs } from './jobs.ts';

const HOUR_MS = 3_600_000;
const DOMAIN = 'rotating.example.com';
const ROTATION = `/v1/dkim_management/domains/${DOMAIN}/rotation`;
const ROTATE = `/v1/dkim_management/domains/${DOMAIN}/rotate`;

const zone: Record<string, DeclaredRecords> = {};
const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };
let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' }, { dns });
  await call('POST /v4/domains', { name: DOMAIN });
});
after(() => app.close());

const call = async (operation: string, body?: object, headers = {}): Promise<{ status: number; body: any }> => {
  const { status, body: said } = await app.call(operation, { ...(body && { body }), headers });
  return { status, body: said };
};

/** Time goes on; then what the service does by itself every few minutes, and all that follows. */
async function pass(milliseconds: number): Promise<void> {
  app.clock.advance(milliseconds);
  const job = jobs.find(({ name }) => name === 'sending-domains.find-rotations');
  assert.ok(job);
  await job.run(app.galley.outside, {} as never, { signal: new AbortController().signal, attempt: 1, isLast: true });
  await app.idle();
}

const keysOf = async (): Promise<any[]> => (await call(`GET /v4/domains/${DOMAIN}/keys`)).body.items;
const activeOf = async (): Promise<string> => (await keysOf()).find(({ active }) => active).selector;
async function publish(): Promise<void> {
  for (const { dns_record: record } of await keysOf()) zone[record.name] = { TXT: [record.value] };
}

describe('PUT /v1/dkim_management/domains/{name}/rotation', () => {
  it('waits until the domain is verified', async () => {
    const { status, body } = await call(`PUT ${ROTATION}`, { rotation_enabled: true, rotation_interval: '30d' });
    assert.deepEqual(
      [status, body.domain.state, body.domain.rotation_enabled, body.domain.rotation_interval],
      [200, 'wait_verify', 'true', '30d'],
    );
    await publish();
    await call(`PUT /v4/domains/${DOMAIN}/verify`);
    const now = await call(`PUT ${ROTATION}`, { rotation_enabled: true });
    assert.deepEqual([now.body.domain.state, now.body.domain.rotation_interval], ['enabled', '30d']);
  });
});

describe('POST /v1/dkim_management/domains/{name}/rotate', () => {
  it('makes the next key at once, where rotation is enabled and not under way', async () => {
    await call(`PUT ${ROTATION}`, { rotation_enabled: false });
    const state = (word: string) => ({
      status: 400,
      message: `only domains in enabled can rotate their keys. Current state: ${word}`,
    });
    const asked = async () => {
      const { status, body } = await call(`POST ${ROTATE}`);
      assert.equal(body.Reason, status === 400 ? body.message : undefined);
      return { status, message: body.message };
    };
    assert.deepEqual(await asked(), state('disabled'));
    await call(`PUT ${ROTATION}`, { rotation_enabled: true, rotation_interval: '365d' });
    assert.deepEqual(await asked(), { status: 200, message: 'ok' });
    assert.deepEqual(await asked(), state('wait_verify'));
    const next = (await keysOf()).find(({ active }) => !active).selector;
    await publish();
    await pass(0);
    await pass(3 * HOUR_MS);
    assert.equal(await activeOf(), next);
  });

  it('refuses what is wrong, and what belongs to others', async () => {
    const wrong: [body: object, message: RegExp][] = [
      [{}, /^rotation_enabled is required/],
      [{ rotation_enabled: 'maybe' }, /^rotation_enabled must be/],
      [{ rotation_enabled: true, rotation_interval: '4d' }, /^rotation_interval must be .* from 5d to 365d/],
      [{ rotation_enabled: true, rotation_interval: '5h' }, /^rotation_interval must be/],
      [
        { rotation_enabled: false, rotation_interval: '9d' },
        /^rotation_interval is not allowed unless also enabling DKIM rotation$/,
      ],
    ];
    for (const [body, message] of wrong) {
      const answer = await call(`PUT ${ROTATION}`, body);
      assert.deepEqual([answer.status, message.test(answer.body.Reason)], [400, true], answer.body.Reason);
    }
    const sandbox = (await call('GET /v4/domains')).body.items.find(({ type }: any) => type === 'sandbox').name;
    const refused = await call(`PUT /v1/dkim_management/domains/${sandbox}/rotation`, { rotation_enabled: true });
    assert.match(refused.body.Reason, /^rotation_enabled must be false for a sandbox domain/);
    const { subaccount } = (await call('POST /v5/accounts/subaccounts?name=Stranger')).body;
    const headers = { 'x-service-account-id': subaccount.id };
    const missing = { Description: 'domain not found', message: 'domain not found' };
    assert.deepEqual(await call(`POST ${ROTATE}`, undefined, headers), { status: 404, body: missing });
    const body = { rotation_enabled: true };
    assert.deepEqual(await call(`PUT ${ROTATION}`, body, headers), { status: 404, body: missing });
  });
});
