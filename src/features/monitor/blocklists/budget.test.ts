// How often a list may be asked in a day: over HTTP with a name server that counts, and by several at once.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startListDns, type ListDns } from '../../../../test/harness/list-dns.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { createDns } from '../../../platform/dns/index.ts';
import { takeQuestions } from './budget.ts';
import { askedLists } from './lists.ts';

const DAY_MS = 86_400_000;
const PER_DAY = 12;
const IPS = Array.from({ length: 10 }, (_, place) => `192.0.2.${place + 1}`);
const USED_UP = 'was not asked: its questions of today are used up';

let app: App;
let dns: ListDns;
let folder: string;

before(async () => {
  dns = await startListDns((name) =>
    name.startsWith('2.0.0.127.') || name.startsWith('1.2.0.192.') ? { addresses: ['127.0.0.2'] } : undefined,
  );
  folder = await mkdtemp(join(tmpdir(), 'galley-lists-'));
  const path = join(folder, 'lists.json');
  const lists = [
    { zone: 'small.lists.test', kinds: ['ip4'], perDay: PER_DAY },
    { zone: 'large.lists.test', kinds: ['ip4'] },
  ];
  await writeFile(path, JSON.stringify({ catalog: false, lists }));
  app = await startApp(
    { GALLEY_ROLES: 'api,work', GALLEY_BLOCKLISTS: path },
    { dns: createDns({ servers: [dns.address], timeoutMs: 60_000, tries: 1 }) },
  );
  // At noon no day ends within the test.
  const noon = Math.floor(app.clock.now().getTime() / DAY_MS) * DAY_MS + DAY_MS * 1.5;
  app.clock.advance(noon - app.clock.now().getTime());
});
after(async () => {
  await app.close();
  await dns.close();
  await rm(folder, { recursive: true });
});

/** Questions that the name server has had about a list. */
const heard = (zone: string): number =>
  [...dns.asked].reduce((sum, [name, count]) => sum + (name.endsWith(zone) ? count : 0), 0);

async function lookAgain(ms: number): Promise<void> {
  app.clock.advance(ms);
  await app.call('POST /v1/galley/blocklists/check');
  await app.idle();
}

/** How many addresses lack an answer of the small list because it may not be asked. */
async function unasked(): Promise<number> {
  const { body } = await app.call('GET /v1/galley/blocklists/assets');
  return body.items.filter(({ unknown }: any) => unknown['small.lists.test'] === USED_UP).length;
}

describe('the budget of a list', () => {
  it('is kept over sweeps, and what was not asked is unknown', async () => {
    for (const ip of IPS) await app.call('POST /v1/optimize/ip_addresses', { body: { ip } });
    await app.idle();
    for (let look = 0; look < 4; look += 1) {
      await lookAgain(6 * 60_000);
      assert.ok(heard('small.lists.test') <= PER_DAY, `${heard('small.lists.test')} questions`);
    }
    assert.ok(heard('large.lists.test') > PER_DAY);
    assert.equal(await unasked(), IPS.length);
    const { body } = await app.call('GET /v1/galley/blocklists');
    const [small] = body.items.filter(({ list }: { list: string }) => list === 'small.lists.test');
    assert.deepEqual([small.questions_today, small.questions_per_day], [PER_DAY, PER_DAY]);
  });

  it('is whole again the next day (UTC)', async () => {
    dns.asked.clear();
    await lookAgain(DAY_MS);
    assert.ok(heard('small.lists.test') > 0);
    assert.ok(heard('small.lists.test') <= PER_DAY, `${heard('small.lists.test')} questions`);
    assert.ok((await unasked()) > 0);
  });

  it('is given out once, however many take of it at the same time', async () => {
    const { outside } = app.galley;
    const small = askedLists(outside).find(({ zone }) => zone === 'small.lists.test')!;
    const list = { ...small, zone: 'other.lists.test' };
    const given = await Promise.all(
      Array.from({ length: 8 }, () => takeQuestions(outside, [{ list, kind: 'ip4', questions: 5 }])),
    );
    const sum = given.reduce((all, one) => all + one.get('other.lists.test ip4')!, 0);
    assert.equal(sum, PER_DAY);
  });

  it('is shared by accounts: one that watches much leaves others their questions', async () => {
    const { subaccount } = (await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Small' } })).body;
    const as = { headers: { 'x-service-account-id': subaccount.id } };
    await app.call('POST /v1/optimize/ip_addresses', { body: { ip: '192.0.2.200' }, ...as });
    await app.idle();
    // The many wait longer than the one, which asks now.
    const at = new Date(app.clock.now().getTime() + 600_000);
    const { db } = app.galley.outside;
    await db.ofAnyone.updateTable('blocklistTargets').set({ dueAt: at, nextAt: at }).execute();
    app.clock.advance(DAY_MS);
    await app.call('POST /v1/galley/blocklists/check', as);
    await app.idle();
    assert.ok((await unasked()) > 0);
    const { body } = await app.call('GET /v1/galley/blocklists/assets', as);
    const [{ asset, checked_at: checkedAt, unknown }, ...others] = body.items;
    assert.deepEqual([asset, others], ['192.0.2.200', []]);
    assert.ok(Date.parse(checkedAt) >= app.clock.now().getTime() - 60_000);
    assert.equal(unknown['small.lists.test'], undefined);
  });
});
