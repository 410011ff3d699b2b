// Recipients of one call in different time zones: each gets the mail at that hour where they are, and not before.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMime } from '../../../engines/mime/index.ts';
import { DOMAIN, liveBed } from './live.fixture.ts';

const bed = liveBed();
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Lets the clock of the service come to a moment, and what is due then be delivered. */
async function cameTo(moment: Date): Promise<void> {
  bed.app.clock.advance(moment.getTime() - bed.app.clock.now().getTime());
  await bed.eventsOf('nobody@example.net');
}

/** Who has mail. */
const served = (): string[] => bed.server.messages.flatMap(({ to }) => to).sort();

describe('o:time-zone-localize', () => {
  it('brings each recipient the mail at their hour', async () => {
    // Noon in UTC of the next day but one: 21:00 in Tokyo and 05:00 in Phoenix, which set no clocks.
    const noon = new Date((Math.floor(bed.app.clock.now().getTime() / DAY_MS) + 2) * DAY_MS + 12 * HOUR_MS);
    const [phoenix, utc, tokyo] = ['phoenix@example.net', 'utc@example.net', 'tokyo@example.net'];
    await bed.send({
      to: [tokyo, utc, phoenix],
      text: 'Good morning, %recipient.name%',
      'o:deliverytime': noon.toUTCString(),
      'o:time-zone-localize': '09:00AM',
      'recipient-variables': JSON.stringify({
        [tokyo]: { name: 'Aiko', time_zone: 'Asia/Tokyo' },
        [phoenix]: { name: 'Joe', timezone: 'America/Phoenix' },
        [utc]: { name: 'Ann' },
      }),
    });
    const dueAt = { [phoenix]: 4, [tokyo]: 12, [utc]: 21 };
    await cameTo(noon);
    assert.deepEqual(served(), []);
    const due = Object.entries(dueAt);
    for (const [place, [recipient, hours]] of due.entries()) {
      const before = due.slice(0, place).map(([name]) => name);
      // A busy machine may take minutes for what follows.
      await cameTo(new Date(noon.getTime() + hours * HOUR_MS - HOUR_MS / 2));
      assert.deepEqual(served(), before.sort(), `before the hour of ${recipient}`);
      await cameTo(new Date(noon.getTime() + hours * HOUR_MS + 1000));
      assert.deepEqual(served(), [...before, recipient].sort(), `at the hour of ${recipient}`);
    }
    const { text = '' } = await parseMime(Buffer.from(bed.taken(tokyo)[0]!.raw, 'latin1'));
    assert.equal(text.trim(), 'Good morning, Aiko');
    for (const [recipient, hours] of due) {
      const [from, to] = [0, HOUR_MS / 4].map((ms) => (noon.getTime() + hours * HOUR_MS + ms) / 1000);
      const begin = String(Math.floor(noon.getTime() / 1000));
      const query = new URLSearchParams({ begin, ascending: 'yes', event: 'delivered', recipient });
      const [delivered, ...more] = (await bed.app.call(`GET /v3/${DOMAIN}/events?${query}`)).body.items;
      assert.deepEqual(more, []);
      assert.ok(delivered.timestamp >= from! && delivered.timestamp < to!, `${recipient} at ${delivered.timestamp}`);
    }
  });

  it('brings each member of a mailing list the mail at their hour, by what the list keeps of them', async () => {
    const list = `all@${DOMAIN}`;
    const members = {
      'berlin@example.net': { country: 'de' },
      'madrid@example.net': { country: 'ES' },
      'nowhere@example.net': { time_zone: 'Mars/Olympus' },
      'osaka@example.net': { time_zone: 'Asia/Tokyo', country: 'DE' },
    };
    assert.equal((await bed.app.call('POST /v3/lists', { body: { address: list } })).status, 201);
    for (const [address, vars] of Object.entries(members)) {
      const body = { address, vars: JSON.stringify(vars) };
      assert.equal((await bed.app.call(`POST /v3/lists/${list}/members`, { body })).status, 200);
    }
    // Eight in the evening in UTC, so that nobody's nine in the morning has passed on the way to the list.
    const evening = new Date((Math.floor(bed.app.clock.now().getTime() / DAY_MS) + 1) * DAY_MS + 20 * HOUR_MS);
    await cameTo(evening);
    const before = bed.server.messages.length;
    await bed.send({ to: list, text: 'Good morning', 'o:time-zone-localize': '09:00' });
    await bed.eventsOf(list);
    await bed.app.idle();
    const servedNow = (): string[] =>
      bed.server.messages
        .slice(before)
        .flatMap(({ to }) => to)
        .sort();
    const hourIn = (zone: string): number =>
      Number(new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(evening));
    const steps = [
      [24 - hourIn('Asia/Tokyo') + 9, ['osaka@example.net']],
      [24 - hourIn('Europe/Berlin') + 9, ['berlin@example.net']],
      // Spain has two clocks, and on Mars nobody knows.
      [13, ['madrid@example.net', 'nowhere@example.net']],
    ] as const;
    const served: string[] = [];
    for (const [hours, due] of steps) {
      const hour = hours % 24;
      await cameTo(new Date(evening.getTime() + hour * HOUR_MS - HOUR_MS / 2));
      assert.deepEqual(servedNow(), served.toSorted(), `before the hour of ${due.join()}`);
      await cameTo(new Date(evening.getTime() + hour * HOUR_MS + 60_000));
      served.push(...due);
      assert.deepEqual(servedNow(), served.toSorted(), `at the hour of ${due.join()}`);
    }
  });
});
