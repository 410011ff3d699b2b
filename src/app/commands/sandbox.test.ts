// `galley sandbox`, against a Galley that runs.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startProgram } from '../../../test/harness/program.ts';
import { startApp, type App } from '../../../test/harness/start-app.ts';

const MAIN = join(import.meta.dirname, '../../main.ts');
const DOMAIN = 'news.example.com';

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
});
after(() => app.close());

async function galley(...args: readonly string[]) {
  const program = startProgram([process.execPath, MAIN, 'sandbox', ...args, '--url', app.url], {
    env: { GALLEY_API_KEY: app.key },
  });
  const { code } = await program.ended;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

async function send(to: string, subject: string): Promise<string> {
  const { body } = await app.call('POST /v1/sandbox/shop/messages', {
    body: {
      from: `app@${DOMAIN}`,
      to,
      subject,
      text: 'Your code: 4711\n\tand \u001b[31mmore',
      html: '<p>Your code: <b>4711</b>',
    },
  });
  return body.sandbox_message_id;
}

describe('galley sandbox', () => {
  it('makes an inbox and lists it', async () => {
    assert.equal((await galley('list')).stdout, 'No inbox. `galley sandbox create NAME` makes one.\n');
    const made = await galley('create', 'shop', '--retention-days', '3');
    assert.deepEqual([made.code, made.stderr], [0, '']);
    assert.match(
      made.stdout,
      /^The inbox shop is there\. .*\nHost: .*\nPort: .*\nUser: +sandbox-[0-9a-f]{16}\nPassword: +[\w-]{32}\n/,
    );
    assert.match((await galley('list')).stdout, /^shop {2}0 messages {2}kept 3 days {2}user sandbox-/);
    const twice = await galley('create', 'shop');
    assert.deepEqual([twice.code, twice.stderr], [1, 'This account has an inbox with the name "shop" already.\n']);
    const json = JSON.parse((await galley('create', 'other', '--json', '--messages-max', '5')).stdout);
    assert.deepEqual([json.name, json.messages_max, typeof json.smtp_password], ['other', 5, 'string']);
  });

  it('waits for a message, lists and shows it', async () => {
    const waiting = galley('latest', 'shop', '--to', 'ann@example.net', '--wait', '60');
    const id = await send('ann@example.net', 'Confirm \u202egnihtyna');
    const { code, stdout } = await waiting;
    assert.equal(code, 0);
    assert.match(
      stdout,
      new RegExp(
        `^Id: +${id}\nNumber: +1\nCame: +[-0-9]{10} [:0-9]{8} UTC, by HTTP\nFrom: +app@news\\.example\\.com\n` +
          'To: +ann@example\\.net\nSubject: +Confirm gnihtyna\n\nYour code: 4711\n\tand  \\[31mmore\n',
      ),
    );
    assert.match(
      (await galley('messages', 'shop')).stdout,
      new RegExp(`^${id} {2}[-0-9]{10} [:0-9]{8} {2}ann@example\\.net {2}“Confirm gnihtyna”\n$`),
    );
    assert.equal((await galley('messages', 'shop', '--subject', 'nothing')).stdout, 'No message that fits.\n');
    assert.equal((await galley('messages', 'shop', '--tag', 'nothing')).stdout, 'No message that fits.\n');
    assert.match((await galley('show', 'shop', id, '--part', 'html')).stdout, /^<p>Your code: <b>4711<\/b>/);
    assert.match((await galley('show', 'shop', id, '--part', 'headers')).stdout, /^To: ann@example\.net$/m);
    assert.equal(JSON.parse((await galley('show', 'shop', id, '--json')).stdout).subject, 'Confirm \u202egnihtyna');
    const lines = (await galley('messages', 'shop', '--json')).stdout.trim().split('\n');
    assert.deepEqual([lines.length, JSON.parse(lines[0]!).id], [1, id]);
  });

  it('says that no message came, and what is not there', async () => {
    const none = await galley('latest', 'shop', '--to', 'nobody@example.net', '--wait', '1');
    assert.deepEqual(
      [none.code, none.stdout, none.stderr],
      [
        1,
        '',
        'The sandbox inbox "shop" has no message that matches to=nobody@example.net; none came within 1 seconds.\n',
      ],
    );
    const strange = await galley('messages', 'nowhere');
    assert.deepEqual([strange.code, strange.stderr], [1, 'No sandbox inbox has the id or the name "nowhere".\n']);
  });

  it('releases a message, and clears an inbox', async () => {
    const id = await send('bob@example.net', 'Released');
    const released = await galley('release', 'shop', id, '--domain', DOMAIN, '--to', 'me@example.net');
    assert.match(released.stdout, /^Queued for me@example\.net: <.+>\n$/, released.stderr);
    const both = await galley('release', 'shop', id, '--domain', DOMAIN, '--to', 'me@example.net, you@example.net');
    assert.match(both.stdout, /^Queued for me@example\.net, you@example\.net: <.+>\n$/, both.stderr);
    const wrong = await galley('release', 'shop', id, '--domain', DOMAIN, '--to', 'me,you@example.net,them');
    assert.equal(wrong.stderr, 'to must be addresses such as ann@example.com; "me", "them" are none.\n');
    const refused = await galley('release', 'shop', id, '--domain', 'nobody.example', '--to', 'me@example.net');
    assert.equal(refused.code, 1);
    assert.equal((await galley('clear', 'shop')).stdout, 'Deleted 2 messages.\n');
    assert.equal((await galley('clear', 'shop', '--json')).stdout.includes('"count":0'), true);
  });

  const wrong: [string[], RegExp][] = [
    [[], /^galley sandbox <command> \[options\]\n/],
    [['lst'], /^Unknown command "sandbox lst"\. Did you mean "list"\?/],
    [['create'], /^Something is missing: `galley sandbox create NAME`\.\n$/],
    [['clear', 'a', 'b'], /^"b" is too much: `galley sandbox clear INBOX`\.\n$/],
    [['list', '--wait', '3'], /^--wait does not go with `galley sandbox list`\.\n$/],
    [['latest', 'a', '--wait', '61'], /^--wait must be a whole number from 0 to 60; it is "61"\.\n$/],
    [['show', 'a', 'b', '--part', 'pdf'], /^--part must be one of text, html, headers; it is "pdf"\.\n$/],
    [['show', 'a', 'b', '--part', 'text', '--json'], /^--part does not go with --json/],
    [['release', 'a', 'b'], /^Name the sending domain and the address: --domain /],
  ];
  it('ends with 2 for wrong words and options, and says what is right', async () => {
    for (const [args, words] of wrong) {
      const { code, stdout, stderr } = await galley(...args);
      assert.deepEqual([code, stdout], [2, ''], `${args.join(' ')}: ${stderr}`);
      assert.match(stderr, words);
    }
  });
});
