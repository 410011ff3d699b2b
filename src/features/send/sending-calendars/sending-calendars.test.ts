// The calendar of a domain on the wire, and what it says of what waits.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'news.example.com';
const PATH = `/v1/galley/domains/${DOMAIN}/calendar`;
const DAY_MS = 86_400_000;
const ALL = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

let app: App;
let other: { headers: Record<string, string> };
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,send' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=Other');
  other = { headers: { 'x-mailgun-on-behalf-of': body.subaccount.id } };
  // Eleven in UTC: an hour in which no test crosses the quiet hours below.
  const now = app.clock.now().getTime();
  app.clock.advance((Math.floor(now / DAY_MS) + 1) * DAY_MS + 11 * 3_600_000 - now);
});
after(() => app.close());

const put = (body: object) => app.call(`PUT ${PATH}`, { body });
const send = async (fields: object): Promise<void> => {
  const body = { from: `Ann <ann@${DOMAIN}>`, subject: 'Hello', text: 'Hello', ...fields };
  const { status, body: answer } = await app.call(`POST /v3/${DOMAIN}/messages`, { body });
  assert.equal(status, 200, JSON.stringify(answer));
};

/** What waits, when nothing is on its way. */
async function waiting(): Promise<any[]> {
  for (const end = Date.now() + 90_000; ;) {
    const { rows } = await app.galley.outside.db.text(
      'select 1 from deliveries where is_taken or due_at <= $1 limit 1',
      [app.clock.now()],
    );
    if (rows.length === 0) break;
    assert.ok(Date.now() < end, 'it is still on its way');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return (await app.call('GET /v1/galley/queue/deliveries')).body.items;
}

describe('the calendar of a domain', () => {
  it('is off until it is set, and another account sees none of it', async () => {
    const open = { may_leave: true, reason: null };
    const { body: off } = await app.call(`GET ${PATH}`);
    const moment = off.now.leaves_at;
    assert.deepEqual(off, {
      domain: DOMAIN,
      mode: 'off',
      time_zone: 'UTC',
      weekdays: ALL,
      quiet_hours: null,
      now: { ...open, time_zone: 'UTC', leaves_at: moment },
    });
    assert.ok(Math.abs(new Date(moment).getTime() - app.clock.now().getTime()) < 3_600_000, moment);
    const { body } = await put({ mode: 'on', weekdays: ['friday', 'monday', 'friday'], time_zone: 'Asia/Tokyo' });
    const { now } = body;
    assert.deepEqual(body, { ...off, mode: 'on', time_zone: 'Asia/Tokyo', weekdays: ['monday', 'friday'], now });
    assert.deepEqual({ ...(await app.call(`GET ${PATH}`)).body, now }, body);
    assert.equal((await app.call(`GET ${PATH}`, other)).status, 404);
    assert.equal((await app.call(`PUT ${PATH}`, { ...other, body: { mode: 'off' } })).status, 404);
    const { body: again } = await put({ mode: 'off' });
    assert.deepEqual({ ...again, now: null }, { ...off, now: null });
  });

  it('says what it does with a message now, for a recipient in any time zone', async () => {
    const hours = { from: '10:00', until: '14:30' };
    const { body } = await put({ mode: 'on', quiet_hours: hours });
    const opens = new Date(Math.floor(app.clock.now().getTime() / DAY_MS) * DAY_MS + 14.5 * 3_600_000);
    const day = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(opens);
    assert.deepEqual(body.now, {
      time_zone: 'UTC',
      may_leave: false,
      leaves_at: opens.toISOString(),
      reason:
        `It waits for the sending hours of ${DOMAIN}: hours are quiet from 10:00 to 14:30 in UTC; ` +
        `it may leave on ${day} at 14:30 there.`,
    });
    assert.deepEqual((await app.call(`GET ${PATH}`)).body, body);
    const { body: elsewhere } = await app.call(`GET ${PATH}?time_zone=Asia/Tokyo`);
    assert.deepEqual([elsewhere.time_zone, elsewhere.now.time_zone], ['UTC', 'Asia/Tokyo']);
    assert.deepEqual([elsewhere.now.may_leave, elsewhere.now.reason], [true, null]);
    const wrong = await app.call(`GET ${PATH}?time_zone=Mars/Olympus`);
    assert.equal(wrong.status, 400);
    assert.equal(wrong.body.message, 'time_zone must name a time zone, such as Europe/Berlin.');
    await put({ mode: 'off' });
  });

  const wrongs: [body: object, message: RegExp][] = [
    [{}, /^mode is required\.$/],
    [{ mode: 'sometimes' }, /^mode must be one of off, on\.$/],
    [{ mode: 'on', time_zone: 'Mars/Olympus' }, /^time_zone must name a time zone, such as Europe\/Berlin\.$/],
    [{ mode: 'on', weekdays: [] }, /^weekdays must /],
    [{ mode: 'on', weekdays: ['someday'] }, /^weekdays\S* must be one of sunday, /],
    [{ mode: 'on', quiet_hours: { from: '25:00', until: '08:00' } }, /^quiet_hours/],
    [{ mode: 'on', quiet_hours: { from: '08:00' } }, /^quiet_hours/],
    [
      { mode: 'on', quiet_hours: { from: '08:00', until: '08:00' } },
      /^quiet_hours must begin and end at two different/,
    ],
  ];
  for (const [body, message] of wrongs)
    it(`refuses ${JSON.stringify(body)}`, async () => {
      const answer = await put(body);
      assert.equal(answer.status, 400);
      assert.match(answer.body.message, message);
    });
});

describe('what is due outside the hours', () => {
  it('waits by the clock of each recipient, and says why and until when', async () => {
    await put({ mode: 'on', quiet_hours: { from: '10:00', until: '14:30' } });
    await send({
      to: ['utc@example.net', 'tokyo@example.net', 'phoenix@example.net', 'odd@example.net'],
      'recipient-variables': JSON.stringify({
        'tokyo@example.net': { time_zone: 'Asia/Tokyo' },
        'phoenix@example.net': { timezone: 'America/Phoenix' },
        'odd@example.net': { timezone: 'Mars/Olympus' },
      }),
    });
    await send({ to: 'reset@example.net', 'o:transactional': 'yes' });
    await send({ to: 'test@example.net', 'o:testmode': 'yes' });
    const items = await waiting();
    assert.deepEqual(items.map(({ recipient }: any) => recipient).sort(), ['odd@example.net', 'utc@example.net']);
    const [{ reason, next_attempt_at: next, give_up_at: giveUp, message, attempts }] = items;
    const now = app.clock.now();
    const opens = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS + 14.5 * 3_600_000);
    const day = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(opens);
    assert.equal(
      reason,
      `It waits for the sending hours of ${DOMAIN}: hours are quiet from 10:00 to 14:30 in UTC; ` +
        `it may leave on ${day} at 14:30 there.`,
    );
    assert.deepEqual([next, attempts], [opens.toISOString(), 0]);
    // It may be tried for three days from then on.
    assert.ok(new Date(giveUp).getTime() >= opens.getTime() + 3 * DAY_MS - 60_000, giveUp);
    const line = await app.call(`GET /v1/galley/messages/${message.storage_key}/timeline?recipient=utc`);
    assert.deepEqual([line.body.items[0].waiting.reason, line.body.items[0].waiting.until], [reason, next]);
    const { body } = await app.call('POST /v1/analytics/logs', { body: { events: ['failed'] } });
    assert.deepEqual(body.items, [], 'waiting is no attempt');
  });

  it('leaves when they begin', async () => {
    const [{ next_attempt_at: next }] = await waiting();
    app.clock.advance(new Date(next).getTime() - app.clock.now().getTime() - 60_000);
    assert.equal((await waiting()).length, 2);
    app.clock.advance(61_000);
    assert.deepEqual(await waiting(), []);
  });

  it('is looked at again when the calendar changes', async () => {
    await put({ mode: 'on', quiet_hours: { from: '14:00', until: '23:00' } });
    await send({ to: 'bob@example.net' });
    const [{ next_attempt_at: first }] = await waiting();
    assert.match(first, /T23:00:00\.000Z$/);
    await put({ mode: 'on', quiet_hours: { from: '14:00', until: '22:00' } });
    await app.idle();
    const [{ next_attempt_at: second }] = await waiting();
    assert.match(second, /T22:00:00\.000Z$/);
    await put({ mode: 'off' });
    await app.idle();
    assert.deepEqual(await waiting(), []);
  });

  it('waits for its weekday', async () => {
    const day = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });
    const [today, tomorrow] = [0, 1].map((days) => day.format(new Date(app.clock.now().getTime() + days * DAY_MS)));
    await put({ mode: 'on', weekdays: [tomorrow!.toLowerCase()] });
    await send({ to: 'bob@example.net' });
    const [{ reason, next_attempt_at: next }] = await waiting();
    assert.equal(
      reason,
      `It waits for the sending hours of ${DOMAIN}: nothing leaves on ${today} in UTC; ` +
        `it may leave on ${tomorrow} at 00:00 there.`,
    );
    app.clock.advance(new Date(next).getTime() - app.clock.now().getTime() + 1000);
    assert.deepEqual(await waiting(), []);
  });
});
