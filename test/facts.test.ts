// Facts through the front door: a feature that stands beside Galley's own hears what those below it tell.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Type } from 'typebox';
import { FEATURES } from '../src/app/features.ts';
import { domainChecked } from '../src/features/send/sending-domains/index.ts';
import { gateFailed } from '../src/features/proof/gate/index.ts';
import { startApp, type App } from './harness/start-app.ts';
import { defineFeature, defineJob, type Outside } from '../src/platform/feature/index.ts';
import { defineFact, openFacts, whenTold } from '../src/platform/facts/index.ts';

interface Heard {
  job: string;
  payload: unknown;
}

const heard: Heard[] = [];

const hearGates = defineJob({
  name: 'listener.hear-gates',
  payload: gateFailed.payload,
  lane: 'quick',
  attempts: 2,
  timeoutMs: 5_000,
  run: async (_outside: Outside, payload) => void heard.push({ job: 'hear-gates', payload }),
});
const hearDomains = defineJob({
  name: 'listener.hear-domains',
  payload: domainChecked.payload,
  lane: 'quick',
  attempts: 2,
  timeoutMs: 5_000,
  run: async (_outside: Outside, payload) => void heard.push({ job: 'hear-domains', payload }),
});
const listener = defineFeature({
  name: 'listener',
  endpoints: [],
  jobs: [hearGates, hearDomains],
  listensTo: [whenTold(gateFailed, hearGates), whenTold(domainChecked, hearDomains)],
});

let app: App;
before(async () => {
  app = await startApp({}, { features: [listener] });
});
after(() => app?.close());

async function gate(html: string, policy: object): Promise<string> {
  const { status, body } = await app.call('POST /v1/inspect/gate', { body: { html, checks: ['code'], policy } });
  assert.equal(status, 201, JSON.stringify(body));
  await app.idle();
  return body.items.id as string;
}

describe('a fact', () => {
  it('is heard when a gate fails, and not when it passes', async () => {
    const html = '<!doctype html><html lang="en"><title>Hello</title><p style="display:flex">Hello</p></html>';
    await gate(html, { fail_on: 'never' });
    assert.equal(heard.length, 0);
    const gateId = await gate(html, { fail_on: 'info' });
    const payload = heard.at(0)?.payload as { accountId: string; gateId: string; reasons: string[] };
    assert.equal(heard.length, 1);
    assert.equal(payload.gateId, gateId);
    assert.ok(payload.reasons.length > 0);
    heard.splice(0);
  });

  it('is heard when a domain is checked, and by nobody when there is no such domain', async () => {
    assert.equal((await app.call('POST /v4/domains', { body: { name: 'mail.example.com' } })).status, 200);
    assert.equal((await app.call('PUT /v4/domains/mail.example.com/verify')).status, 200);
    assert.equal((await app.call('PUT /v4/domains/other.example.com/verify')).status, 404);
    await app.idle();
    assert.deepEqual(
      heard.map(({ job, payload }) => [job, { ...(payload as object), accountId: '' }]),
      [['hear-domains', { accountId: '', domain: 'mail.example.com', state: 'unverified' }]],
    );
  });

  it('is not queued when its transaction is rolled back', async () => {
    heard.length = 0;
    const { db, facts } = app.galley.outside;
    await assert.rejects(
      db.tx(async (tx) => {
        await facts.tell(tx, gateFailed, {
          account: 'nobody',
          payload: { accountId: 'nobody', gateId: 'none', email: '', reasons: [] },
        });
        throw new Error('rolled back');
      }),
      /rolled back/,
    );
    await app.idle();
    assert.deepEqual(heard, []);
  });
});

describe('facts that do not fit', () => {
  const fact = defineFact({ name: 'toy.made', payload: Type.Object({ id: Type.String() }) });
  const job = defineJob({
    name: 'toys.hear',
    payload: fact.payload,
    lane: 'quick',
    attempts: 1,
    timeoutMs: 1_000,
    run: async () => {},
  });
  const jobs = { jobs: () => ({ enqueue: async () => {} }) };

  it('are refused at the start: two of one name, one that nobody tells', () => {
    assert.throws(() => openFacts([fact, fact], [], jobs), /Two facts are named toy\.made/);
    assert.throws(
      () => openFacts([], [whenTold(fact, job)], jobs),
      /The job toys\.hear listens for toy\.made, which no feature tells/,
    );
  });

  it('are refused when they are told without being declared', async () => {
    await assert.rejects(
      openFacts([], [], jobs).tell(undefined as never, fact, { account: 'a', payload: { id: '1' } }),
      /No feature declares that it tells toy\.made/,
    );
  });

  it('are those of Galley: each is told by one feature', () => {
    const told = FEATURES.flatMap(({ tells = [] }) => tells.map(({ name }) => name));
    assert.deepEqual(told.toSorted(), [
      'account.changed',
      'addresses.validated',
      'certificate.changed',
      'domain.checked',
      'domain.records-changed',
      'gate.ended',
      'gate.failed',
      'limit.reached',
      'message-limit.reached',
      'placement.changed',
      'placement.ended',
      'preview.ended',
      'sending-batch.held',
      'spam-test.ended',
      'tracking-certificate.changed',
      'user.joined',
      'user.password_reset',
      'user.role_by_sso',
      'user.sign_in_failed',
      'user.signed_in',
      'user.sso_linked',
    ]);
  });
});
