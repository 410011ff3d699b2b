// An existing client of this API, unmodified: what it sends is understood, and what it reads is there.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../harness/start-app.ts';
import { requireTestPackage } from '../harness/test-packages.ts';
import { until } from './sending-clients.fixture.ts';

const Mailgun = requireTestPackage('mailgun.js');

const WEBMAIL = 'webmail.local-receiver.example';
const LETTER =
  '<h1>Hello %recipient.first_name%</h1><p>The tomatoes are out of the greenhouse at last, and the roses by the ' +
  'south wall are in flower.</p>';

let app: App;
let client: any;
let sandbox: string;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,mail,send', GALLEY_SMTP_DOMAIN: 'galley.test' });
  client = new Mailgun(FormData).client({ username: 'api', key: app.key, url: app.url });
  [{ name: sandbox }] = await client.domains.list();
});
after(() => app.close());

const isRefused = (status: number, words: RegExp) => (error: { status: number; details: string }) =>
  error.status === status && words.test(error.details);

describe('mailgun.js with sending domains', () => {
  it('adds one, reads the records to publish, has them looked up, and deletes it', async () => {
    const made = await client.domains.create({ name: 'letters.example.com' });
    assert.deepEqual([made.name, made.state, made.type], ['letters.example.com', 'unverified', 'custom']);
    const read = await client.domains.get('letters.example.com');
    assert.deepEqual(
      read.sending_dns_records.map(({ record_type: type, purpose }: any) => `${type} ${purpose}`),
      ['TXT spf', 'TXT dkim', 'TXT dmarc'],
    );
    assert.equal((await client.domains.verify('letters.example.com')).state, 'unverified');
    const renamed = await client.domains.updateWebPrefix('letters.example.com', { webPrefix: 'links' });
    assert.deepEqual([renamed.status, renamed.body.web_prefix], [200, 'links']);
    assert.deepEqual(
      (await client.domains.list()).map(({ name }: any) => name).sort(),
      ['letters.example.com', sandbox].sort(),
    );
    assert.equal((await client.domains.destroy('letters.example.com')).message, 'Domain has been deleted');
    await assert.rejects(client.domains.get('letters.example.com'), { status: 404 });
  });
});

describe('mailgun.js with messages', () => {
  it('sends, follows the events page by page, reads the stored message and sends it again', async () => {
    const to = Array.from({ length: 300 }, (_, place) => `Reader ${place} <delivered+${place}@${sandbox}>`);
    const sent = await client.messages.create(sandbox, {
      from: `Ann <ann@${sandbox}>`,
      to,
      subject: 'Garden notes',
      text: 'Hello %recipient.name%',
      html: LETTER,
      'o:tag': ['spring', 'roses'],
      'o:tracking': 'yes',
      'v:season': 'May',
      'h:Reply-To': `answers@${sandbox}`,
      'recipient-variables': JSON.stringify({ [`delivered+1@${sandbox}`]: { name: 'One' } }),
      attachment: { data: Buffer.from('a,b'), filename: 'list.csv' },
    });
    assert.deepEqual([sent.status, sent.message], [200, 'Queued. Thank you.']);
    const query = { event: 'delivered', tags: 'spring AND roses', limit: 100 };
    await until(app, async () => (await client.events.get(sandbox, { ...query, limit: 300 })).items, 300);
    const found = new Set<string>();
    let page = await client.events.get(sandbox, query);
    for (; page.items.length > 0; page = await client.events.get(sandbox, { page: page.pages.next.page }))
      for (const { recipient } of page.items) found.add(recipient);
    assert.equal(found.size, 300);
    const [{ storage }] = (await client.events.get(sandbox, query)).items;
    const stored = await client.messages.retrieveStoredEmail(sandbox, storage.key);
    assert.deepEqual(
      [stored.subject, stored['body-plain'], stored.attachments[0].name],
      ['Garden notes', 'Hello %recipient.name%', 'list.csv'],
    );
    const again = await client.messages.resendEmail(sandbox, storage.key, `opened@${sandbox}`);
    assert.deepEqual([again.status, again.message], [200, 'Queued. Thank you.']);
    const queues = await client.messages.getMessagesQueueStatus(sandbox);
    assert.deepEqual([queues.regular.is_disabled, queues.scheduled.is_disabled], [false, false]);
  });

  it('sends a whole message, and finds it in the logs', async () => {
    const message = `From: ann@${sandbox}\r\nTo: All\r\nSubject: Whole\r\n\r\nHello\r\n`;
    const to = `bounced+550-5.1.1@${sandbox}`;
    assert.equal((await client.messages.create(sandbox, { to: [to], message })).status, 200);
    const list = () =>
      client.logs.list({
        start: new Date(app.clock.now().getTime() - 3_600_000),
        end: app.clock.now(),
        events: ['failed'],
        filter: { AND: [{ attribute: 'domain', comparator: '=', values: [{ label: sandbox, value: sandbox }] }] },
        include_totals: true,
        pagination: { sort: 'timestamp:asc', limit: 10 },
      });
    await until(app, async () => (await list()).items, 1);
    const logs = await list();
    const [item] = logs.items;
    assert.deepEqual(
      [item.recipient, item.severity, item.reason, item.message.headers.subject],
      [to, 'permanent', 'bounce', 'Whole'],
    );
    assert.equal(logs.pagination.total, 1);
  });

  it('hands the words of a refusal on', async () => {
    const letter = { from: `ann@${sandbox}`, to: 'nobody', subject: 'x', text: 'x' };
    await assert.rejects(client.messages.create(sandbox, letter), isRefused(400, /"nobody" is none/));
  });
});

describe('mailgun.js with webhooks', () => {
  const URLS = ['https://shop.example.com/events', 'https://shop.example.com/more'];

  it('adds, reads, changes and deletes those of a domain', async () => {
    const made = await client.webhooks.create(sandbox, 'delivered', URLS[0]);
    assert.deepEqual([made.id, made.urls], ['delivered', [URLS[0]]]);
    const changed = await client.webhooks.update(sandbox, 'delivered', URLS);
    assert.deepEqual([changed.id, changed.urls], ['delivered', URLS]);
    assert.deepEqual((await client.webhooks.get(sandbox, 'delivered')).urls, URLS);
    assert.deepEqual((await client.webhooks.list(sandbox)).delivered, { urls: URLS });
    assert.equal((await client.webhooks.destroy(sandbox, 'delivered')).id, 'delivered');
    await assert.rejects(client.webhooks.get(sandbox, 'delivered'), { status: 404 });
    await assert.rejects(client.webhooks.create(sandbox, 'sneezed', URLS[0]), { status: 400 });
  });
});

describe('mailgun.js with suppressions', () => {
  it('adds, reads, pages through and deletes those of each list', async () => {
    const { suppressions } = client;
    for (const [list, entry, shown] of [
      ['bounces', { code: 550, error: 'No such user' }, ['code', 550]],
      ['unsubscribes', { tags: ['news'] }, ['tags', ['news']]],
      ['complaints', {}, ['type', 'complaints']],
    ] as const) {
      const addresses = Array.from({ length: 5 }, (_, number) => `r${number}@${list}.example`);
      const given = addresses.map((address) => ({ address, ...entry }));
      const made = await suppressions.create(sandbox, list, given);
      assert.deepEqual([made.status, made.message.startsWith('5 ')], [200, true]);
      const one = await suppressions.get(sandbox, list, addresses[0]);
      assert.deepEqual([one.address, one.type, one[shown[0]]], [addresses[0], list, shown[1]]);
      assert.ok(one.created_at instanceof Date);
      const found: string[] = [];
      let page = await suppressions.list(sandbox, list, { limit: 2 });
      for (
        ;
        page.items.length > 0;
        page = await suppressions.list(sandbox, list, { limit: 2, page: page.pages.next.page })
      )
        found.push(...page.items.map(({ address }: any) => address));
      // What bounced before stands there, too.
      assert.deepEqual(found.filter((address) => address.endsWith(`@${list}.example`)).sort(), addresses);
      assert.equal((await suppressions.destroy(sandbox, list, addresses[0])).address, addresses[0]);
      await assert.rejects(suppressions.get(sandbox, list, addresses[0]), { status: 404 });
      assert.equal((await suppressions.destroyAll(sandbox, list)).status, 200);
      assert.deepEqual((await suppressions.list(sandbox, list)).items, []);
    }
  });

  it('allows a domain, and takes a file of addresses', async () => {
    const { suppressions } = client;
    const made = await suppressions.create(sandbox, 'whitelists', { domain: 'allowed.example' });
    assert.equal(made.status, 200);
    const [entry] = (await suppressions.list(sandbox, 'whitelists')).items;
    assert.deepEqual([entry.value, entry.type], ['allowed.example', 'whitelists']);
    const file = { data: Buffer.from('address\nfile@example.net\n'), filename: 'unsubscribes.csv' };
    assert.match((await suppressions.upload(sandbox, 'unsubscribes', file)).message, /file uploaded/i);
    await until(app, async () => (await suppressions.list(sandbox, 'unsubscribes')).items, 1);
  });
});

describe('mailgun.js with credentials', () => {
  it('adds, lists, changes and deletes them', async () => {
    const { domainCredentials } = client.domains;
    const made = await domainCredentials.create(sandbox, { login: `robot@${sandbox}`, password: 'a-long-password-17' });
    assert.equal(made.status, 200);
    const { items, totalCount } = await domainCredentials.list(sandbox);
    assert.deepEqual([items.map(({ login }: any) => login), totalCount], [[`robot@${sandbox}`], 1]);
    const changed = await domainCredentials.update(sandbox, `robot@${sandbox}`, { password: 'another-long-password' });
    assert.equal(changed.status, 200);
    assert.equal((await domainCredentials.destroy(sandbox, `robot@${sandbox}`)).spec, `robot@${sandbox}`);
    assert.equal((await domainCredentials.list(sandbox)).totalCount, 0);
  });
});

describe('mailgun.js with seed lists', () => {
  it('lists the providers', async () => {
    const { items } = await client.inboxPlacements.providers.list();
    const webmail = items.find(({ domain }: any) => domain === WEBMAIL);
    assert.equal(webmail.display_name, 'Simulated consumer webmail with tabs');
    assert.ok(webmail.created_at instanceof Date && webmail.updated_at instanceof Date);
  });

  it('makes, reads, renames, lists and deletes them', async () => {
    const { seedsLists } = client.inboxPlacements;
    const made = await seedsLists.create({ name: 'Weekly', sending_domains: sandbox, provider_filter: WEBMAIL });
    assert.deepEqual(
      [made.status, made.name, made.sending_domains, made.provider_filter],
      [200, 'Weekly', [sandbox], [WEBMAIL]],
    );
    assert.equal(made.mailing_list.split(',')[0], made.target_email);
    assert.equal(
      (await seedsLists.update(made.target_email, { name: 'Weekly letter', shuffle: true })).name,
      'Weekly letter',
    );
    const read = await seedsLists.get(made.target_email);
    assert.deepEqual([read.name, read.kid, read.has_results], ['Weekly letter', made.kid, false]);
    await seedsLists.create({ name: 'Monthly', provider_filter: WEBMAIL });
    const listed = await seedsLists.list({
      name: 'Weekly letter',
      time_after: '2020-01-01T00:00:00Z',
      sort: 'created_at',
      ascending: true,
      limit: 1,
    });
    assert.deepEqual(
      listed.items.map(({ kid }: any) => kid),
      [made.kid],
    );
    const [first, second] = await Promise.all([
      seedsLists.list({ limit: 1 }),
      seedsLists.list({ limit: 1, offset: 1 }),
    ]);
    assert.notEqual(first.items[0].kid, second.items[0].kid);
    assert.equal((await seedsLists.destroy(made.target_email)).status, 200);
    await assert.rejects(seedsLists.get(made.target_email), isRefused(404, /No seed list has the/));
  });

  it('reads what lists and results can be filtered by, and the values of their attributes', async () => {
    const { seedsLists, results } = client.inboxPlacements;
    assert.deepEqual(
      (await seedsLists.filters.list()).supported_filters.filters.map(({ parameter }: any) => parameter),
      ['name', 'time_before', 'time_after'],
    );
    assert.ok(
      (await results.filters.list()).supported_filters.filters.some(({ parameter }: any) => parameter === 'subject'),
    );
    assert.deepEqual((await seedsLists.attributes.list()).items, {
      attribute: 'available attributes',
      values: ['name'],
    });
    assert.equal((await results.attributes.get('sender')).items.attribute, 'sender');
  });
});

describe('mailgun.js with inbox placement', () => {
  it('tests a message, reads where it landed, shares the result and deletes it', async () => {
    const { results, runTest } = client.inboxPlacements;
    const from = `news@${sandbox}`;
    const started = await runTest.call(client.inboxPlacements, {
      from,
      subject: 'Garden notes',
      html: LETTER,
      provider_filter: [WEBMAIL],
      variables: { month: 'May' },
    });
    assert.deepEqual(
      [started.status, started.links.results],
      [200, `${app.url}/v4/inbox/results/${started.result_id}`],
    );
    await app.idle();
    const { inboxPlacementResult: result } = await results.get(started.result_id);
    assert.deepEqual([result.status, result.sender, result.subject], ['complete', from, 'Garden notes']);
    const { delivered, inbox, spam, missing, pending, total } = result.delivery_stats.all;
    assert.deepEqual(
      { delivered, inbox, spam, missing, pending, total },
      { delivered: 5, inbox: 5, spam: 0, missing: 0, pending: 0, total: 5 },
    );
    const [seed] = result.seed_results;
    assert.deepEqual(
      [seed.provider, seed.destination, seed.spf, seed.dkim, seed.dmarc, seed.extensions.category],
      [WEBMAIL, 'inbox', 'pass', 'pass', 'pass', 'primary'],
    );
    assert.ok(seed.headers.some(({ key, value }: any) => key === 'Subject' && value === 'Garden notes'));
    const { items } = await results.list({ sender: from, provider: WEBMAIL, limit: 10 });
    assert.deepEqual(
      items.map(({ result_id: id }: any) => id),
      [started.result_id],
    );

    const shared = await results.sharing.update(started.result_id, { enabled: true });
    assert.ok(shared.enabled && shared.expires_at instanceof Date && shared.expires_at > new Date());
    assert.equal((await results.sharing.get(started.result_id)).url_id, shared.url_id);
    assert.equal((await results.getResultByShareId(shared.url_id)).inboxPlacementResult.subject, 'Garden notes');
    assert.equal((await results.destroy(started.result_id)).status, 200);
    await assert.rejects(results.get(started.result_id), { status: 404 });
  });

  it('hands the words of a refusal on', async () => {
    await assert.rejects(
      client.inboxPlacements.runTest({ from: 'a@elsewhere.example', subject: 'x', html: 'x' }),
      isRefused(400, /elsewhere\.example, which is not a verified sending domain/),
    );
  });
});
