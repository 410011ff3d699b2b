// Events on their way to a real receiver: signed, tried again, given up, and held up by nobody else's receiver.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { HOUR_MS, LOG, MINUTE_MS, until, webhookBed } from './bed.fixture.ts';

const bed = webhookBed();

describe('a webhook', () => {
  it('carries the event as the list shows it, signed, each with a token of its own', async () => {
    await bed.hook(['accepted', 'delivered', 'permanent_fail', 'temporary_fail', 'opened', 'complained'], '/all');
    await bed.send(['delivered', 'bounced+550-5.1.1', 'opened', 'complained']);
    await until(
      () => bed.receiver.at('/all'),
      ({ length }) => length >= 4 + 4 + 2,
    );
    const got = bed.receiver.at('/all');
    assert.deepEqual(got.map(({ event }) => event['event']).sort(), [
      'accepted',
      'accepted',
      'accepted',
      'accepted',
      'complained',
      'delivered',
      'delivered',
      'delivered',
      'failed',
      'opened',
    ]);
    assert.ok(got.every((one) => bed.isSigned(one)));
    assert.ok(got.every(({ signature: { token } }) => token.length === 50));
    assert.equal(new Set(got.map(({ signature: { token } }) => token)).size, got.length);
    assert.ok(got.every(({ headers }) => headers['content-type'] === 'application/json'));
    assert.match(String(got[0]!.headers['user-agent']), /^Galley\/\S+ \(webhooks\)$/);
    const { items } = (await bed.app.call(`GET /v3/${bed.sandbox}/events`)).body;
    for (const { event } of got) {
      const { storage: _ours, ...said } = event;
      const { storage: _listed, ...listed } = items.find(({ id }: any) => id === event['id']);
      assert.deepEqual(said, listed);
    }
    await bed.unhook();
  });

  it('of a domain and of the account at one URL comes once; of another account, never', async () => {
    const { headers } = bed.other;
    await bed.hook('delivered', '/shared');
    await bed.hook('delivered', '/strange', headers);
    const url = bed.receiver.url + '/shared';
    await bed.app.call(`POST /v3/domains/${bed.sandbox}/webhooks`, { body: { id: 'delivered', url } });
    await bed.send('delivered+a');
    await bed.send('delivered+b', { domain: bed.other.sandbox, headers });
    await until(
      () => bed.receiver.received,
      () => bed.receiver.at('/shared').length > 0 && bed.receiver.at('/strange').length > 0,
    );
    await bed.send('delivered+c');
    await until(
      () => bed.receiver.at('/shared'),
      ({ length }) => length >= 2,
    );
    const recipients = (path: string): string[] => bed.receiver.at(path).map(({ event }) => event['recipient']);
    assert.deepEqual(recipients('/shared'), [`delivered+a@${bed.sandbox}`, `delivered+c@${bed.sandbox}`]);
    assert.deepEqual(recipients('/strange'), [`delivered+b@${bed.other.sandbox}`]);
    assert.ok(!bed.isSigned(bed.receiver.at('/strange')[0]!));
    const { body } = await bed.app.call('GET /v5/accounts/http_signing_key', { headers });
    assert.ok(bed.isSigned(bed.receiver.at('/strange')[0]!, body.http_signing_key));
    assert.equal((await bed.app.call(`GET ${LOG}`, { headers })).body.items.length, 1);
    const [{ id }] = await bed.logged('/shared');
    assert.equal((await bed.app.call(`POST ${LOG}/${id}/replay`, { headers })).status, 404);
    await bed.unhook();
    await bed.unhook(headers);
    await bed.app.call(`DELETE /v3/domains/${bed.sandbox}/webhooks/delivered`);
  });

  it('is tried again after 5 minutes, with a new token and the same event', async () => {
    bed.receiver.answer('/late', 500);
    await bed.hook('delivered', '/late');
    await bed.send('delivered');
    const [first] = await until(
      () => bed.logged('/late'),
      ([one]) => one?.attempts.length === 1,
    );
    assert.deepEqual([first.state, first.attempts[0].code, first.attempts[0].answer], ['waiting', 500, 'answer 500']);
    assert.equal(first.attempts[0].message, 'The receiver answered 500.');
    const waits = Date.parse(first.next_attempt_at) - Date.parse(first.attempts[0].at);
    assert.ok(Math.abs(waits - 5 * MINUTE_MS) < 10_000, `${waits}`);
    bed.receiver.answer('/late', 200);
    bed.app.clock.advance(5 * MINUTE_MS);
    const [second] = await until(
      () => bed.logged('/late'),
      ([one]) => one.state === 'delivered',
    );
    assert.deepEqual(
      second.attempts.map(({ code }: any) => code),
      [500, 200],
    );
    const [one, two] = bed.receiver.at('/late');
    assert.equal(one!.event['id'], two!.event['id']);
    assert.notEqual(one!.signature.token, two!.signature.token);
    assert.ok(bed.isSigned(two!));
    assert.equal((await bed.urlState('/late')).state, 'active');
    await bed.unhook();
  });

  it('ends after seven attempts, at the times of the schedule', async () => {
    bed.receiver.answer('/never', 503);
    await bed.hook('delivered', '/never');
    await bed.send('delivered');
    for (const [place, minutes] of [5, 10, 15, 60, 120, 240].entries()) {
      const [one] = await until(
        () => bed.logged('/never'),
        ([found]) => found?.attempts.length === place + 1,
      );
      const waits = Date.parse(one.next_attempt_at) - Date.parse(one.attempts[place].at);
      assert.equal(Math.round(waits / MINUTE_MS), minutes);
      bed.app.clock.advance(minutes * MINUTE_MS);
    }
    const [ended] = await until(
      () => bed.logged('/never'),
      ([one]) => one.state === 'failed',
    );
    assert.equal(ended.attempts.length, 7);
    await bed.unhook();
  });

  it('is not tried again after 406', async () => {
    bed.receiver.answer('/unwanted', 406);
    await bed.hook('delivered', '/unwanted');
    await bed.send('delivered');
    const [one] = await until(
      () => bed.logged('/unwanted'),
      ([found]) => found?.state === 'rejected',
    );
    assert.equal(one.attempts.length, 1);
    assert.equal((await bed.urlState('/unwanted')).failures, 0);
    bed.app.clock.advance(24 * HOUR_MS);
    await bed.send('delivered');
    await until(
      () => bed.receiver.at('/unwanted'),
      ({ length }) => length === 2,
    );
    assert.equal(new Set(bed.receiver.at('/unwanted').map(({ event }) => event['id'])).size, 2);
    await bed.unhook();
  });

  it('is not sent any more to a URL that answers 410 three times, until it is enabled', async () => {
    bed.receiver.answer('/gone', 410);
    await bed.hook('delivered', '/gone');
    await bed.send(['delivered+1', 'delivered+2', 'delivered+3', 'delivered+4']);
    const state = await until(
      () => bed.urlState('/gone'),
      (one) => one?.state === 'disabled',
    );
    assert.equal(state.last_attempt.code, 410);
    const before = bed.receiver.at('/gone').length;
    await until(
      () => bed.logged('/gone'),
      (all) => all.every((one) => one.state === 'canceled'),
    );
    await bed.send('delivered+5');
    // It counts when the event happened, not when the message was taken.
    await until(
      () => bed.events('delivered', 'delivered+5'),
      ({ length }) => length === 1,
    );
    bed.receiver.answer('/gone', 200);
    const refused = await bed.app.call(`POST ${LOG}/${(await bed.logged('/gone'))[0].id}/replay`);
    assert.deepEqual([refused.status, refused.body.message], [409, 'The URL is disabled; enable it first.']);
    bed.app.clock.advance(10 * MINUTE_MS);
    const url = bed.receiver.url + '/gone';
    const enabled = await bed.app.call('POST /v1/galley/webhooks/urls/enable', { body: { url } });
    assert.equal(enabled.body.state, 'active');
    await bed.send('delivered+6');
    await until(
      () => bed.receiver.at('/gone'),
      ({ length }) => length > before,
    );
    assert.deepEqual(
      bed.receiver
        .at('/gone')
        .slice(before)
        .map(({ event }) => event['recipient']),
      [`delivered+6@${bed.sandbox}`],
    );
    await bed.unhook();
  });

  it('that is under way when its URL is disabled ends as it is answered, and is in the log so', async () => {
    let answerFirst = (): unknown => undefined;
    bed.receiver.answer('/slow', (response) => {
      if (bed.receiver.at('/slow').length > 1) return response.writeHead(410).end();
      answerFirst = () => response.writeHead(200).end();
    });
    await bed.hook('delivered', '/slow');
    await bed.send('delivered+slow');
    await until(
      () => bed.receiver.at('/slow'),
      ({ length }) => length === 1,
    );
    await bed.send(['delivered+1', 'delivered+2', 'delivered+3']);
    await until(
      () => bed.urlState('/slow'),
      (one) => one?.state === 'disabled',
    );
    answerFirst();
    const all = await until(
      () => bed.logged('/slow'),
      (found) => found.every(({ state }) => state !== 'waiting'),
    );
    // Newest first: the last is the one that was answered last, or that took too long on a busy machine.
    const { state, attempts } = all.at(-1);
    assert.deepEqual([state, attempts.length], [attempts[0].code === 200 ? 'delivered' : 'canceled', 1]);
    assert.deepEqual(
      all.slice(0, -1).map((one) => [one.state, one.attempts[0].code]),
      Array.from({ length: 3 }, () => ['canceled', 410]),
    );
    assert.equal((await bed.urlState('/slow')).state, 'disabled');
    await bed.unhook();
  });

  it('is not sent on by a redirect, wherever that leads', async () => {
    let asked = 0;
    const secret = createServer((_request, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((resolve) => secret.listen(0, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${(secret.address() as AddressInfo).port}/`;
    bed.receiver.answer('/moved', (response) => response.writeHead(307, { location }).end());
    await bed.hook('delivered', '/moved');
    await bed.send('delivered');
    const [one] = await until(
      () => bed.logged('/moved'),
      ([found]) => found?.attempts.length === 1,
    );
    assert.deepEqual(
      [one.state, one.attempts[0].code, one.attempts[0].message],
      ['waiting', 307, 'The URL redirects (307); redirects are not followed.'],
    );
    assert.equal(asked, 0);
    await bed.unhook();
    await new Promise((resolve) => secret.close(resolve));
  });

  it('waits for no dead, slow or talkative receiver of another account', async () => {
    const { headers } = bed.other;
    bed.receiver.answer('/hangs', () => undefined);
    bed.receiver.answer('/drips', (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 200);
      response.on('close', () => clearInterval(timer));
    });
    bed.receiver.answer('/talks', (response) => response.writeHead(200).end(Buffer.alloc(10_000_000, 'x')));
    for (const path of ['/hangs', '/drips', '/talks']) await bed.hook('delivered', path);
    await bed.hook('delivered', '/quick', headers);
    await bed.send(Array.from({ length: 20 }, (_, place) => `delivered+${place}`));
    await until(
      () => bed.receiver.at('/hangs'),
      ({ length }) => length > 0,
    );
    const began = performance.now();
    await bed.send('delivered', { domain: bed.other.sandbox, headers });
    await until(
      () => bed.receiver.at('/quick'),
      ({ length }) => length === 1,
    );
    const tookMs = performance.now() - began;
    // A receiver that hangs is waited for ten seconds.
    assert.ok(tookMs < 9000, `${tookMs} ms`);
    const [long] = await until(
      () => bed.logged('/talks'),
      ([one]) => one?.state === 'delivered',
    );
    assert.equal(long.attempts[0].answer.length, 500);
    const [slow] = await until(
      () => bed.logged('/drips'),
      ([one]) => one?.state === 'delivered',
    );
    assert.deepEqual([slow.attempts.length, slow.attempts[0].code], [1, 200]);
    const [dead] = await until(
      async () => (await bed.logged('/hangs')).filter(({ attempts }) => attempts.length),
      ([one]) => !!one,
    );
    assert.equal(dead.attempts[0].code, undefined);
    assert.match(dead.attempts[0].message, /no answer within 10/);
    await bed.unhook();
    await bed.unhook(headers);
  });
});
