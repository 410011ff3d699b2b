// The hour at which a recipient reads: by the events that are here, and said where there are none.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const FIELD = 'o:deliverytime-optimize-period';
const HOUR_MS = 3_600_000;
let app: App;
let sandbox = '';
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,send' });
  sandbox = (await app.call('GET /v4/domains')).body.items[0].name;
});
after(() => app.close());

async function send(fields: Record<string, unknown>): Promise<string> {
  const letter = { from: `news@${sandbox}`, subject: 'Hello', text: 'Hello' };
  const { status, body } = await app.call(`POST /v3/${sandbox}/messages`, { body: { ...letter, ...fields } });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** Each recipient, once it is so. */
async function recipientsOf(id: string, isDone: (items: any[]) => boolean): Promise<any[]> {
  for (;;) {
    const { items } = (await app.call(`GET /v1/galley/messages/${encodeURIComponent(id)}/timeline`)).body;
    if (isDone(items)) return items;
    // Events are shown two seconds after they happened.
    app.clock.advance(1000);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

const comeTo = (moment: number): void => app.clock.advance(moment - app.clock.now().getTime());
const nextDay = (): number => (Math.floor(app.clock.now().getTime() / (24 * HOUR_MS)) + 1) * 24 * HOUR_MS;

describe(FIELD, () => {
  it('sends to who has read before in the hour of that, to others at once, and says which', async () => {
    const day = nextDay();
    comeTo(day + 9.4 * HOUR_MS);
    const reader = `opened@${sandbox}`;
    const first = await send({ to: reader });
    await recipientsOf(first, ([{ steps }]) => steps.some(({ event }: any) => event === 'opened'));
    comeTo(day + 15 * HOUR_MS);
    const id = await send({ to: [reader, `delivered@${sandbox}`], [FIELD]: '24h' });
    const [known, unknown] = await recipientsOf(id, (items) => items[1].state === 'delivered');
    const due = new Date(day + (24 + 9) * HOUR_MS).toISOString();
    assert.deepEqual([known.state, known.waiting.state, known.waiting.next_attempt_at], ['waiting', 'scheduled', due]);
    assert.match(
      known.steps[0].text,
      /^Galley took it, to be delivered\. 1 of 1 openings and clicks .* from 09:00 UTC on, so it leaves then\.$/,
    );
    assert.match(unknown.steps[0].text, /Nothing is known of when this recipient reads, so it leaves at once\.$/);
    const body = {
      events: ['accepted'],
      filter: { AND: [{ attribute: 'message_id', comparator: '=', values: [{ label: '', value: id.slice(1, -1) }] }] },
    };
    const { items } = (await app.call('POST /v1/analytics/logs', { body })).body;
    assert.equal(items.filter((item: any) => item['i-delivery-optimizer'].endsWith('.')).length, 2);
    comeTo(day + (24 + 9) * HOUR_MS);
    await recipientsOf(id, ([one]) => one.state === 'delivered');
  });

  it('counts from o:deliverytime on, and leaves a message that is sent again to its own time', async () => {
    const day = nextDay();
    const at = new Date(day + 30 * HOUR_MS);
    const to = [`opened@${sandbox}`, `delivered@${sandbox}`];
    const id = await send({ to, [FIELD]: '72h', 'o:deliverytime': at.toUTCString() });
    const [known, unknown] = await recipientsOf(id, (items) => items.every(({ steps }) => steps.length === 1));
    assert.equal(known.waiting.next_attempt_at, new Date(day + 33 * HOUR_MS).toISOString());
    assert.equal(unknown.waiting.next_attempt_at, at.toISOString());
    assert.match(unknown.steps[0].text, /so it leaves at the time that its sender chose\.$/);
  });

  it('is a number of hours from 24 to 72, and no time of day beside it', async () => {
    for (const [fields, message] of [
      [{ [FIELD]: '23h' }, `${FIELD} must be hours from 24h to 72h, such as 24h.`],
      [{ [FIELD]: '73h' }, `${FIELD} must be hours from 24h to 72h, such as 24h.`],
      [{ [FIELD]: 'soon' }, `${FIELD} must be hours from 24h to 72h, such as 24h.`],
      [
        { [FIELD]: '24h', 'o:time-zone-localize': '09:00' },
        `${FIELD} and o:time-zone-localize are both given; give one of them.`,
      ],
    ] as const) {
      const given = { from: `news@${sandbox}`, to: `delivered@${sandbox}`, subject: 'x', text: 'x', ...fields };
      const { status, body } = await app.call(`POST /v3/${sandbox}/messages`, { body: given });
      assert.deepEqual([status, body.message], [400, message]);
    }
  });
});
