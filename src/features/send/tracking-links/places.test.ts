// Where readers are, by a file of the operator's: countries, regions and cities in events, and `Unknown` elsewhere.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gatheredFigures } from '../../../../test/harness/gathered-figures.ts';
import { placesFile } from '../../../../test/harness/places-file.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { sealLink } from '../../../engines/tracking/index.ts';
import { openPlaces } from '../../../platform/places/index.ts';
import { deliverySecret } from '../messages/index.ts';

const DOMAIN = 'news.example.com';
let folder: string;
let app: App;
let pixel: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-places-'));
  const austin = {
    country: { iso_code: 'US' },
    subdivisions: [{ iso_code: 'TX', names: { en: 'Texas' } }],
    city: { names: { en: 'Austin' } },
  };
  const ranges = { '192.0.2.0/25': { country: { iso_code: 'DE' } }, '198.51.100.0/24': austin };
  await writeFile(join(folder, 'places.mmdb'), placesFile(ranges, new Date('2026-11-01T00:00:00Z')));
  app = await startApp({
    GALLEY_ROLES: 'api,work,send',
    GALLEY_PUBLIC_URL: 'https://mail.example.com',
    GALLEY_TRUSTED_PROXIES: '127.0.0.1',
    GALLEY_GEO_FILE: join(folder, 'places.mmdb'),
  });
  const { domain } = (await app.call('POST /v4/domains', { body: { name: DOMAIN } })).body;
  const letter = { from: `ann@${DOMAIN}`, to: 'bob@example.net', subject: 'Hello', text: 'Hello' };
  assert.equal((await app.call(`POST /v3/${DOMAIN}/messages`, { body: letter })).status, 200);
  const { outside } = app.galley;
  const { rows } = await outside.db.text('select id::text from sent_messages');
  const [{ id: messageId }] = rows as [{ id: string }];
  const place = { domainId: domain.id, messageId, position: 0, link: 0, url: '' };
  pixel = `/o/${sealLink(place, deliverySecret(outside, 'open'))}`;
});
after(async () => {
  await app?.close();
  await rm(folder, { recursive: true, force: true });
});

async function opened(count: number): Promise<any[]> {
  for (const end = Date.now() + 90_000; ;) {
    app.clock.advance(1000);
    const begin = Math.floor(app.clock.now().getTime() / 1000) - 80_000;
    const { items } = (await app.call(`GET /v3/${DOMAIN}/events?event=opened&ascending=yes&begin=${begin}`)).body;
    if (items.length >= count || Date.now() > end) return items;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('the place of a reader', () => {
  it('is what the file says of the address, and Unknown where it says nothing', async () => {
    const from = ['192.0.2.7', '192.0.2.200', '198.51.100.1', '2001:db8::1', '203.0.113.9'];
    for (const address of from)
      await fetch(app.url + pixel, { headers: { 'x-forwarded-for': address, 'user-agent': 'Firefox/132' } });
    const events = await opened(from.length);
    const unknown = { country: 'Unknown', region: 'Unknown', city: 'Unknown' };
    assert.deepEqual(Object.fromEntries(events.map(({ ip, geolocation }) => [ip, geolocation])), {
      '192.0.2.7': { ...unknown, country: 'DE' },
      '192.0.2.200': unknown,
      '198.51.100.1': { country: 'US', region: 'Texas', city: 'Austin' },
      '2001:db8::1': unknown,
      '203.0.113.9': unknown,
    });
  });

  it('finds events in the logs and is counted by the metrics', async () => {
    const [start, end] = [-86_400_000, 60_000].map((ms) => new Date(app.clock.now().getTime() + ms).toUTCString());
    const condition = { attribute: 'country', comparator: '=', values: [{ label: 'de', value: 'de' }] };
    const logs = await app.call('POST /v1/analytics/logs', {
      body: { start, end, filter: { AND: [condition] }, events: ['opened'], pagination: { limit: 10 } },
    });
    assert.deepEqual(
      logs.body.items.map(({ ip }: any) => ip),
      ['192.0.2.7'],
    );
    await gatheredFigures(app);
    const metrics = await app.call('POST /v1/analytics/metrics', {
      body: { start, end, resolution: 'day', dimensions: ['country'], metrics: ['opened_count'] },
    });
    const counted = metrics.body.items.map(({ dimensions: [{ value }], metrics: { opened_count } }: any) => [
      value,
      opened_count,
    ]);
    assert.deepEqual(Object.fromEntries(counted.filter(([, count]: any) => count > 0)), { DE: 1, US: 1, Unknown: 3 });
  });

  it('is Unknown where the record of an address is broken, and the event is written', async () => {
    const file = await readFile(join(folder, 'places.mmdb'));
    // The first byte of a record says what it is: here nothing that there is.
    const record = file.indexOf(Buffer.from([0xe1, 0x47]));
    assert.ok(record > 0);
    file[record] = 0x1c;
    file[record + 1] = 0xff;
    await writeFile(join(folder, 'broken.mmdb'), file);
    const told: string[] = [];
    const places = await openPlaces(join(folder, 'broken.mmdb'), (message) => told.push(message));
    assert.equal(places.placeOf('192.0.2.7')?.country, undefined);
    assert.equal(places.placeOf('192.0.2.8')?.country, undefined);
    assert.ok(told.length <= 1);
    assert.equal(places.placeOf('198.51.100.1')?.city, 'Austin');
    assert.equal(places.asOf.toISOString(), '2026-11-01T00:00:00.000Z');
  });

  it('is not guessed: a file that is none stops the start, and says why', async () => {
    await writeFile(join(folder, 'none.mmdb'), 'no places');
    for (const name of ['none.mmdb', 'missing.mmdb'])
      await assert.rejects(
        startApp({ GALLEY_ROLES: 'api', GALLEY_GEO_FILE: join(folder, name) }),
        /GALLEY_GEO_FILE ".*(none|missing)\.mmdb" cannot be read as a file of places \(\.mmdb\): /,
      );
  });
});
