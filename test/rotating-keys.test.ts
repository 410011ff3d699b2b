// Keys that take each other's place while mail leaves: no message fails at a receiver that asks DNS, when it arrives
// and five days later, as our own engine and the library that others verify with see it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { FEATURES } from '../src/app/features.ts';
import { authenticate } from '../src/engines/mail-authentication/index.ts';
import { DOMAIN, liveBed } from '../src/features/send/deliveries/live.fixture.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ROTATION = `/v1/dkim_management/domains/${DOMAIN}/rotation`;

const bed = liveBed();

const call = async (operation: string, body?: object, headers = {}): Promise<{ status: number; body: any }> => {
  const { status, body: said } = await bed.app.call(operation, { ...(body && { body }), headers });
  return { status, body: said };
};

/** Time goes on; then what the service does by itself every few minutes, and all that follows. */
async function pass(milliseconds: number): Promise<void> {
  const { clock, galley } = bed.app;
  clock.advance(milliseconds);
  const job = FEATURES.flatMap(({ jobs = [] }) => jobs).find(({ name }) => name === 'sending-domains.find-rotations');
  assert.ok(job);
  await job.run(galley.outside, {}, { signal: new AbortController().signal, attempt: 1, isLast: true });
  await bed.app.idle();
}

const keysOf = async (): Promise<any[]> => (await call(`GET /v4/domains/${DOMAIN}/keys`)).body.items;
const activeOf = async (): Promise<string> => (await keysOf()).find(({ active }) => active).selector;
const rotationOf = async (): Promise<any> => (await call(`PUT ${ROTATION}`, { rotation_enabled: true })).body.domain;

/** The operator publishes what the service asks for now, and nothing else. */
async function publish({ without = '' } = {}): Promise<void> {
  const { records } = await rotationOf();
  for (const name of Object.keys(bed.zone)) if (name.includes('._domainkey.')) delete bed.zone[name];
  for (const { name, value, identifier } of records) if (identifier !== without) bed.zone[name] = { TXT: [value] };
}

let count = 0;
/** Sends a message; answers it as it arrived, and the selector that signed it. */
async function send(): Promise<{ raw: string; selector: string }> {
  const to = `reader${++count}@example.net`;
  await bed.send({ to });
  await bed.eventsOf(to);
  const [message, ...more] = bed.taken(to);
  assert.ok(message);
  assert.equal(more.length, 0);
  return { raw: message.raw, selector: await verified(message.raw) };
}

/** Both verifiers say that the one signature is right; answers its selector. */
async function verified(raw: string): Promise<string> {
  const bytes = Buffer.from(raw, 'latin1');
  const { dkim, dmarc } = await authenticate(bytes, {
    ip: '192.0.2.1',
    helo: 'out.test',
    mailFrom: `ann@${DOMAIN}`,
    mta: 'mx.test',
    dns: bed.dns,
    now: bed.app.clock.now(),
  });
  assert.deepEqual([dkim.map(({ result }) => result), dmarc.result], [['pass'], 'pass']);
  const resolver = (name: string, type: string) => bed.dns.resolve(name, type as 'TXT');
  const { results } = await dkimVerify(bytes, { resolver, curTime: bed.app.clock.now() } as never);
  assert.deepEqual(
    results.map(({ status }: any) => status.result),
    ['pass'],
  );
  return results[0]!.selector as string;
}

describe('a key that is rotated', () => {
  const sent: { raw: string; selector: string }[] = [];
  let first = '';
  let second = '';

  it('goes on signing until the next one was published for three hours', async () => {
    first = await activeOf();
    const { status, body } = await call(`PUT ${ROTATION}`, { rotation_enabled: true, rotation_interval: '5d' });
    assert.equal(status, 200);
    const { id, account_id, sid, records, ...domain } = body.domain;
    assert.match(id, /^[0-9a-f]{24}$/);
    assert.equal(sid, id);
    assert.ok(account_id.length > 0);
    assert.deepEqual(domain, {
      name: DOMAIN,
      state: 'enabled',
      active_selector: first,
      rotation_enabled: 'true',
      rotation_interval: '5d',
    });
    const [{ value, ...record }, ...more] = records;
    assert.match(value, /^v=DKIM1; k=rsa; p=/);
    assert.deepEqual(
      [record, more],
      [
        {
          name: `${first}._domainkey.${DOMAIN}`,
          type: 'TXT',
          identifier: first,
          comment: 'This key signs.',
        },
        [],
      ],
    );
    await publish();
    await pass(4 * DAY_MS);
    assert.equal((await keysOf()).length, 1);
    await pass(DAY_MS);
    const keys = await keysOf();
    second = keys[1].selector;
    assert.deepEqual(
      keys.map(({ active }) => active),
      [true, false],
    );
    assert.equal((await rotationOf()).state, 'wait_verify');
    assert.deepEqual(
      (await rotationOf()).records.map(({ comment }: any) => comment),
      ['This key signs.', 'This key signs next; publish its record.'],
    );
    // Nobody publishes it for days.
    for (let day = 0; day < 3; day++) {
      await pass(DAY_MS);
      sent.push(await send());
    }
    await publish();
    await pass(HOUR_MS);
    bed.zone[`${second}._domainkey.${DOMAIN}`] = { fails: 'ETIMEOUT' };
    await pass(HOUR_MS);
    sent.push(await send());
    assert.deepEqual([...new Set(sent.map(({ selector }) => selector))], [first]);
    assert.equal((await keysOf()).length, 2);
  });

  it('begins anew when the next record was gone in between', async () => {
    await publish({ without: second });
    await pass(HOUR_MS);
    await publish();
    await pass(HOUR_MS);
    await pass(2 * HOUR_MS);
    sent.push(await send());
    assert.equal(sent.at(-1)!.selector, first);
    await pass(HOUR_MS);
    assert.equal(await activeOf(), second);
  });

  it('stays published for five days after the other one took over, and no message fails meanwhile', async () => {
    assert.equal((await rotationOf()).state, 'enabled');
    const [, old] = (await rotationOf()).records.toReversed();
    assert.match(old.comment, /^This key signs no longer; leave its record until .* GMT\.$/);
    await publish();
    // What is known of a domain may be ten seconds old.
    for (let tries = 0; tries < 600; tries++) {
      sent.push(await send());
      if (sent.at(-1)!.selector === second) break;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    assert.equal(sent.at(-1)!.selector, second);
    for (let day = 0; day < 4; day++) {
      await pass(DAY_MS);
      await publish();
      for (const { raw } of sent) await verified(raw);
    }
    sent.push(await send());
    await pass(DAY_MS + HOUR_MS);
    await publish();
    assert.ok(!(await keysOf()).some(({ selector }) => selector === first));
    for (const { raw, selector } of sent) if (selector === second) await verified(raw);
    assert.equal((await send()).selector, second);
  });
});
