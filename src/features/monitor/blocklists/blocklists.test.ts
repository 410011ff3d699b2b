// Blocklists over HTTP, against a name server with a hundred lists: nothing is told that is not so, and nothing missed.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { createDns, DnsError, type Dns } from '../../../platform/dns/index.ts';
import { startWorld, WORLD, type WorldList } from './world.fixture.ts';

const SECOND_LOOK_MS = 6 * 60_000;
const IPS = Array.from({ length: 40 }, (_, place) => `192.0.2.${place + 1}`);
const IPV6S = ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::3'];
const DOMAINS = ['example.com', 'example.net', 'mail.example.org'];
const ENTITY = 'news@example.com';

/** What the lists hold: by the numbers in the names, so that the truth is known without them. */
const state = { isOver: false, looks: 0 };
const reversedOf = (ip: string): string => ip.split('.').reverse().join('.');
const placeOf = ({ zone }: WorldList): number => Number(zone.slice(1, 4));
const holds = (list: WorldList, asset: number): boolean => (placeOf(list) * 7 + asset * 3) % 23 === 0;

function isOn(list: WorldList, name: string): boolean {
  if (state.isOver) return false;
  const ip = IPS.findIndex((one) => reversedOf(one) === name);
  if (ip >= 0) return holds(list, ip);
  if (/^1(\.0)+\.8\.b\.d\.0\.1\.0\.0\.2$/.test(name)) return holds(list, 100);
  if (name === 'example.com') return holds(list, 207);
  if (name === 'example.org') return holds(list, 202);
  return name === createHash('sha1').update(ENTITY).digest('hex') && holds(list, 221);
}

const works = ({ manner }: WorldList): boolean => manner === 'good' || manner === 'slow';
const truth = (kind: 'ip4' | 'ip6' | 'domain', asset: number): string[] =>
  WORLD.filter((list) => works(list) && list.kinds.includes(kind) && holds(list, asset)).map(({ zone }) => zone);

let app: App;
let world: Awaited<ReturnType<typeof startWorld>>;
let other: { headers: Record<string, string> };

before(async () => {
  world = await startWorld(isOn, () => state.looks % 2 === 0);
  app = await startApp(
    { GALLEY_ROLES: 'api,work', GALLEY_BLOCKLISTS: world.path },
    { dns: patientDns(world.dns.address) },
  );
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=Other');
  other = { headers: { 'x-service-account-id': body.subaccount.id } };
});
after(async () => {
  await app.close();
  await world.close();
});

/** Lists that work and lose the first question about their test and about every third address: never eight in a row. */
const isLost = (name: string): boolean =>
  /\.l0[1-5]0\.lists\.test$/.test(name) && (name.startsWith('2.0.0.127.') || Number.parseInt(name, 10) % 3 === 0);

/**
 * Waits long for whatever is answered in the end, however busy the machine is, and shortly for what never is: silent
 * lists.
 */
function patientDns(address: string): Dns {
  const patient = createDns({ servers: [address], timeoutMs: 60_000, tries: 1 });
  const hasty = createDns({ servers: [address], timeoutMs: 200, tries: 1 });
  const forgot = new Set<string>();
  return {
    ...patient,
    resolve(name, type) {
      if (WORLD.some(({ zone, manner }) => manner === 'silent' && name.endsWith(zone)))
        return hasty.resolve(name, type);
      if (isLost(name) && !forgot.has(name)) {
        forgot.add(name);
        return Promise.reject(new DnsError('ETIMEOUT', { name, type }));
      }
      return patient.resolve(name, type);
    },
  };
}

/** Some minutes later, all is asked again. */
async function lookAgain(ms = SECOND_LOOK_MS): Promise<void> {
  app.clock.advance(ms);
  state.looks += 1;
  await app.call('POST /v1/galley/blocklists/check');
  await app.call('POST /v1/galley/blocklists/check', other);
  await app.idle();
}

/** Every event of the account, `listed 192.0.2.1 l000.lists.test`, page by page. */
async function events(path: string, of: 'items' | 'events', call = {}): Promise<string[]> {
  const found: string[] = [];
  for (let at = `${path}${path.includes('?') ? '&' : '?'}limit=50`; ;) {
    const { status, body } = await app.call(`GET ${at}`, call);
    assert.equal(status, 200, JSON.stringify(body));
    if (body[of].length === 0) return found.toSorted();
    for (const one of body[of]) found.push(`${one.event} ${one.ip ?? one.domain} ${one.blocklist ?? one.list}`);
    at = body.paging.next;
  }
}

async function addDomains(): Promise<void> {
  for (const domain of DOMAINS) {
    await app.call(`POST /v1/optimize/domains?domain=${domain}`);
    const { rows } = await app.galley.outside.db.text('select account_id from monitored_domains limit 1');
    const { account_id: account } = rows[0] as { account_id: string };
    const now = app.clock.now();
    await app.galley.outside.db
      .of(account)
      .insert('blocklistTargets', {
        id: `target-${domain}`,
        kind: 'domain',
        name: domain,
        createdAt: now,
        checkedAt: null,
        dueAt: now,
        nextAt: now,
        result: {},
      })
      .execute();
  }
}

const allIps = (event: string): string[] =>
  [
    ...IPS.flatMap((ip, asset) => truth('ip4', asset).map((zone) => `${event} ${ip} ${zone}`)),
    ...truth('ip6', 100).map((zone) => `${event} 2001:db8::1 ${zone}`),
  ].toSorted();

describe('a sweep', () => {
  it('tells nothing after one look', async () => {
    for (const ip of [...IPS, ...IPV6S])
      assert.equal((await app.call('POST /v1/optimize/ip_addresses', { body: { ip } })).status, 201);
    await app.call('POST /v1/optimize/ip_addresses', { body: { ip: IPS[0] }, ...other });
    await addDomains();
    const { body } = await app.call('POST /v1/monitoring/hbls', {
      body: { domain: 'example.com', hbl_type: 'email', entity: 'News@Example.com' },
    });
    assert.deepEqual(body, { entity: ENTITY });
    await app.idle();
    await lookAgain(61_000);
    assert.deepEqual(await events('/v1/blocklist-monitoring/events', 'items'), []);
    const { body: ip } = await app.call('GET /v1/optimize/ip_addresses/192.0.2.1');
    assert.deepEqual(ip, { ip: '192.0.2.1', ip_pool: '', description: '', state: 'healthy', listed: [] });
  });

  it('tells after the second look what is listed, and only that: 100 lists, none false, none missed', async () => {
    await lookAgain();
    assert.deepEqual(await events('/v1/blocklist-monitoring/events', 'items'), allIps('ip_listed'));
    assert.ok(allIps('ip_listed').length > 100);
    const domains = [
      ...truth('domain', 207).map((zone) => `domain_listed example.com ${zone}`),
      // Lists know what was registered: mail.example.org is asked as example.org, too.
      ...truth('domain', 202).map((zone) => `domain_listed mail.example.org ${zone}`),
    ];
    assert.deepEqual(await events('/v1/monitoring/domains/events', 'events'), domains.toSorted());
    assert.ok(domains.length > 0);
  });

  it('raises an alert for each', async () => {
    const { rows } = await app.galley.outside.db.text('select count(*)::int as raised from alerts');
    const { rows: told } = await app.galley.outside.db.text(
      "select count(*)::int as raised from blocklist_events where kind <> 'email'",
    );
    assert.deepEqual(rows, told);
  });

  it('keeps accounts apart, and asks for both at once', async () => {
    assert.deepEqual(
      await events('/v1/blocklist-monitoring/events', 'items', other),
      truth('ip4', 0).map((zone) => `ip_listed 192.0.2.1 ${zone}`),
    );
    const { body } = await app.call('GET /v1/monitoring/domains', other);
    assert.deepEqual(body, { domains: [] });
    assert.ok(world.dns.most() <= 64, `${world.dns.most()} at once`);
  });

  it('says of each list whether it passed its test, and why not', async () => {
    const { body } = await app.call('GET /v1/galley/blocklists');
    assert.equal(body.items.length, 100);
    const why = (manner: string): Set<string> =>
      new Set(
        WORLD.filter((list) => list.manner === manner).flatMap(({ zone }) =>
          body.items
            .find(({ list }: { list: string }) => list === zone)
            .tests.filter(({ kind }: { kind: string }) => kind === 'ip4')
            .map((test: { is_live: boolean; why: string }) => `${test.is_live} ${test.why}`),
        ),
      );
    assert.deepEqual([...why('good')], ['true ']);
    assert.deepEqual(
      [...why('dead')],
      ['false lists its counter-test, which no list may hold: it lists everything, or a resolver makes answers up'],
    );
    assert.deepEqual([...why('turning')], [...why('dead')]);
    assert.deepEqual(
      [...why('refused')],
      ['false answered 127.255.255.254: refused: asked through a public or open resolver'],
    );
    assert.deepEqual(
      [...why('wildcard')],
      ['false answered 203.0.113.80, which is outside 127/8: a resolver that redirects, or a zone that was taken over'],
    );
    assert.deepEqual([...why('servfail')], ['false the name server failed (SERVFAIL)']);
    assert.deepEqual([...why('silent')], ['false did not answer in time']);
    assert.deepEqual([...why('untested')], ['false does not list its own test entry']);
  });

  it('is due again within 90 minutes, each name at a moment of its own in the hour', async () => {
    const now = app.clock.now().getTime();
    const { db } = app.galley.outside;
    const due = await db.ofAnyone.selectFrom('blocklistTargets').select(['kind', 'name', 'dueAt']).execute();
    const moments = new Set(due.map(({ kind, name }) => `${kind} ${name}`)).size;
    const times = due.map(({ dueAt }) => dueAt.getTime());
    assert.ok(times.every((at) => at > now && at <= now + 1.5 * 3_600_000));
    assert.equal(new Set(times.map((at) => at % 3_600_000)).size, moments);
    assert.equal(new Set(times.map((at) => Math.floor((at % 3_600_000) / 600_000))).size, 6, 'in each ten minutes');
  });

  it('shows everything that is watched, with what each list says', async () => {
    const { body } = await app.call('GET /v1/galley/blocklists/assets?limit=1000');
    const ip = body.items.find(({ asset }: { asset: string }) => asset === '192.0.2.1');
    assert.equal(ip.state, 'listed');
    assert.deepEqual(
      ip.listed.map(({ list }: { list: string }) => list),
      truth('ip4', 0),
    );
    const {
      codes,
      reason,
      delist_requested_at: requested,
      comments,
      first_seen: first,
      last_seen: last,
    } = ip.listed[0];
    assert.deepEqual([codes, reason], [[{ code: '127.0.0.2', meaning: '' }], 'Seen in our traps']);
    assert.deepEqual([requested, comments], ['0001-01-01T00:00:00Z', []]);
    assert.ok(Date.parse(last) - Date.parse(first) >= SECOND_LOOK_MS);
    const unsure = WORLD.filter((list) => !works(list) && list.manner !== 'flapping').map(({ zone }) => zone);
    assert.deepEqual(Object.keys(ip.unknown).toSorted(), unsure.toSorted());
  });

  it('notes that removal was requested, and comments, for the account that has the listing', async () => {
    const { body: before } = await app.call('GET /v1/optimize/ip_addresses/192.0.2.1');
    const from = Math.floor(app.clock.now().getTime() / 1000) * 1000;
    const path = `PUT /v1/galley/blocklists/listings/${before.listed[0].id}`;
    const { status, body } = await app.call(path, { body: { delist_requested: true, comment: 'Form filled in' } });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.comments, ['Form filled in']);
    const requested = Date.parse(body.delist_requested_at);
    assert.ok(requested >= from && requested <= app.clock.now().getTime(), body.delist_requested_at);
    const again = await app.call('GET /v1/optimize/ip_addresses/192.0.2.1');
    assert.deepEqual(again.body.listed[0], body);
    assert.equal((await app.call(path, { body: { comment: 'Mine?' }, ...other })).status, 404);
    assert.equal((await app.call(path, { body: { comment: '' } })).status, 400);
  });

  it('lists the blocklists of a domain', async () => {
    const { body } = await app.call('GET /v1/monitoring/domains/example.com/blocklists');
    assert.deepEqual(
      body.blocklists.map(({ list }: { list: string }) => list),
      truth('domain', 207),
    );
    const { body: all } = await app.call('GET /v1/monitoring/domains');
    assert.deepEqual(
      all.domains.map(({ domain, state: how, listed }: any) => [domain, how, listed?.length ?? null]),
      [
        ['example.com', 'listed', truth('domain', 207).length],
        ['example.net', 'healthy', null],
        ['mail.example.org', 'listed', truth('domain', 202).length],
      ],
    );
    const told = await app.call('GET /v1/monitoring/domains/example.com/events');
    assert.equal(told.body.events.length, truth('domain', 207).length);
    const missing = await app.call('GET /v1/monitoring/domains/example.com/blocklists', other);
    assert.deepEqual(
      [missing.status, missing.body.message],
      [404, 'The domain example.com is not watched; add it to /v1/optimize/domains and verify it.'],
    );
  });

  it('watches email addresses by their hashes', async () => {
    const { body } = await app.call('GET /v1/monitoring/hbls?limit=10');
    const [{ listed, updated_at: at, account_id: account, ...item }] = body.items;
    assert.deepEqual(item, { domain: 'example.com', hbl_type: 'email', entity: ENTITY, state: 'listed' });
    assert.ok(at && account && listed.length > 0);
    const told = await app.call('GET /v1/monitoring/hbls/events?domain=example.com');
    assert.equal(told.body.events[0].event, 'hbl_listed');
    assert.equal(told.body.events[0].entity, ENTITY);
    const wrong = await app.call('GET /v1/monitoring/hbls/events?start=2026-02-30');
    assert.deepEqual(
      [wrong.status, wrong.body.message],
      [400, 'start "2026-02-30" is not a day; give it as YYYY-MM-DD.'],
    );
    assert.equal((await app.call('GET /v1/monitoring/hbls?entity=a@b.test')).status, 400);
    const gone = { body: { domain: 'example.com', hbl_type: 'email', entity: ENTITY } };
    assert.equal((await app.call('DELETE /v1/monitoring/hbls', { ...gone, ...other })).status, 404);
    const { status, headers, body: nothing } = await app.call('DELETE /v1/monitoring/hbls', gone);
    assert.deepEqual([status, headers.get('content-type'), String(nothing)], [204, null, '']);
  });

  it('tells an end after two looks, too', async () => {
    state.isOver = true;
    await lookAgain();
    const listed = allIps('ip_listed');
    assert.deepEqual(await events('/v1/blocklist-monitoring/events', 'items'), listed);
    await lookAgain();
    assert.deepEqual(
      await events('/v1/blocklist-monitoring/events', 'items'),
      [...listed, ...allIps('ip_delisted')].toSorted(),
    );
    const { body } = await app.call('GET /v1/optimize/ip_addresses/192.0.2.1');
    assert.deepEqual([body.state, body.listed], ['healthy', []]);
    const { body: one } = await app.call('GET /v1/blocklist-monitoring/events?ip=192.0.2.1&event=ip_delisted&limit=50');
    assert.equal(one.items.length, truth('ip4', 0).length);
  });
});
