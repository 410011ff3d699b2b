// Existing clients of this API, unmodified, with mailing lists and their members.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../harness/start-app.ts';
import { requireTestPackage } from '../harness/test-packages.ts';

const Mailgun = requireTestPackage('mailgun.js');
const older = requireTestPackage('mailgun-js');
const { NodeMailgun } = requireTestPackage('ts-mailgun');
const DOMAIN = 'letters.example.com';

let app: App;
let client: any;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  client = new Mailgun(FormData).client({ username: 'api', key: app.key, url: app.url, logger: { warn() {} } });
  await client.domains.create({ name: DOMAIN });
});
after(() => app.close());

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 90_000;
  while (!(await isDone())) {
    assert.ok(Date.now() < deadline);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('mailgun.js', () => {
  const address = `news@${DOMAIN}`;

  it('creates, reads, pages, changes and deletes lists', async () => {
    const made = await client.lists.create({ address, name: 'News', description: 'Weekly', access_level: 'members' });
    assert.deepEqual([made.address, made.access_level, made.members_count], [address, 'members', 0]);
    await assert.rejects(client.lists.create({ address: `x@${DOMAIN}`, access_level: 'all' }), {
      status: 400,
      details: "Invalid access level 'all'. It can be any of: 'readonly', 'members', 'everyone'.",
    });
    await client.lists.create({ address: `other@${DOMAIN}` });
    assert.equal((await client.lists.get(address)).name, 'News');
    const first = await client.lists.list({ limit: 1 });
    assert.equal(first.items[0].address, address);
    const second = await client.lists.list({ page: first.pages.next.page });
    assert.equal(second.items[0].address, `other@${DOMAIN}`);
    const found = await client.lists.listByAddress({ address });
    assert.deepEqual([found.total_count, found.items.length], [1, 1]);
    assert.equal((await client.lists.update(address, { name: 'Daily news' })).name, 'Daily news');
    const gone = await client.lists.destroy(`other@${DOMAIN}`);
    assert.deepEqual(gone, { address: `other@${DOMAIN}`, message: 'Mailing list has been removed' });
    await assert.rejects(client.lists.get(`other@${DOMAIN}`), { status: 404 });
  });

  it('creates, reads, pages, changes, uploads and deletes members', async () => {
    const { members } = client.lists;
    const made = await members.createMember(address, {
      address: 'ann@example.net',
      name: 'Ann',
      vars: { age: 26 },
      subscribed: true,
      upsert: 'yes',
    });
    assert.deepEqual(made, { address: 'ann@example.net', name: 'Ann', vars: { age: 26 }, subscribed: true });
    assert.deepEqual(await members.getMember(address, 'ann@example.net'), made);
    const changed = await members.updateMember(address, 'ann@example.net', { subscribed: false, vars: { age: 27 } });
    assert.deepEqual([changed.subscribed, changed.vars], [false, { age: 27 }]);
    const started = await members.createMembers(address, {
      members: [{ address: 'bob@example.net', name: 'Bob', subscribed: true, vars: '{"age": 30}' }],
      upsert: 'yes',
    });
    assert.equal(started.message, 'Mailing list upload started in background');
    assert.ok(started['task-id']);
    await until(async () => (await members.listMembersByAddress(address)).total_count === 2);
    const uploaded = await members.upload(address, {
      data: 'address,name\ncleo@example.net,Cleo\n',
      filename: 'm.csv',
    });
    assert.ok(uploaded['task-id']);
    await until(async () => (await members.listMembersByAddress(address)).total_count === 3);
    const { items, pages } = await members.listMembers(address, { limit: 2, subscribed: true });
    assert.deepEqual(
      items.map((member: any) => member.address),
      ['bob@example.net', 'cleo@example.net'],
    );
    assert.equal(pages.next.iteratorPosition, 'cleo@example.net');
    assert.deepEqual((await members.destroyMember(address, 'bob@example.net')).member, { address: 'bob@example.net' });
    await assert.rejects(members.getMember(address, 'bob@example.net'), { status: 404 });
  });
});

const olderClient = () => {
  const { hostname: host, port } = new URL(app.url);
  return { apiKey: app.key, domain: DOMAIN, host, port: Number(port), protocol: 'http:', endpoint: '/v3' };
};

describe('mailgun-js 0.22', () => {
  it('has lists and members', async () => {
    const mailgun = older(olderClient());
    const address = `older@${DOMAIN}`;
    const made = await mailgun.post('/lists', { address, description: 'Older' });
    assert.equal(made.list.address, address);
    const list = mailgun.lists(address);
    assert.equal((await list.info()).list.description, 'Older');
    assert.equal((await list.update({ name: 'Old' })).list.name, 'Old');
    const { member } = await list.members().create({ address: 'ann@example.net', vars: { age: 26 }, subscribed: true });
    assert.deepEqual(member.vars, { age: 26 });
    await list.members().add({ members: [{ address: 'bob@example.net', vars: { age: 30 } }], subscribed: true });
    await until(async () => (await list.members().list()).total_count === 2);
    assert.equal((await list.members('bob@example.net').info()).member.vars.age, 30);
    assert.equal((await list.members('bob@example.net').update({ name: 'Bob' })).member.name, 'Bob');
    assert.equal((await mailgun.get(`/lists/${address}/members/pages`, { limit: 1 })).items.length, 1);
    assert.ok((await list.members('bob@example.net').delete()).message);
    assert.ok((await list.delete()).message);
  });
});

describe('ts-mailgun', () => {
  it('adds, reads, changes and removes members', async () => {
    const address = `typed@${DOMAIN}`;
    await client.lists.create({ address });
    const mailer = new NodeMailgun(app.key, DOMAIN);
    Object.assign(mailer, { fromEmail: `ann@${DOMAIN}`, fromTitle: 'Ann', options: olderClient() });
    mailer.init();
    mailer.initMailingList(address);
    const added = await mailer.listAdd('ann@example.net', 'Ann', { age: 26 });
    assert.deepEqual(added.member, { address: 'ann@example.net', name: 'Ann', vars: { age: 26 }, subscribed: true });
    assert.deepEqual(await mailer.getListAddresses(), ['ann@example.net']);
    assert.equal((await mailer.listUpdate('ann@example.net', { name: 'Anna' })).member.name, 'Anna');
    await mailer.listRemove('ann@example.net');
    assert.deepEqual(await mailer.getListAddresses(), []);
  });
});
