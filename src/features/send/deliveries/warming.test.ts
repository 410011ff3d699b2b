// What leaves from an address that is warming up: so many in an hour and no more. The others leave from the warm
// addresses of the set, or wait and say until when.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { DOMAIN, liveBed } from './live.fixture.ts';

const MINUTE_MS = 60_000;
/** Of a stage of 96 messages in 24 hours: 4 an hour, one each quarter of it. */
const PLAN = { stages: [96, 96] };
const QUARTER_MS = 15 * MINUTE_MS;
const [COLD, WARM, ALONE] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'] as const;

const bed = liveBed({
  settings: {
    GALLEY_SENDING_IPS: [COLD, WARM, ALONE].map((ip) => `${ip}=mail${ip.at(-1)}.example.com`).join(','),
  },
});

const call = async (operation: string, body?: unknown): Promise<any> => {
  const answer = await bed.app.call(operation, { ...(body !== undefined && { body }) });
  assert.equal(answer.status, 200, `${operation}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

async function until<Found>(look: () => Promise<Found> | Found, isSo: (found: Found) => boolean): Promise<Found> {
  for (;;) {
    const found = await look();
    if (isSo(found)) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

let count = 0;
/** Sends to so many people who are new, each a message of their own. */
async function send(many: number, poolId: string): Promise<string[]> {
  const readers = Array.from({ length: many }, () => `reader${count++}@example.net`);
  for (const to of readers) await bed.send({ to, 'o:sending-ip-pool': poolId });
  return readers;
}

const ipsOf = (readers: readonly string[]): string[] =>
  readers.flatMap((to) => bed.taken(to).map(({ client }) => client.ip)).sort();
const haveLeft = async (readers: readonly string[], many: number): Promise<string[]> =>
  until(
    () => ipsOf(readers),
    (ips) => ips.length >= many,
  );

const createPool = async (ip: string[]): Promise<string> =>
  (await call('POST /v3/ip_pools', { name: 'pool', description: '', ip })).pool_id;

describe('an address that is warming up, beside a warm one', () => {
  let poolId: string;
  before(async () => {
    poolId = await createPool([COLD, WARM]);
  });

  it('lets as many leave in an hour as its stage says, and the warm one takes the others', () =>
    bed.app.clock.holding(async () => {
      await call(`POST /v3/ip_warmups/${COLD}`, PLAN);
      const hour: string[] = [];
      for (const _ of [0, 15, 30, 45]) {
        const readers = await send(4, poolId);
        assert.deepEqual(await haveLeft(readers, 4), [COLD, WARM, WARM, WARM]);
        hour.push(...ipsOf(readers));
        bed.app.clock.advance(QUARTER_MS - MINUTE_MS);
        const early = await send(2, poolId);
        assert.deepEqual(await haveLeft(early, 2), [WARM, WARM]);
        hour.push(...ipsOf(early));
        bed.app.clock.advance(MINUTE_MS);
      }
      assert.equal(hour.filter((ip) => ip === COLD).length, 4);
      const { details } = await call(`GET /v3/ip_warmups/${COLD}`);
      assert.equal(details.hourly_limit, 4);
      assert.deepEqual(await haveLeft(await send(2, poolId), 2), [COLD, WARM], 'the next hour has its own');
    }));

  it('leaves its turns to others when it is not warming up any more', async () => {
    await call(`DELETE /v3/ip_warmups/${COLD}`);
    const ips = new Set(await haveLeft(await send(6, poolId), 6));
    assert.deepEqual([...ips], [COLD, WARM]);
  });
});

interface Queued {
  recipient: string;
  state: string;
  reason: string;
  attempts: number;
  next_attempt_at: string;
}

const queued = async (): Promise<Queued[]> =>
  (await call(`GET /v1/galley/queue/deliveries?destination=example.net&domain=${DOMAIN}`)).items;

/** What the queue says of a message that waits for its turn now. */
function waitsFor(one: Queued): void {
  const now = bed.app.clock.now();
  const next = new Date(one.next_attempt_at);
  const wait = next.getTime() - now.getTime();
  assert.ok(
    [1, 2, 3, 4].some((quarters) => wait === quarters * QUARTER_MS),
    one.next_attempt_at,
  );
  const [day = '', time = ''] = next.toISOString().split('T');
  const at = `${now.toISOString().startsWith(day) ? '' : `${day} `}${time.slice(0, 5)} UTC`;
  const stage = 'stage 1 of 2, 4 messages in this hour';
  assert.equal(one.reason, `${ALONE} is warming up: ${stage}; the next may leave at ${at}.`);
  assert.deepEqual([one.state, one.attempts], ['deferred', 0]);
}

const haveWaited = (many: number): Promise<Queued[]> =>
  until(queued, (items) => items.length === many && items.every(({ state }) => state === 'deferred'));

describe('an address that is warming up, alone', () => {
  it('keeps messages waiting, which the queue explains, and which leave one after the other', () =>
    bed.app.clock.holding(async () => {
      const poolId = await createPool([ALONE]);
      await call(`POST /v3/ip_warmups/${ALONE}`, PLAN);
      const readers = await send(2, poolId);
      const [second] = await haveWaited(1);
      assert.equal(Date.parse(second!.next_attempt_at), bed.app.clock.now().getTime() + QUARTER_MS);
      // The queue explains what comes while others wait already, too.
      readers.push(...(await send(1, poolId)));
      for (const one of await haveWaited(2)) waitsFor(one);
      const { destinations } = await call('GET /v1/galley/queue');
      assert.match(destinations[0].reason, new RegExp(`^${ALONE} is warming up: stage 1 of 2`));
      assert.deepEqual(ipsOf(readers), [ALONE]);
      for (const left of [2, 3]) {
        bed.app.clock.advance(QUARTER_MS);
        assert.deepEqual(
          await haveLeft(readers, left),
          Array.from({ length: left }, () => ALONE),
        );
        for (const one of await haveWaited(3 - left)) waitsFor(one);
      }
    }));
});
