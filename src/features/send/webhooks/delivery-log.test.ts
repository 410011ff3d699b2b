// Many webhooks, a URL that is down, the log of deliveries with its replays, and tests.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR_MS, LOG, MINUTE_MS, until, webhookBed } from './bed.fixture.ts';
import webhooks from './index.ts';

const bed = webhookBed();

describe('many webhooks', () => {
  it('arrive once each', async () => {
    await bed.hook('delivered', '/thousand');
    const names = Array.from({ length: 1000 }, (_, place) => `delivered+t${place}`);
    await bed.send(names);
    await until(
      () => bed.receiver.at('/thousand').length,
      (length) => length >= 1000,
    );
    bed.app.clock.advance(5 * MINUTE_MS);
    await bed.send('delivered+last');
    await until(
      () => bed.receiver.at('/thousand').length,
      (length) => length >= 1001,
    );
    const recipients = bed.receiver.at('/thousand').map(({ event }) => event['recipient']);
    assert.equal(recipients.length, 1001);
    assert.deepEqual(
      new Set(recipients),
      new Set([...names, 'delivered+last'].map((name) => `${name}@${bed.sandbox}`)),
    );
    await bed.unhook();
  });

  it('that came into the log behind the reader are sent, too', async () => {
    await bed.hook('delivered', '/behind');
    bed.app.clock.advance(MINUTE_MS);
    await bed.send('delivered+now');
    await until(
      () => bed.receiver.at('/behind'),
      ({ length }) => length === 1,
    );
    const { outside } = bed.app.galley;
    const accountId = (await outside.db.text('select account_id from webhook_cursors order by at desc')).rows[0] as {
      account_id: string;
    };
    const late = new Date(outside.clock.now().getTime() - 20_000);
    const event = { at: late, accountId: accountId.account_id, event: 'delivered' as const, domain: bed.sandbox };
    await outside.db.tx((tx) => outside.events.append(tx, [{ ...event, recipient: `late@${bed.sandbox}` }]));
    for (let place = 0; place < 4; place++) {
      bed.app.clock.advance(MINUTE_MS);
      await bed.send(`delivered+after${place}`);
      await until(
        () => bed.receiver.at('/behind'),
        (all) => all.some(({ event }) => event['recipient'].startsWith(`delivered+after${place}`)),
      );
    }
    await until(
      () => bed.receiver.at('/behind'),
      (all) => all.some(({ event }) => event['recipient'] === `late@${bed.sandbox}`),
    );
    assert.equal(bed.receiver.at('/behind').length, 6);
    await bed.unhook();
  });

  it('pause a URL after 100 failures, which is asked now and then, and goes on when it answers', async () => {
    bed.receiver.answer('/down', 500);
    await bed.hook('delivered', '/down');
    await bed.send(Array.from({ length: 130 }, (_, place) => `delivered+d${place}`));
    const paused = await until(
      () => bed.urlState('/down'),
      (one) => one?.state === 'paused',
    );
    assert.ok(paused.failures >= 100);
    assert.equal(paused.waiting, 130);
    const before = bed.receiver.at('/down').length;
    bed.app.clock.advance(11 * MINUTE_MS);
    await until(
      () => bed.receiver.at('/down').length,
      (length) => length === before + 1,
    );
    assert.equal((await bed.urlState('/down')).state, 'paused');
    bed.receiver.answer('/down', 200);
    bed.app.clock.advance(11 * MINUTE_MS);
    const last = await until(
      () => bed.urlState('/down'),
      (one) => one.waiting === 0,
    );
    assert.deepEqual([last.state, last.failures, last.dropped], ['active', 0, 0]);
    const all = bed.receiver
      .at('/down')
      .slice(before + 1)
      .map(({ event }) => event['id']);
    assert.equal(new Set(all).size, 130);
    await bed.unhook();
  });

  it('are kept for seven days, and what was not delivered by then is counted', async () => {
    bed.receiver.answer('/old', 500);
    await bed.hook('delivered', '/old');
    await bed.send('delivered');
    await until(
      () => bed.logged('/old'),
      ([one]) => one?.attempts.length === 1,
    );
    // Paused, so that it still waits when its time has ended.
    await bed.app.galley.outside.db.text(
      "update webhook_urls set paused_at = now(), probe_at = now() + interval '1 year'",
    );
    bed.app.clock.advance(8 * 24 * HOUR_MS);
    const expire = webhooks.jobs?.find(({ name }) => name === 'webhooks.expire');
    await expire!.run(bed.app.galley.outside, {} as never, {
      signal: new AbortController().signal,
      attempt: 1,
      isLast: true,
    });
    assert.deepEqual(await bed.logged('/old'), []);
    const state = await bed.urlState('/old');
    assert.deepEqual([state.state, state.waiting, state.dropped], ['paused', 0, 1]);
    await bed.app.galley.outside.db.text('update webhook_urls set paused_at = null, probe_at = null');
    await bed.unhook();
  });
});

describe('the log of deliveries', () => {
  it('is paged, filtered, and replayed: one, or a range', async () => {
    bed.receiver.answer('/log', 406);
    await bed.hook(['delivered', 'accepted'], '/log');
    await bed.send(['delivered+1', 'delivered+2', 'delivered+3']);
    const url = `url=${encodeURIComponent(bed.receiver.url + '/log')}`;
    const all = await until(
      () => bed.logged('/log'),
      (found) => found.length === 6 && found.every(({ state }) => state === 'rejected'),
    );
    const ids = all.map(({ id }) => id);
    const pages: string[] = [];
    let next = `${LOG}?limit=4&${url}`;
    for (;;) {
      const { items, paging } = (await bed.app.call(`GET ${next}`)).body;
      if (items.length === 0) break;
      pages.push(...items.map(({ id }: any) => id));
      next = paging.next;
    }
    assert.deepEqual(pages, ids);
    const filtered = async (query: string): Promise<number> =>
      (await bed.app.call(`GET ${LOG}?${url}&${query}`)).body.items.length;
    assert.equal(await filtered('event_type=accepted'), 3);
    assert.equal(await filtered('state=delivered'), 0);
    assert.equal((await filtered(`end=${all[0].created_at}`)) < 6, true);
    assert.equal(await filtered('begin=2100-01-01'), 0);
    bed.receiver.answer('/log', 200);
    const again = await bed.app.call(`POST ${LOG}/${ids[0]}/replay`);
    assert.deepEqual([again.body.replay_of, again.body.state], [ids[0], 'waiting']);
    const waiting = await bed.app.call(`POST ${LOG}/${again.body.id}/replay`);
    assert.ok(waiting.status === 409 || waiting.status === 200);
    const range = await bed.app.call(`POST ${LOG}/replay`, {
      body: { state: 'rejected', url: bed.receiver.url + '/log' },
    });
    assert.deepEqual(range.body, { replayed: 5, left: 0 });
    assert.deepEqual(
      (await bed.app.call(`POST ${LOG}/replay`, { body: { state: 'rejected' } })).body.replayed >= 0,
      true,
    );
    const got = await until(
      () => bed.receiver.at('/log').slice(6),
      ({ length }) => length >= 6,
    );
    const before = bed.receiver.at('/log').slice(0, 6);
    assert.deepEqual(new Set(got.map(({ event }) => event['id'])), new Set(before.map(({ event }) => event['id'])));
    await bed.unhook();
    const unused = await bed.app.call(`POST ${LOG}/${ids[0]}/replay`);
    assert.deepEqual([unused.status, unused.body.message], [409, 'No webhook has this URL any more.']);
  });

  const wrong: [string, number, RegExp, object?][] = [
    [`GET ${LOG}?event_type=read`, 400, /^event_type must be one of accepted/],
    [`GET ${LOG}?state=lost`, 400, /^state must be one of waiting, delivered/],
    [`GET ${LOG}?begin=yesterday`, 400, /^begin "yesterday" is not a time/],
    [`GET ${LOG}?page=next`, 400, /^delivery_id must be the id of a delivery/],
    [`GET ${LOG}?page=next&delivery_id=x`, 400, /^delivery_id must be the id of a delivery/],
    [`GET ${LOG}?limit=5000`, 400, /^limit/],
    [`POST ${LOG}/0/replay`, 404, /^Webhook delivery not found/],
    [`POST ${LOG}/x'/replay`, 404, /^Webhook delivery not found/],
    [`POST ${LOG}/replay`, 400, /^state must not be waiting/, { state: 'waiting' }],
    [
      'POST /v1/galley/webhooks/urls/enable',
      404,
      /^No webhook of the account has this URL/,
      { url: 'https://a.example/' },
    ],
    [
      'POST /v1/galley/webhooks/test',
      400,
      /^event_type must be one of/,
      { url: 'https://a.example/', event_type: 'x' },
    ],
    [
      'POST /v1/galley/webhooks/test',
      400,
      /not open to requests/,
      { url: 'http://127.0.0.1:1/', event_type: 'opened' },
    ],
  ];
  for (const [call, status, words, body] of wrong)
    it(`refuses ${call.replace(LOG, '…')} ${body ? JSON.stringify(body) : ''}`, async () => {
      const answer = await bed.app.call(call, { ...(body && { body }) });
      assert.equal(answer.status, status);
      assert.match(answer.body.message, words);
    });
});

describe('a test', () => {
  it('is a signed event that says that it is one, and stands in the log', async () => {
    const url = bed.receiver.url + '/test';
    for (const kind of [
      'accepted',
      'delivered',
      'opened',
      'clicked',
      'unsubscribed',
      'complained',
      'temporary_fail',
      'permanent_fail',
    ]) {
      const { body } = await bed.app.call(`PUT /v3/domains/${bed.sandbox}/webhooks/${kind}/test`, { body: { url } });
      assert.deepEqual([body.code, body.message, body.answer], [200, 'Delivered.', 'answer 200']);
    }
    const got = bed.receiver.at('/test');
    assert.ok(got.every((one) => bed.isSigned(one)));
    assert.ok(got.every(({ event }) => event['flags']['is-system-test'] === true && event['id'].startsWith('test-')));
    assert.deepEqual(got.at(-1)!.event['severity'], 'permanent');
    bed.receiver.answer('/test', 418);
    const failed = await bed.app.call('POST /v1/galley/webhooks/test', { body: { url, event_type: 'opened' } });
    assert.deepEqual([failed.body.code, failed.body.message], [418, 'The receiver answered 418.']);
    const [last, ...rest] = await bed.logged('/test');
    assert.deepEqual([last.state, last.is_test, last.event_id, rest.length], ['failed', true, '', 8]);
    assert.equal((await bed.app.call(`POST ${LOG}/${last.id}/replay`)).status, 409);
  });
});
