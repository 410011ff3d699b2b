// `galley send`, `galley logs` and `galley queue`, against a Galley that runs.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startProgram, type Program } from '../../../test/harness/program.ts';
import { startApp, type App } from '../../../test/harness/start-app.ts';

const MAIN = join(import.meta.dirname, '../../main.ts');
const DOMAIN = 'news.example.com';
const HTML = '<!doctype html><title>Spring</title><p>Hello %recipient.name%</p><img src="img/a.png" alt="">';
const MAIL = `From: Ann <ann@${DOMAIN}>\r\nTo: x@example.net\r\nSubject: Whole\r\n\r\nHello\r\n`;

let app: App;
let dir = '';
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'galley-send-'));
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  await mkdir(join(dir, 'mails'));
  await writeFile(join(dir, 'mail.html'), HTML);
  await writeFile(join(dir, 'mails/whole.eml'), MAIL);
  // As a European spreadsheet writes it.
  await writeFile(join(dir, 'people.csv'), '\ufeffEmail;name\r\nann@example.net;Ann\r\nbob@example.net;"Bö;b"\r\n\r\n');
});
after(async () => {
  await app.close();
  await rm(dir, { recursive: true, force: true });
});

const start = (args: readonly string[], env: Record<string, string> = {}): Program =>
  startProgram([process.execPath, MAIN, ...args], { cwd: dir, env: { GALLEY_API_KEY: app.key, ...env } });

async function galley(args: readonly string[], env?: Record<string, string>) {
  const program = start([...args, ...(args.includes('--help') ? [] : ['--url', app.url])], env);
  const { code } = await program.ended;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

const FROM = ['--from', `Ann <ann@${DOMAIN}>`];

async function waitingFor(id: string): Promise<any[]> {
  const { body } = await app.call(`GET /v1/galley/queue/deliveries?message=${encodeURIComponent(id)}`);
  return body.items;
}

describe('galley send', () => {
  it('hands an HTML file over, and says how to follow it and what is not sent', async () => {
    const { code, stdout, stderr } = await galley(['send', 'mail.html', '--to', 'Bob <bob@example.net>', ...FROM]);
    assert.equal(code, 0, stderr);
    const id = /^mail\.html: queued for Bob <bob@example\.net>: (<.*>)\n$/.exec(stdout)?.[1] ?? '';
    assert.equal(
      stderr,
      'mail.html: not sent, for they have no URL of their own: img/a.png.\n' +
        'Nothing leaves this machine: messages are captured.\n' +
        `Follow it: galley logs --follow --since 1h --message '${id}'\n`,
    );
    assert.deepEqual(
      (await waitingFor(id)).map(({ recipient, message }) => [recipient, message.subject]),
      [['bob@example.net', 'Spring']],
    );
  });

  it('sends every message of a folder, with tags, later, as JSON', async () => {
    const at = new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_000).toISOString();
    const options = [
      '--to',
      'a@example.net',
      '--to',
      'b@example.net',
      '--tag',
      'spring',
      '--at',
      at,
      '--test',
      '--json',
    ];
    const { code, stdout, stderr } = await galley(['send', 'mails', ...options]);
    assert.equal(code, 0, stderr);
    const { id, ...said } = JSON.parse(stdout);
    assert.deepEqual(said, { source: join('mails', 'whole.eml'), domain: DOMAIN, recipients: 2 });
    assert.deepEqual(
      (await waitingFor(id)).map(({ recipient, state, next_attempt_at: next }) => [recipient, state, next]),
      [
        ['a@example.net', 'scheduled', at],
        ['b@example.net', 'scheduled', at],
      ],
    );
    app.clock.advance(3000);
    const { body } = await app.call('POST /v1/analytics/logs', { body: {} });
    const event = body.items.find(({ recipient }: any) => recipient === 'a@example.net');
    assert.deepEqual(
      [event.tags, event.flags['is-test-mode'], event.message.headers.subject],
      [['spring'], true, 'Whole'],
    );
  });

  it('sends to a spreadsheet of people, each with what it says of them', async () => {
    const { code, stdout, stderr } = await galley(['send', 'mail.html', '--list', 'people.csv', ...FROM]);
    assert.equal(code, 0, stderr);
    const id = /queued for 2 recipients: (<.*>)\n$/.exec(stdout)?.[1] ?? '';
    const [{ message }] = await waitingFor(id);
    const { rows } = await app.galley.outside.db.text(
      'select d.recipient, d.variables from deliveries d join sent_messages m on m.id = d.message_id ' +
        'where m.key = $1 order by d.position',
      [message.storage_key],
    );
    assert.deepEqual(rows, [
      { recipient: 'ann@example.net', variables: { Email: 'ann@example.net', name: 'Ann' } },
      { recipient: 'bob@example.net', variables: { Email: 'bob@example.net', name: 'Bö;b' } },
    ]);
  });

  it('says what Galley refuses, with exit code 1', async () => {
    const cases: [args: string[], env: Record<string, string>, words: RegExp][] = [
      [['--to', 'nobody', ...FROM], {}, /^mail\.html: .*nobody.*\n$/m],
      [['--to', 'a@example.net', '--from', 'ann@other.example.com'], {}, /mail\.html: .*not found.*\n$/i],
      [['--to', 'a@example.net', ...FROM], { GALLEY_API_KEY: 'key-that-opens-nothing' }, /refused the key/],
    ];
    for (const [args, env, words] of cases) {
      const { code, stdout, stderr } = await galley(['send', 'mail.html', ...args], env);
      assert.deepEqual([code, stdout], [1, ''], args.join(' '));
      assert.match(stderr, words);
    }
  });
});

describe('wrong command lines', () => {
  before(async () => {
    await writeFile(join(dir, 'no-head.csv'), 'a,b\n1,2\n');
    await writeFile(join(dir, 'gap.csv'), 'email,name\n,Ann\n');
    await writeFile(join(dir, 'twice.csv'), 'email\nann@example.net\nANN@example.net\n');
  });
  const cases: [args: string[], words: RegExp][] = [
    [['send'], /^Name a message\./],
    [['send', 'mail.html'], /^Name the recipients/],
    [['send', 'mail.html', '--to', 'a@example.net'], /^mail\.html is HTML and names no sender/],
    [['send', 'mail.html', '--to', 'a@x.example', '--list', 'people.csv'], /^--to and --list do not go together/],
    [['send', 'mail.html', '--to', 'a@x.example', '--at', 'soon'], /^--at must be a date such as .*it is "soon"\./],
    [
      ['send', 'mails/whole.eml', '--to', 'a@x.example', ...FROM],
      /^--from goes with HTML; mails\/whole\.eml is a message/,
    ],
    [['send', 'gone.html', '--to', 'a@x.example', ...FROM], /^gone\.html cannot be read/],
    [['send', 'https://example.com/', '--to', 'a@x.example', ...FROM], /is a web page; save it as a file/],
    [['send', 'mail.html', '--list', 'gone.csv', ...FROM], /^--list gone\.csv cannot be read/],
    [['send', 'mail.html', '--list', 'no-head.csv', ...FROM], /one of them must be email; it names a, b\.$/m],
    [['send', 'mail.html', '--list', 'gap.csv', ...FROM], /^--list gap\.csv: row 2 has no email\.$/m],
    [
      ['send', 'mail.html', '--list', 'twice.csv', ...FROM],
      /^--list twice\.csv: ANN@example\.net stands in it twice\.$/m,
    ],
    [['send', 'mail.html', '--subjekt', 'x'], /^Unknown option --subjekt\. Did you mean "--subject"\?/],
    [['logs', 'all'], /^galley logs takes no arguments/],
    [['logs', '--event', 'sent'], /^--event must be one of accepted, .*it is "sent"\./],
    [['logs', '--since', 'ever'], /^--since must be 30m, .*it is "ever"\./],
    [['logs', '--limit', '0'], /^--limit must be a whole number from 1 to 10000; it is "0"\./],
    [['logs', '--follow', '--limit', '5'], /^--limit does not go with --follow\./],
    [['logs', '--severity', 'bad'], /^--severity must be temporary or permanent/],
    [['queue', 'lst'], /^Unknown command "queue lst"\. Did you mean "list"\?/],
    [['queue', 'cancel'], /^Name the storage key of the message to cancel/],
    [['queue', '--recipient', 'x'], /^--recipient goes with `galley queue list` only\./],
    [['queue', 'list', '--limit', 'x'], /^--limit must be a whole number from 1 to 1000; it is "x"\./],
  ];
  it('are named, with exit code 2', async () => {
    const left = [...cases];
    const lane = async (): Promise<void> => {
      for (let next = left.shift(); next; next = left.shift()) {
        const [args, words] = next;
        const { code, stdout, stderr } = await galley(args);
        assert.deepEqual([code, stdout], [2, ''], `${args.join(' ')}\n${stderr}`);
        assert.match(stderr, words);
      }
    };
    await Promise.all([lane(), lane(), lane()]);
    const noKey = await galley(['queue'], { GALLEY_API_KEY: '' });
    assert.deepEqual([noKey.code, noKey.stderr.startsWith('No API key.')], [2, true]);
  });
});

describe('galley message', () => {
  it('shows what happened to one message, and why it waits', async () => {
    const sent = await galley(['send', 'mail.html', '--to', 'wait@message.example', '--json', ...FROM]);
    const { id } = JSON.parse(sent.stdout);
    app.clock.advance(3000);
    const told = await galley(['message', id]);
    assert.match(told.stdout, /^“Spring” from Ann <ann@news\.example\.com>, accepted .* UTC\n/);
    assert.match(told.stdout, /^ {2}wait@message\.example {2}due \(captured\)\n/m);
    assert.match(told.stdout, /^ {4}.* UTC {2}Galley took it, to be delivered\.\n/m);
    assert.match(told.stdout, /^ {4}It waits for its turn\. Given up .* UTC\.\n$/m);
    const { items } = JSON.parse((await galley(['message', id, '--json', '--smtp'])).stdout);
    assert.deepEqual([items.length, items[0].recipient, items[0].state], [1, 'wait@message.example', 'waiting']);
    const none = await galley(['message', id, '--recipient', 'zzz']);
    assert.match(none.stdout, /\nNo recipient fits\.\n$/);
    const missing = await galley(['message', 'nobody']);
    assert.deepEqual([missing.code, missing.stderr], [1, 'Message not found\n']);
    const wrong = await galley(['message', id, '--limit', '51']);
    assert.deepEqual([wrong.code, wrong.stderr], [2, '--limit must be a whole number from 1 to 50; it is "51".\n']);
    assert.equal((await galley(['message'])).code, 2);
  });
});

describe('galley queue', () => {
  it('shows what waits, and cancels it', async () => {
    const sent = await galley(['send', 'mail.html', '--to', 'wait@queue.example', '--json', ...FROM]);
    const { id } = JSON.parse(sent.stdout);
    const summary = await galley(['queue']);
    assert.match(
      summary.stdout,
      /^Nothing leaves this machine: messages are captured\.\n\d+ wait, 0 are being delivered\.\n/,
    );
    assert.match(summary.stdout, /^ +1 {2}queue\.example {2}1 due, next .* UTC {2}They wait for their turn\.$/m);
    const list = await galley(['queue', 'list', '--message', id]);
    const key = /^(\S+) {2}wait@queue\.example {2}due, 0 tried {2}“Spring”\n {4}It waits for its turn\./.exec(
      list.stdout,
    )?.[1];
    assert.ok(key, list.stdout);
    const tried = await galley(['queue', 'try', key]);
    assert.equal(tried.stdout, 'Nothing of this message was waiting for another attempt.\n');
    const canceled = await galley(['queue', 'cancel', key, '--json']);
    assert.deepEqual(JSON.parse(canceled.stdout), { message: 'Canceled for 1 recipient.', canceled: 1 });
    assert.equal((await galley(['queue', 'list', '--message', id])).stdout, 'Nothing waits that fits.\n');
    assert.deepEqual((await galley(['queue', 'cancel', 'nobody'])).stderr, 'Message not found\n');
  });
});

/** Passes requests on to Galley, or breaks their connections. */
async function startProxy(): Promise<{ url: string; server: Server; state: { isBroken: boolean; broken: number } }> {
  const state = { isBroken: false, broken: 0 };
  const server = createServer((request, response) => {
    if (state.isBroken) {
      state.broken += 1;
      request.socket.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const headers = { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' };
        void fetch(app.url + request.url, {
          method: request.method ?? 'GET',
          headers,
          body: Buffer.concat(chunks),
        }).then(async (answer) =>
          response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text()),
        );
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, state };
}

describe('galley logs', () => {
  const hostile = 'Red \u001b[31m \u202egnp.exe';
  const sendHostile = (to: string) =>
    app.call(`POST /v3/${DOMAIN}/messages`, { body: { from: `ann@${DOMAIN}`, to, subject: hostile, text: 'x' } });

  it('shows the newest events, and nothing that a terminal acts on', async () => {
    await sendHostile('first@logs.example');
    await sendHostile('second@logs.example');
    app.clock.advance(3000);
    const args = ['logs', '--recipient', 'LOGS.example', '--event', 'accepted', '--since', '2000-01-01'];
    const { code, stdout, stderr } = await galley(args);
    assert.deepEqual([code, stderr], [0, '']);
    const lines = stdout.trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => line.split(/ {2,}/).slice(1)),
      ['first', 'second'].map((name) => ['accepted', `${name}@logs.example`, DOMAIN, '“Red [31m gnp.exe”']),
    );
    const newest = await galley([...args, '--limit', '1', '--json']);
    // eslint-disable-next-line no-control-regex
    assert.doesNotMatch(newest.stdout, /[\u001b\u202e]/);
    const event = JSON.parse(newest.stdout);
    assert.deepEqual([event.recipient, event.message.headers.subject], ['second@logs.example', hostile]);
    assert.deepEqual(await galley(['logs', '--recipient', 'nobody@logs.example']), { code: 0, stdout: '', stderr: '' });
  });

  it('follows, goes on where it was when the connection was lost, and ends with Ctrl-C', async () => {
    const { url, server, state } = await startProxy();
    const program = start(['logs', '--follow', '--since', '2000-01-01', '--recipient', 'follow.example', '--url', url]);
    try {
      await sendHostile('one@follow.example');
      app.clock.advance(3000);
      await program.says(/(accepted.*one@follow\.example)/);
      state.isBroken = true;
      await sendHostile('two@follow.example');
      app.clock.advance(3000);
      while (state.broken < 2) await new Promise((resolve) => setTimeout(resolve, 20));
      assert.doesNotMatch(program.stdout(), /two@/);
      state.isBroken = false;
      await program.says(/(accepted.*two@follow\.example)/);
      program.child.kill('SIGINT');
      assert.equal((await program.ended).code, 130);
      assert.equal(program.stdout().trimEnd().split('\n').length, 2);
      assert.match(program.stderr(), /^Galley cannot be reached\..*Trying again …\nGalley answers again\.\n$/);
    } finally {
      await program.end();
      server.close();
      server.closeAllConnections();
    }
  });
});
