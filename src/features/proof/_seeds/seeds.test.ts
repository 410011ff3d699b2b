import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import nodemailer from 'nodemailer';
import {
  DOVECOT_PASSWORD,
  dovecotAbsence,
  startDovecot,
  type DovecotDaemon,
} from '../../../../test/harness/dovecot.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { sql } from '../../../platform/db/index.ts';
import { createSmtpListener, SmtpRefusal, type SmtpListener } from '../../../platform/mail/index.ts';
import { sweepOnce } from './jobs.ts';

const PATH = '/v1/seeds/mailboxes';
const PASSWORD = 'a password that nobody may see';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function answerIn(app: App, operation: string, body?: unknown): Promise<[number, any]> {
  const answer = await app.call(operation, body === undefined ? {} : { body });
  return [answer.status, answer.body];
}

describe('/v1/seeds/mailboxes', () => {
  let app: App;
  before(async () => {
    app = await startApp(
      { GALLEY_ROLES: 'api', GALLEY_IMAP_PORTS: '143, 993,1990-1999' },
      { zone: { 'imap.inside.example': { A: ['10.0.0.5'] } } },
    );
  });
  after(() => app.close());

  it('keeps a mailbox, and never shows its credentials', async () => {
    const [status, made] = await answerIn(app, `POST ${PATH}`, {
      email: 'Seed@mail.example',
      host: 'imap.mail.example',
      password: PASSWORD,
      display_name: 'Mail example',
      category: 'b2b',
    });
    const { id, created_at: at } = made;
    assert.match(at, TIME);
    const shown = {
      id,
      email: 'Seed@mail.example',
      provider: 'mail.example',
      display_name: 'Mail example',
      category: 'b2b',
      region: 'Global',
      host: 'imap.mail.example',
      port: 993,
      security: 'tls',
      user: 'Seed@mail.example',
      credentials: 'password',
      verify_certificate: true,
      enabled: true,
      status: 'untested',
      status_message: null,
      checked_at: null,
      created_at: at,
      updated_at: at,
    };
    assert.deepEqual([status, made], [201, shown]);
    assert.deepEqual(await answerIn(app, `GET ${PATH}/${id}`), [200, shown]);
    assert.deepEqual(await answerIn(app, `GET ${PATH}`), [200, { items: [shown], total: 1 }]);
    const row = await app.galley.outside.db.first(
      sql<{ text: string }>`select seed_mailboxes::text as text from seed_mailboxes where id = ${id}`,
    );
    assert.ok(row && !row.text.includes(PASSWORD) && !row.text.includes(Buffer.from(PASSWORD).toString('base64')));
    const [, changed] = await answerIn(app, `PUT ${PATH}/${id}`, { access_token: 'token', enabled: false, port: 1993 });
    assert.deepEqual(
      [changed.credentials, changed.enabled, changed.port, changed.email],
      ['access_token', false, 1993, 'Seed@mail.example'],
    );
    const [, providers] = await answerIn(app, 'GET /v4/inbox/providers');
    assert.ok(
      providers.items.every(({ kind }: any) => kind === 'receiver'),
      'a mailbox that is not enabled receives nothing',
    );
    await answerIn(app, `PUT ${PATH}/${id}`, { enabled: true });
    const [
      ,
      {
        items: [own],
      },
    ] = await answerIn(app, 'GET /v4/inbox/providers');
    assert.deepEqual([own.domain, own.kind, own.max_email_count], ['mail.example', 'mailbox', 1]);
    const [, spam] = await answerIn(app, 'GET /v1/inspect/spam/providers');
    assert.ok(spam.b2b.includes('mail.example'));
    assert.deepEqual(await answerIn(app, `DELETE ${PATH}/${id}`), [
      200,
      { message: 'The mailbox and its credentials were deleted.' },
    ]);
    for (const operation of [
      `GET ${PATH}/${id}`,
      `PUT ${PATH}/${id}`,
      `DELETE ${PATH}/${id}`,
      `POST ${PATH}/${id}/test`,
    ])
      assert.deepEqual(await answerIn(app, operation, operation.startsWith('PUT') ? {} : undefined), [
        404,
        { message: `No seed mailbox has the id "${id}".` },
      ]);
  });

  it('refuses what cannot be a mailbox', async () => {
    const whole = { email: 'a@mail.example', host: 'imap.mail.example', password: PASSWORD };
    const refused: [object, RegExp][] = [
      [{ ...whole, email: 'nobody' }, /^email "nobody" is not an email address\.$/],
      [{ ...whole, password: undefined }, /^password, access_token: give one of them\.$/],
      [{ ...whole, access_token: 'x' }, /^password, access_token: give one of them, not both\.$/],
      [{ ...whole, security: 'none' }, /^security may be none only for a server on this machine/],
      [{ ...whole, host: 'a b' }, /^host "a b" is not the name or address of a server\.$/],
      [
        { ...whole, provider: 'ISP.local-receiver.example' },
        /^provider "isp\.local-receiver\.example" is one of Galley's own receivers\.$/,
      ],
      [{ ...whole, display_name: 'a\0b' }, /^display_name must not hold the character U\+0000\.$/],
      [{ ...whole, category: 'friends' }, /^category must be one of b2c, b2b\.$/],
      [{ ...whole, port: 22 }, /^port must be 143 or 993 or 1990-1999; GALLEY_IMAP_PORTS can open others\.$/],
    ];
    for (const [body, message] of refused) {
      const [status, answer] = await answerIn(app, `POST ${PATH}`, body);
      assert.equal(status, 400, JSON.stringify(answer));
      assert.match(answer.message, message);
      assert.ok(!JSON.stringify(answer).includes(PASSWORD));
    }
    await answerIn(app, `POST ${PATH}`, whole);
    assert.deepEqual(await answerIn(app, `POST ${PATH}`, { ...whole, email: 'A@MAIL.example' }), [
      409,
      { message: 'There is a mailbox with the address A@MAIL.example already.' },
    ]);
  });

  it('does not reach into the network that it stands in', async () => {
    for (const [host, reason] of [
      ['imap.inside.example', 'refused'],
      ['127.0.0.1', 'refused'],
      ['imap.nowhere.example', 'dns'],
    ]) {
      const [, { id }] = await answerIn(app, `POST ${PATH}`, {
        email: `${reason}@${host === '127.0.0.1' ? 'loop' : host}.example`,
        host,
        password: PASSWORD,
      });
      const [status, { working, reason: why }] = await answerIn(app, `POST ${PATH}/${id}/test`);
      assert.deepEqual([status, working, why], [200, false, reason]);
    }
  });
});

/** Stands for the mail servers of the world: hands mail to Dovecot, or does what a test tells it to. */
interface World {
  relay: SmtpListener;
  behavior: Map<string, (raw: Buffer, deliver: () => Promise<unknown>) => Promise<void>>;
  /** Messages that were taken, by recipient. */
  taken: Map<string, number>;
}

async function openWorld(lmtpPort: number): Promise<World & { close(): Promise<void> }> {
  const behavior: World['behavior'] = new Map();
  const taken = new Map<string, number>();
  const transport = nodemailer.createTransport({
    lmtp: true,
    host: '127.0.0.1',
    port: lmtpPort,
    ignoreTLS: true,
  } as object);
  const relay = await createSmtpListener({
    host: '127.0.0.1',
    port: 0,
    sizeBytesMax: 1_000_000,
    accept: async () => true,
    log: { debug() {}, info() {}, warn() {}, error() {} } as never,
    async store(raw, { recipients: [to = ''] }) {
      const deliver = () => transport.sendMail({ envelope: { from: 'relay@relay.example', to: [to] }, raw });
      await (behavior.get(to) ?? (async () => void (await deliver())))(raw, deliver);
      taken.set(to, (taken.get(to) ?? 0) + 1);
    },
  });
  return {
    relay,
    behavior,
    taken,
    async close() {
      transport.close();
      await relay.close();
    },
  };
}

describe('mailboxes as seeds', { skip: dovecotAbsence ?? false }, () => {
  let app: App;
  let dovecot: DovecotDaemon;
  let world: Awaited<ReturnType<typeof openWorld>>;
  let from: string;
  before(async () => {
    dovecot = await startDovecot();
    world = await openWorld(dovecot.lmtpPort);
    app = await startApp({
      GALLEY_ROLES: 'api,work,mail',
      GALLEY_SMTP_DOMAIN: 'galley.test',
      GALLEY_SMTP_RELAY: `smtp://127.0.0.1:${world.relay.port}`,
      GALLEY_ALLOW_HOSTS: '127.0.0.1',
      GALLEY_IMAP_PORTS: '1024-65535',
    });
    const { body } = await app.call('POST /v4/inbox/tests', {
      body: { from: 'a@elsewhere.example', subject: 'x', html: 'x' },
    });
    from = `news@${/sandbox\w+\.galley\.test/.exec(body.message)?.[0]}`;
  });
  after(async () => {
    await app?.close();
    await world?.close();
    await dovecot?.close();
  });

  const add = async (email: string, fields: object = {}): Promise<string> => {
    const [status, made] = await answerIn(app, `POST ${PATH}`, {
      email,
      host: '127.0.0.1',
      port: dovecot.imapPort,
      security: 'none',
      password: DOVECOT_PASSWORD,
      ...fields,
    });
    assert.equal(status, 201, JSON.stringify(made));
    return made.id;
  };
  const start = async (provider: string, fields: object = {}): Promise<string> => {
    const [status, started] = await answerIn(app, 'POST /v4/inbox/tests', {
      from,
      subject: 'Hello',
      html: '<p>Hello, this is a letter for a seed.</p>',
      provider_filter: [provider],
      ...fields,
    });
    assert.equal(status, 200, JSON.stringify(started));
    return started.result_id;
  };
  const seedOf = async (id: string): Promise<any> =>
    (await answerIn(app, `GET /v4/inbox/results/${id}`))[1].result.seed_results[0];
  const until = async (id: string, isSo: (seed: any) => boolean): Promise<any> => {
    for (;;) {
      const seed = await seedOf(id);
      if (isSo(seed)) return seed;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const settled = (id: string): Promise<any> => until(id, ({ state }) => state !== 'pending');

  it('logs in when asked to, and lists folders as they are understood', async () => {
    const id = await add('login@login.example');
    const [status, answer] = await answerIn(app, `POST ${PATH}/${id}/test`);
    assert.deepEqual(
      [status, answer.working, answer.reason, answer.folders.find(({ placement }: any) => placement === 'spam')],
      [200, true, null, { path: 'Junk', placement: 'spam', category: null }],
    );
    const bad = await add('badlogin@login.example', { password: 'wrong' });
    const [, refused] = await answerIn(app, `POST ${PATH}/${bad}/test`);
    assert.deepEqual([refused.working, refused.reason, refused.temporary], [false, 'login', false]);
    assert.ok(!JSON.stringify(refused).includes('wrong'));
    const [, { status: state }] = await answerIn(app, `GET ${PATH}/${bad}`);
    assert.equal(state, 'failing');
  });

  it('reads back inbox, spam and another folder, with headers of the copy', async () => {
    await add('filed@filed.example');
    const inbox = await settled(await start('filed.example'));
    assert.deepEqual(
      [inbox.state, inbox.destination, inbox.extensions, inbox.tags, inbox.copies, inbox.smtp_reply],
      ['delivered', 'inbox', { category: 'primary' }, ['INBOX'], 1, '250 2.6.0 OK: message queued'],
    );
    assert.ok(inbox.headers.some(({ key, value }: any) => key === 'Subject' && value === 'Hello'));
    const spam = await settled(await start('filed.example', { headers: { 'X-Spam-Flag': 'YES' } }));
    assert.deepEqual([spam.state, spam.destination, spam.tags], ['delivered', 'spam', ['Junk']]);
    const list = await settled(
      await start('filed.example', { headers: { 'List-Unsubscribe': '<https://news.example/u>' } }),
    );
    assert.deepEqual([list.destination, list.extensions], ['inbox', { category: 'promotions' }]);
  });

  it('counts a message in two folders once, and one that came twice', async () => {
    await add('twice@twice.example');
    const two = await settled(await start('twice.example', { headers: { 'X-Test-Copy': 'yes' } }));
    assert.deepEqual(
      [two.state, two.destination, two.copies, two.reason],
      ['delivered', 'inbox', 2, '2 copies came, in INBOX and Archive; counted once.'],
    );
    world.behavior.set('twice@twice.example', async (_raw, deliver) => {
      await deliver();
      await deliver();
    });
    const id = await start('twice.example');
    assert.equal((await settled(id)).copies, 2);
    const [, { result }] = await answerIn(app, `GET /v4/inbox/results/${id}`);
    assert.deepEqual([result.delivery_stats.all.delivered, result.delivery_stats.all.total], [1, 1]);
    const { simulated, observations, inbox_interval: interval } = result.delivery_stats.all;
    assert.deepEqual([simulated, observations, interval, result.notice], [0, 1, { low: 0.2065, high: 1 }, null]);
  });

  it('tries again where it is put off, and ends where it is refused for good', async () => {
    await add('gray@gray.example');
    let attempts = 0;
    world.behavior.set('gray@gray.example', async (_raw, deliver) => {
      attempts += 1;
      if (attempts === 1) throw new SmtpRefusal(451, '4.7.1 Greylisted');
      await deliver();
    });
    const seed = await settled(await start('gray.example'));
    assert.deepEqual(
      [seed.state, seed.destination, seed.attempts, seed.copies, attempts],
      ['delivered', 'inbox', 2, 1, 2],
    );
    await add('gone@gone.example');
    world.behavior.set('gone@gone.example', async () => {
      throw new SmtpRefusal(550, '5.1.1 No such user');
    });
    const gone = await settled(await start('gone.example'));
    assert.deepEqual([gone.state, gone.attempts, gone.smtp_reply], ['missing', 1, '550 5.1.1 No such user']);
  });

  /** Stands for a login that worked, and a message that was found, before the provider changed its mind. */
  const proven = (id: string) =>
    app.galley.outside.db.run(
      sql`update seed_mailboxes set logged_in_at = now(), received_at = now() where id = ${id}`,
    );

  it('sends nothing to a mailbox before a login to it has worked, and says so', async () => {
    const id = await add('stranger@stranger.example', { password: 'wrong' });
    const seed = await settled(await start('stranger.example'));
    assert.deepEqual(
      [seed.state, seed.attempts, world.taken.get('stranger@stranger.example')],
      ['undetermined', 0, undefined],
    );
    assert.match(
      seed.reason,
      /^Nothing was sent to this mailbox: logging in to it does not work: 127\.0\.0\.1 refused the login/,
    );
    await answerIn(app, `PUT ${PATH}/${id}`, { password: DOVECOT_PASSWORD });
    assert.deepEqual(
      [(await settled(await start('stranger.example'))).state, world.taken.get('stranger@stranger.example')],
      ['delivered', 1],
    );
  });

  it('sends nothing to an address that the mailbox had in a list before, and forgets what was proven of another', async () => {
    const id = await add('victim@moved.example', { password: 'wrong' });
    const [, list] = await answerIn(app, 'POST /v4/inbox/seedlists', { provider_filter: ['moved.example'] });
    assert.ok(list.mailing_list.includes('victim@moved.example'));
    await answerIn(app, `PUT ${PATH}/${id}`, {
      email: 'own@moved.example',
      user: 'own@moved.example',
      password: DOVECOT_PASSWORD,
    });
    assert.equal((await answerIn(app, `POST ${PATH}/${id}/test`))[1].working, true);
    const seed = await settled(await start('moved.example', { seed_list: list.target_email }));
    assert.deepEqual([seed.state, world.taken.get('victim@moved.example')], ['undetermined', undefined]);
    assert.match(seed.reason, /^Nothing was sent to this mailbox: its address is own@moved\.example now/);
    await answerIn(app, `PUT ${PATH}/${id}`, {
      email: 'victim@moved.example',
      user: 'victim@moved.example',
      password: 'wrong',
    });
    assert.equal((await settled(await start('moved.example'))).state, 'undetermined');
    assert.equal(world.taken.get('victim@moved.example'), undefined);
  });

  it('sends ten messages a day at most to an address until one was found in the mailbox', async () => {
    // A login proves the mailbox of somebody's own server, not that the address is theirs.
    await add('elsewhere@unseen.example');
    world.behavior.set('elsewhere@unseen.example', async () => undefined);
    const ids = [];
    for (let n = 0; n < 11; n++) {
      ids.push(await start('unseen.example'));
      await until(ids.at(-1) as string, ({ state, delivered_at: sentAt }) => state !== 'pending' || sentAt !== null);
    }
    assert.equal(world.taken.get('elsewhere@unseen.example'), 10);
    assert.match(
      (await seedOf(ids[10] as string)).reason,
      /^Nothing was sent to this mailbox: none of the 10 messages of the last 24 hours was found in it yet/,
    );
  });

  it('says that nobody can tell when the mailbox refuses the login', async () => {
    await proven(await add('badlogin@closed.example', { password: 'wrong' }));
    const id = await start('closed.example');
    const seed = await settled(id);
    assert.equal(seed.state, 'undetermined');
    assert.match(seed.reason, /^The mailbox cannot be read: /);
    const [, { result }] = await answerIn(app, `GET /v4/inbox/results/${id}`);
    assert.deepEqual(
      [
        result.delivery_stats.all.undetermined,
        result.delivery_stats.all.missing,
        result.delivery_stats.all.inbox_interval,
      ],
      [1, 0, null],
    );
  });

  it('says that nobody can tell when the mailbox loses every connection until the deadline', async () => {
    const server = net.createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await proven(await add('lost@lost.example', { port: (server.address() as net.AddressInfo).port }));
    const id = await start('lost.example', { deadline_minutes: 5 });
    for (;;) {
      const [, { items }] = await answerIn(app, `GET ${PATH}`);
      if (items.find(({ email }: any) => email === 'lost@lost.example').status === 'failing') break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal((await seedOf(id)).state, 'pending');
    app.clock.advance(6 * 60_000);
    await sweepOnce(app.galley.outside);
    const seed = await settled(id);
    assert.deepEqual([seed.state, seed.copies], ['undetermined', 0]);
    assert.match(seed.reason, /^The mailbox could not be read until the deadline: /);
    await new Promise((resolve) => server.close(resolve));
  });

  it('counts what comes late, but not after the deadline', async () => {
    await add('late@late.example');
    const held: (() => Promise<unknown>)[] = [];
    world.behavior.set('late@late.example', async (_raw, deliver) => void held.push(deliver));
    const late = await start('late.example');
    await until(late, () => held.length === 1);
    await held[0]?.();
    assert.deepEqual([(await settled(late)).state, (await seedOf(late)).destination], ['delivered', 'inbox']);
    const lost = await start('late.example', { deadline_minutes: 5 });
    await until(lost, ({ delivered_at: sentAt }) => sentAt !== null);
    app.clock.advance(6 * 60_000);
    await sweepOnce(app.galley.outside);
    const seed = await settled(lost);
    assert.deepEqual(
      [seed.state, seed.reason],
      ['missing', 'It was accepted, but did not appear in any folder until the deadline.'],
    );
    await held[1]?.();
    await app.idle();
    assert.equal((await seedOf(lost)).state, 'missing');
  });

  it('keeps two tests to one mailbox apart', async () => {
    await add('both@both.example');
    const [one, two] = await Promise.all([
      start('both.example', { subject: 'One' }),
      start('both.example', { subject: 'Two', headers: { 'X-Spam-Flag': 'YES' } }),
    ]);
    assert.deepEqual(
      [(await settled(one)).destination, (await settled(two)).destination, world.taken.get('both@both.example')],
      ['inbox', 'spam', 2],
    );
  });

  it('does not send again what a stopped process may have sent, and still finds it', async () => {
    await add('cut@cut.example');
    const cut = Promise.withResolvers<void>();
    world.behavior.set('cut@cut.example', () => cut.promise);
    const id = await start('cut.example');
    const { db, jobs } = app.galley.outside;
    const row = async () =>
      (await db.first(
        sql<{ token: string; state: string }>`select token, state from seed_deliveries where test_id = ${id}`,
      )) as { token: string; state: string };
    while ((await row()).state !== 'sending') await new Promise((resolve) => setTimeout(resolve, 20));
    // What the next process does with the job of one that died.
    const { sendJobOf } = await import('./send-job.ts');
    await jobs.enqueue(db, sendJobOf('placement'), {
      payloads: [{ token: (await row()).token }],
      account: 'service',
    });
    jobs.wake();
    while ((await row()).state !== 'sent') await new Promise((resolve) => setTimeout(resolve, 20));
    assert.match((await seedOf(id)).reason, /it is not sent again, so that no seed gets it twice\.$/);
    assert.equal(world.taken.get('cut@cut.example') ?? 0, 0);
    cut.resolve();
    await app.idle();
    assert.equal(world.taken.get('cut@cut.example'), 1);
  });
});
