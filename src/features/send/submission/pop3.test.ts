// Inboxes of the sandbox are read by POP3: by curl and by Python's poplib, and by hand where they would not.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
let port: number;
let inbox: any;
const SOURCE = 'From: ann@shop.example\r\nTo: bob@example.net\r\nSubject: Dots\r\n\r\n.\r\n..two\r\n.hidden\r\nend\r\n';

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,mail', GALLEY_POP3_PORT: '0' });
  const line = app.galley.about.find((text) => text.startsWith('pop3: ')) ?? '';
  port = Number(/:(\d+), /.exec(line)?.[1]);
  assert.ok(port > 0, line);
  inbox = (await app.call('POST /v1/sandbox', { body: { name: 'pop' } })).body;
});
after(() => app?.close());

async function put(source: string): Promise<string> {
  const body = new FormData();
  body.set('to', 'bob@example.net');
  body.set('message', new Blob([source]), 'message.eml');
  const answer = await app.call('POST /v1/sandbox/pop/messages', { body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.sandbox_message_id;
}

/** What a program prints. */
async function printed(command: string, args: readonly string[], input = ''): Promise<string> {
  const program = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  program.stdin.end(input);
  let [out, error] = ['', ''];
  program.stdout.on('data', (data) => (out += data));
  program.stderr.on('data', (data) => (error += data));
  const [code] = await once(program, 'close');
  assert.equal(code, 0, `${command}: ${error}`);
  return out;
}

/** A connection that is spoken to line by line. */
async function connect() {
  const socket = net.connect(port, '127.0.0.1');
  socket.setEncoding('latin1');
  let held = '';
  socket.on('data', (data) => (held += data));
  socket.on('error', () => undefined);
  const line = async (): Promise<string> => {
    for (;;) {
      const end = held.indexOf('\r\n');
      if (end !== -1) {
        const found = held.slice(0, end);
        held = held.slice(end + 2);
        return found;
      }
      if (socket.readableEnded || socket.destroyed) return '(closed)';
      const waiting = new AbortController();
      const { signal } = waiting;
      await Promise.race(['data', 'end', 'close'].map((event) => once(socket, event, { signal }))).catch(
        () => undefined,
      );
      waiting.abort();
    }
  };
  assert.match(await line(), /^\+OK /);
  const say = (text: string): Promise<string> => (socket.write(`${text}\r\n`, 'latin1'), line());
  return { say, line, socket, close: () => socket.destroy() };
}

async function loggedIn() {
  const client = await connect();
  assert.equal(await client.say(`USER ${inbox.smtp_user}`), '+OK');
  assert.match(await client.say(`PASS ${inbox.smtp_password}`), /^\+OK \d+ messages$/);
  return client;
}

describe('POP3', () => {
  it('hands out what is there, byte for byte, to curl', async () => {
    const [first, second] = [await put(SOURCE), await put(SOURCE.replace('Dots', 'Later'))];
    const url = `pop3://127.0.0.1:${port}`;
    const user = `${inbox.smtp_user}:${inbox.smtp_password}`;
    const list = await printed('curl', ['-sS', '-u', user, `${url}/`, '-X', 'UIDL']);
    assert.deepEqual(list.trim().split(/\r?\n/), [`1 ${first}`, `2 ${second}`]);
    const kept = await fetch(`${app.url}/v1/sandbox/pop/messages/${first}/source`, {
      headers: { authorization: `Basic ${btoa(`api:${app.key}`)}` },
    });
    const source = await kept.text();
    assert.equal(await printed('curl', ['-sS', '-u', user, `${url}/1`]), source);
    const encrypted = await printed('curl', ['-sS', '-k', '--ssl-reqd', '-u', user, `${url}/1`]);
    assert.equal(encrypted, source);
  });

  it('is spoken to by Python’s poplib, which deletes', async () => {
    const script = `
import poplib, sys
box = poplib.POP3('127.0.0.1', ${port})
box.stls(); box.user(sys.argv[1]); box.pass_(sys.argv[2])
print(box.stat()[0], len(box.list()[1]), len(box.uidl()[1]))
print(b'|'.join(box.top(2, 1)[1][-2:]))
print(b'|'.join(box.retr(1)[1][-4:]))
box.dele(1); print(box.stat()[0]); box.rset(); print(box.stat()[0]); box.dele(2); box.quit()
`;
    const out = await printed('python3', ['-', inbox.smtp_user, inbox.smtp_password], script);
    assert.deepEqual(out.trim().split('\n'), ['2 2 2', "b'|.'", "b'.|..two|.hidden|end'", '1', '2']);
    const { items } = (await app.call('GET /v1/sandbox/pop/messages')).body;
    assert.deepEqual(
      items.map(({ subject }: any) => subject),
      ['Dots'],
    );
  });

  it('deletes nothing when a connection breaks', async () => {
    const client = await loggedIn();
    assert.equal(await client.say('DELE 1'), '+OK');
    client.close();
    assert.equal((await app.call('GET /v1/sandbox/pop')).body.message_count, 1);
  });

  it('answers wrong words with what is wrong', async () => {
    const client = await connect();
    for (const [said, answer] of [
      ['STAT', /^-ERR log in first/],
      ['PASS x', /^-ERR USER comes first/],
      ['USER ann@mail.example.com', /^\+OK/],
      ['PASS x', /^-ERR \[AUTH\] only inboxes of the sandbox are read here/],
      [`USER ${inbox.smtp_user}`, /^\+OK/],
      ['PASS wrong', /^-ERR \[AUTH\] The login or the password is wrong/],
      [`USER ${inbox.smtp_user}`, /^\+OK/],
      [`PASS ${inbox.smtp_password}`, /^\+OK 1 messages/],
      ['RETR 2', /^-ERR no such message/],
      ['RETR -1', /^-ERR no such message/],
      ['TOP 1', /^-ERR TOP takes/],
      ['LIST 1 2', /^-ERR no such message/],
      ['EXPN', /^-ERR unknown command/],
      ['NOOP', /^\+OK/],
    ] as const)
      assert.match(await client.say(said), answer, said);
    assert.match(await client.say('x'.repeat(2000)), /^-ERR (?:the line is too long|unknown command)/);
    client.close();
  });

  it('ends a connection after three wrong passwords', async () => {
    const client = await connect();
    for (let tries = 0; tries < 3; tries += 1) {
      await client.say(`USER sandbox-${'0'.repeat(16)}`);
      assert.match(await client.say('PASS guess'), /^-ERR \[AUTH\]/);
    }
    assert.equal(await client.line(), '(closed)');
  });

  it('reads no other inbox', async () => {
    const other = (await app.call('POST /v1/sandbox', { body: { name: 'other' } })).body;
    const client = await connect();
    await client.say(`USER ${other.smtp_user}`);
    assert.match(await client.say(`PASS ${inbox.smtp_password}`), /^-ERR \[AUTH\]/);
    await client.say(`USER ${other.smtp_user}`);
    assert.match(await client.say(`PASS ${other.smtp_password}`), /^\+OK 0 messages/);
    assert.match(await client.say('RETR 1'), /^-ERR no such message/);
    client.close();
  });
});
