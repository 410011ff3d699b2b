// What a route posts, read as receivers of this API read it: the form by the parser of the platform, the signature by
// mailgun-js, unmodified.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connectSmtp } from '../harness/smtp-client.ts';
import { startApp, type App } from '../harness/start-app.ts';
import { requireTestPackage } from '../harness/test-packages.ts';
import { startWebServer, type WebServer } from '../harness/web-server.ts';

const mailgunJs = requireTestPackage('mailgun-js');

const DOMAIN = 'in.example.com';

interface Received {
  fields: Record<string, string>;
  files: Record<string, { name: string; type: string; text: string }>;
}

let app: App;
let server: WebServer;
const received: Received[] = [];

async function read(headers: Record<string, unknown>, bytes: Uint8Array): Promise<Received> {
  const type = String(headers['content-type']);
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  const found: Received = { fields: {}, files: {} };
  for (const [name, value] of form)
    if (typeof value === 'string') found.fields[name] = value;
    else found.files[name] = { name: value.name, type: value.type, text: await value.text() };
  return found;
}

before(async () => {
  server = await startWebServer(async ({ headers, bytes }, response) => {
    received.push(await read(headers, bytes));
    response.writeHead(200).end();
  });
  app = await startApp({ GALLEY_ROLES: 'api,work,mail', GALLEY_ALLOW_HOSTS: server.host });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const action = `forward("${server.url}/mail")`;
  await app.call('POST /v3/routes', { body: { expression: 'catch_all()', action } });
});
after(async () => {
  await app?.close();
  await server?.close();
});

async function receive(message: readonly string[]): Promise<Received> {
  const count = received.length;
  const client = await connectSmtp(app.galley.outside.ownSmtp!.port);
  for (const line of ['EHLO client.test', 'MAIL FROM:<ann@sender.example>', `RCPT TO:<shop@${DOMAIN}>`, 'DATA'])
    await client.say(line);
  assert.match(await client.say(`${message.join('\r\n')}\r\n.`), /^250 /);
  client.close();
  while (received.length === count) await new Promise((resolve) => setTimeout(resolve, 30));
  return received[count]!;
}

async function assertSigned({ fields: { timestamp, token, signature } }: Received): Promise<void> {
  const { http_signing_key: apiKey } = (await app.call('GET /v5/accounts/http_signing_key')).body;
  const client = mailgunJs({ apiKey, domain: DOMAIN });
  assert.equal(client.validateWebhook(timestamp, token, signature), true);
  assert.equal(client.validateWebhook(timestamp, `${token}0`, signature), false);
}

const HEADER = ['From: Ann <ann@sender.example>', 'Subject: =?utf-8?q?Caf=C3=A9?=', 'MIME-Version: 1.0'];

describe('what a route posts', () => {
  it('is read by receivers of this API, with its files', async () => {
    const post = await receive([
      ...HEADER,
      'Content-Type: multipart/mixed; boundary="m"',
      '',
      '--m',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'It has not come.',
      '',
      'On 1 May 2026, Shop <shop@in.example.com> wrote:',
      '> Has it come?',
      '--m',
      'Content-Type: text/csv; name="list.csv"',
      'Content-Disposition: attachment; filename="list.csv"',
      '',
      'a,b',
      '--m--',
      '',
    ]);
    await assertSigned(post);
    const { fields, files } = post;
    assert.deepEqual(
      [fields['recipient'], fields['sender'], fields['from'], fields['subject'], fields['stripped-text']],
      [`shop@${DOMAIN}`, 'ann@sender.example', 'Ann <ann@sender.example>', 'Café', 'It has not come.'],
    );
    assert.equal(fields['attachment-count'], '1');
    assert.deepEqual([files['attachment-1']!.name, files['attachment-1']!.type], ['list.csv', 'text/csv']);
    assert.equal(files['attachment-1']!.text.trim(), 'a,b');
    const headers = new Map<string, string>(JSON.parse(fields['message-headers']!));
    assert.equal(headers.get('From'), 'Ann <ann@sender.example>');
  });

  it('is read urlencoded where it has no files', async () => {
    const post = await receive([...HEADER, 'Content-Type: text/plain', '', 'Hello there']);
    await assertSigned(post);
    const { fields, files } = post;
    assert.deepEqual([fields['body-plain']?.trim(), fields['subject'], files], ['Hello there', 'Café', {}]);
  });
});
