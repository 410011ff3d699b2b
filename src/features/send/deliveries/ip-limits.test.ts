// A limit of an address holds back what would leave from it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { liveBed } from './live.fixture.ts';

const IP = '127.0.0.2';
const HOUR_MS = 3_600_000;
const bed = liveBed({ settings: { GALLEY_SENDING_IPS: `${IP}=mail.example.com` } });

describe('a limit of an address', () => {
  it('lets so many leave from it in an hour', async () => {
    const now = bed.app.clock.now().getTime();
    bed.app.clock.advance((Math.floor(now / HOUR_MS) + 1) * HOUR_MS + HOUR_MS / 6 - now);
    const { status, body } = await bed.app.call('PUT /v1/galley/sending_limits', {
      body: { scope: 'ip', name: IP, period: 'hour', max: 3 },
    });
    assert.equal(status, 200, JSON.stringify(body));
    await bed.send({ to: Array.from({ length: 5 }, (_, place) => `reader${place}@example.net`) });
    await bed.eventsOf('nobody@example.net');
    assert.equal(bed.server.messages.length, 3);
    const { items } = (await bed.app.call('GET /v1/galley/queue/deliveries')).body;
    assert.equal(items.length, 2);
    assert.match(
      items[0].reason,
      /^The limit of 3 messages an hour from 127\.0\.0\.2 is used up; the next may leave at /,
    );
  });
});
