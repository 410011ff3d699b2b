// Existing clients with figures: metrics, stats, tags, tracking and bounces by class, unmodified.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gatheredFigures } from '../harness/gathered-figures.ts';
import { requireTestPackage } from '../harness/test-packages.ts';
import { startSendingApp, type SendingApp } from './sending-clients.fixture.ts';

const Mailgun = requireTestPackage('mailgun.js');
const mailgunJs = requireTestPackage('mailgun-js');

let bed: SendingApp;
let sandbox: string;
let client: any;
let old: any;
/** It says which of its calls are old. */
const logger = { warn: () => undefined };
/** Of the messages: the day before them and the day after. */
let [start, end] = [new Date(), new Date()];

before(async () => {
  bed = await startSendingApp();
  ({ sandbox } = bed);
  const { app } = bed;
  client = new Mailgun(FormData).client({ username: 'api', key: app.key, url: app.url, logger });
  const { hostname: host, port } = new URL(app.url);
  old = mailgunJs({ apiKey: app.key, domain: sandbox, host, port, protocol: 'http:', endpoint: '/v3' });
  const now = app.clock.now().getTime();
  [start, end] = [new Date(now - 86_400_000), new Date(now + 86_400_000)];
  const letter = { from: `ann@${sandbox}`, subject: 'Garden notes', text: 'Hello' };
  const recipients = ['delivered', 'opened', 'bounced', 'bounced+550-5.7.26'].map((name) => `${name}@${sandbox}`);
  await client.messages.create(sandbox, { ...letter, to: recipients, 'o:tag': ['spring', 'roses'] });
  await client.messages.create(sandbox, { ...letter, to: `delivered@${sandbox}`, 'o:tag': 'autumn' });
  await bed.eventsOf({ event: 'opened' }, 1);
  await bed.eventsOf({ event: 'delivered' }, 3);
  await bed.eventsOf({ event: 'failed' }, 2);
  await gatheredFigures(app);
});
after(() => bed.app.close());

const COUNTS = { accepted_count: 5, delivered_count: 3, bounced_count: 2, opened_count: 1 };

describe('mailgun.js with figures', () => {
  it('reads metrics and what was used', async () => {
    const filter = { AND: [{ attribute: 'domain', comparator: '=', values: [{ label: sandbox, value: sandbox }] }] };
    const query = { start, end, resolution: 'day', filter, include_aggregates: true };
    const metrics = [...Object.keys(COUNTS), 'delivered_rate'];
    const read = await client.metrics.getAccount({ ...query, dimensions: ['domain'], metrics });
    assert.ok(read.start instanceof Date);
    assert.deepEqual(read.items, [
      {
        dimensions: [{ dimension: 'domain', value: sandbox, display_value: sandbox }],
        metrics: { ...COUNTS, delivered_rate: '0.6000' },
      },
    ]);
    assert.deepEqual(read.aggregates.metrics, { ...COUNTS, delivered_rate: '0.6000' });
    const used = await client.metrics.getAccountUsage({ start, end, metrics: ['processed_count'] });
    assert.equal(used.items[0].metrics.processed_count, 5);
  });

  it('reads stats of the domain and of the account', async () => {
    const event = ['accepted', 'delivered', 'failed'];
    for (const read of [
      await client.stats.getDomain(sandbox, { event, start, end }),
      await client.stats.getAccount({ event, start, end }),
    ]) {
      const sum = (pick: (stat: any) => number) => read.stats.reduce((all: number, stat: any) => all + pick(stat), 0);
      assert.ok(read.start instanceof Date && read.stats[0].time instanceof Date);
      assert.deepEqual(
        [
          sum((stat) => stat.accepted.total),
          sum((stat) => stat.delivered.total),
          sum((stat) => stat.failed.permanent.total),
        ],
        [5, 3, 2],
      );
    }
  });

  it('lists, describes and deletes tags', async () => {
    const { items } = await client.tags.list({ include_metrics: true, pagination: { sort: 'tag:asc', limit: 10 } });
    assert.deepEqual(
      items.map(({ tag, first_seen: first, metrics }: any) => [tag, first instanceof Date, metrics.accepted_count]),
      [
        ['autumn', true, 1],
        ['roses', true, 4],
        ['spring', true, 4],
      ],
    );
    assert.equal((await client.tags.limits()).count, 3);
    await client.tags.update('roses', 'Red ones');
    assert.equal((await client.tags.list({ tag: 'roses' })).items[0].description, 'Red ones');
    await client.tags.destroy('roses');
    assert.deepEqual((await client.tags.list({ tag: 'roses' })).items, []);
  });

  it('reads the tags of a domain the older way, by path', async () => {
    const { domainTags: tags } = client.domains;
    const { items } = await tags.list(sandbox, { limit: 10 });
    assert.deepEqual(
      items.map(({ tag, 'first-seen': first }: any) => [tag, first instanceof Date]),
      [
        ['autumn', true],
        ['spring', true],
      ],
    );
    await tags.update(sandbox, 'spring', 'Flowers');
    assert.equal((await tags.get(sandbox, 'spring')).description, 'Flowers');
    const statistic = await tags.statistic(sandbox, 'spring', { event: 'accepted', duration: '2d' });
    assert.equal(
      statistic.stats.reduce((sum: number, stat: any) => sum + stat.accepted.total, 0),
      4,
    );
    for (const name of ['countries', 'providers', 'devices'])
      assert.equal((await tags[name](sandbox, 'spring')).tag, 'spring', name);
  });

  it('reads and changes what is tracked', async () => {
    const { domainTracking: tracking } = client.domains;
    assert.equal(typeof (await tracking.getTracking(sandbox)).open.active, 'boolean');
    const changed = await tracking.updateTracking(sandbox, 'open', { active: true });
    assert.equal(changed.open.active, true);
    assert.equal((await tracking.getTracking(sandbox)).open.active, true);
  });

  it('reads bounces by class', async () => {
    const read = await client.bounceClassification.list({
      start,
      end,
      resolution: 'day',
      dimensions: ['category', 'criticality'],
      metrics: ['critical_bounce_count', 'non_critical_bounce_count', 'classified_failures_count'],
      filter: { AND: [{ attribute: 'domain.name', comparator: '=', values: [{ label: sandbox, value: sandbox }] }] },
      pagination: { sort: 'category:asc', skip: 0, limit: 10 },
    });
    assert.ok(read.start instanceof Date);
    assert.deepEqual(
      read.items.map(({ category, criticality, metrics }: any) => [
        category,
        criticality,
        metrics.critical_bounce_count,
        metrics.non_critical_bounce_count,
      ]),
      [
        ['authentication', 'critical', 1, 0],
        ['invalid-recipient', 'non-critical', 0, 1],
      ],
    );
  });
});

describe('mailgun-js 0.22 with figures', () => {
  const days = { duration: '2d' };

  it('reads stats by path', async () => {
    const { stats } = await old.get(`/${sandbox}/stats/total`, { event: ['accepted', 'delivered'], ...days });
    const sum = (pick: (stat: any) => number) => stats.reduce((all: number, stat: any) => all + pick(stat), 0);
    assert.deepEqual([sum((stat) => stat.accepted.total), sum((stat) => stat.delivered.total)], [5, 3]);
  });

  it('lists tags, reads one and its stats, and deletes it', async () => {
    const { items } = await old.tags().list();
    assert.deepEqual(
      items.map(({ tag }: any) => tag),
      ['autumn', 'spring'],
    );
    assert.equal((await old.tags('autumn').info()).tag, 'autumn');
    const { stats } = await old
      .tags('autumn')
      .stats()
      .info({ event: ['accepted'], ...days });
    assert.equal(
      stats.reduce((all: number, stat: any) => all + stat.accepted.total, 0),
      1,
    );
    for (const name of ['countries', 'providers', 'devices'])
      assert.ok((await old.get(`/${sandbox}/tags/autumn/stats/aggregates/${name}`)).tag, name);
    assert.equal((await old.tags('autumn').delete()).message, 'Tag deleted');
    assert.deepEqual(
      (await old.tags().list()).items.map(({ tag }: any) => tag),
      ['spring'],
    );
  });

  it('reads and changes what is tracked', async () => {
    await old.domains(sandbox).tracking().open().update({ active: 'yes' });
    assert.equal((await old.domains(sandbox).tracking().info()).tracking.open.active, true);
  });
});
