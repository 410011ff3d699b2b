// A disk that fills up while messages come in: each call is answered with 200 or 507, and what was answered with 200 is
// delivered once there is room.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { postgresAbsence, startPostgres } from '../harness/postgres.ts';
import { makeSmallDisk, smallDiskAbsence, type SmallDisk } from '../harness/small-disk.ts';
import { startApp, type App } from '../harness/start-app.ts';

const ROLES = { GALLEY_ROLES: 'api,work,mail,send', GALLEY_SMTP_DOMAIN: 'galley.test' };
/** Whom the server of the tests runs as. */
const NOBODY = 65_534;
const CALLS_MAX = 3000;

interface Sent {
  status: number;
  id: string;
  message: string;
  retryAfter: string | null;
}

/** Text that takes its room on any disk; above 64 KB a message is kept with the objects. */
async function send(app: App, sandbox: string, kilobytes: number): Promise<Sent> {
  const { status, body, headers } = await app.call(`POST /v3/${sandbox}/messages`, {
    body: {
      from: `ann@${sandbox}`,
      to: [`delivered+1@${sandbox}`, `delivered+2@${sandbox}`],
      subject: 'Full',
      text: randomBytes(kilobytes * 512).toString('hex'),
    },
  });
  return { status, id: body.id, message: body.message, retryAfter: headers.get('retry-after') };
}

async function domainOf(app: App): Promise<string> {
  return (await app.call('GET /v3/domains')).body.items[0].name;
}

/** Recipients by kind of event, of one message. */
async function eventsOf(app: App, sandbox: string, id: string): Promise<string[]> {
  const { body } = await app.call(`GET /v3/${sandbox}/events?message-id=${encodeURIComponent(id.slice(1, -1))}`);
  return body.items.map(({ event, recipient }: any) => `${event} ${recipient}`).sort();
}

/** Sends until the disk is full and beyond, then makes room and looks for every message that was taken. */
async function fillAndLook(app: App, disk: SmallDisk): Promise<void> {
  const sandbox = await domainOf(app);
  const before = await send(app, sandbox, 20);
  assert.equal(before.status, 200);
  const taken = [before.id];
  disk.fill();
  const refused: Sent[] = [];
  for (let n = 0; refused.length < 5 && n < CALLS_MAX; n += 1) {
    const sent = await send(app, sandbox, n % 3 === 0 ? 100 : 20);
    if (sent.status === 200) taken.push(sent.id);
    else refused.push(sent);
  }
  for (const { status, message, retryAfter } of refused) {
    assert.deepEqual([status, retryAfter], [507, '60']);
    assert.match(message, /cannot store anything more: its disk is full\. Reading still works/);
  }
  assert.equal(refused.length, 5);
  await disk.empty();
  while ((await app.call('GET /health', { key: null })).status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 100));
  const behind = await send(app, sandbox, 100);
  assert.equal(behind.status, 200);
  taken.push(behind.id);
  const [one, two] = [`delivered+1@${sandbox}`, `delivered+2@${sandbox}`];
  const wanted = [`accepted ${one}`, `accepted ${two}`, `delivered ${one}`, `delivered ${two}`];
  for (const id of taken) {
    while ((await eventsOf(app, sandbox, id)).length < wanted.length) {
      app.clock.advance(1000);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.deepEqual(await eventsOf(app, sandbox, id), wanted);
  }
  const { rows } = await app.galley.outside.db.text('select count(*)::int as count from sent_messages');
  assert.deepEqual(rows, [{ count: taken.length }]);
}

describe('a disk that fills up while messages come in', { skip: smallDiskAbsence }, () => {
  const elsewhere = process.env['GALLEY_TEST_DATABASE_URL']
    ? 'the database lies on another disk in this run'
    : undefined;
  it('refuses them with 507 and loses none, embedded', { skip: elsewhere }, async (context) => {
    const disk = await makeSmallDisk('size=250m');
    if (!disk) return context.skip('a tmpfs cannot be mounted here');
    const tmpdir = process.env['TMPDIR'];
    process.env['TMPDIR'] = disk.path;
    let app: App | undefined;
    try {
      app = await startApp(ROLES);
      await fillAndLook(app, disk);
    } finally {
      await app?.close();
      if (tmpdir === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = tmpdir;
      await disk.remove();
    }
  });

  it('refuses them with 507 and loses none, on PostgreSQL', { skip: postgresAbsence }, async (context) => {
    const disk = await makeSmallDisk('size=100m');
    if (!disk) return context.skip('a tmpfs cannot be mounted here');
    const server = await startPostgres();
    let app: App | undefined;
    try {
      // The tables lie on the small disk; the server's log of changes, without which it cannot run, does not.
      const place = join(disk.path, 'tables');
      mkdirSync(place);
      chownSync(place, NOBODY, NOBODY);
      await server.query(`create tablespace small location '${place}'`);
      await server.query('create database galley tablespace small');
      const url = new URL(server.url);
      url.pathname = '/galley';
      app = await startApp({ ...ROLES, GALLEY_DATABASE_URL: url.href });
      await fillAndLook(app, disk);
    } finally {
      await app?.close();
      await server.close();
      await disk.remove();
    }
  });
});
