// What a message leaves from, named in its header.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../../platform/dns/index.ts';
import { startMailServer, type MailServer } from '../../../../test/harness/mail-server.ts';
import { countMessages, DOMAIN, lastMessage, mailProgram, mimeOf, startBed, type Bed } from './submission.fixture.ts';

const LETTER = { from: `ann@${DOMAIN}`, to: 'bob@example.net', subject: 'Hello', text: 'Hello' };

let bed: Bed;
let server: MailServer;
before(async () => {
  server = await startMailServer({});
  const zone: Record<string, DeclaredRecords> = {
    'example.net': { MX: ['10 mx.example.net'] },
    'mx.example.net': { A: ['127.0.0.1'] },
  };
  const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };
  bed = await startBed(
    {
      GALLEY_ROLES: 'api,work,mail,send',
      GALLEY_DELIVERY: 'live',
      GALLEY_ALLOW_HOSTS: '127.0.0.0/8',
      GALLEY_SENDING_IPS: '127.0.0.2=mail2.example.com,127.0.0.3=mail3.example.com',
    },
    { dns, mail: { mxPort: server.port, replyTimeoutMs: 5000, greetingTimeoutMs: 2000 } },
  );
  const { sending_dns_records: records } = (await bed.app.call(`GET /v4/domains/${DOMAIN}`)).body;
  for (const { name, value } of records) zone[name] = { TXT: [value] };
  assert.equal((await bed.app.call(`PUT /v4/domains/${DOMAIN}/verify`)).body.domain.state, 'active');
});
after(async () => {
  await bed?.close();
  await server?.close();
});

const send = (headers: Record<string, string>) => mailProgram(bed).sendMail({ ...LETTER, headers });

/** What the events of the message that came last say of where it left from. */
async function leftFrom(): Promise<unknown> {
  const { key } = await lastMessage(bed);
  for (;;) {
    const { items } = (await bed.app.call(`GET /v3/${DOMAIN}/events?event=delivered&limit=300`)).body;
    const found = items.find(({ storage }: any) => storage.key === key);
    if (found) return [found.envelope['sending-ip'], found.envelope['i-ip-pool-id']];
    bed.app.clock.advance(3000);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('X-Mailgun-Sending-Ip and X-Mailgun-Sending-Ip-Pool', () => {
  it('say where a message leaves from, and are taken out', async () => {
    const body = { name: 'letters', description: '', ip: '127.0.0.3' };
    const { pool_id: poolId } = (await bed.app.call('POST /v3/ip_pools', { body })).body;
    for (const [headers, ip, pool] of [
      [{ 'X-Mailgun-Sending-Ip': '127.0.0.2' }, '127.0.0.2', undefined],
      [{ 'X-Galley-Sending-Ip': ' 127.0.0.3 ' }, '127.0.0.3', poolId],
      [{ 'X-Mailgun-Sending-Ip-Pool': poolId }, '127.0.0.3', poolId],
    ] as const) {
      await send(headers);
      assert.deepEqual(await leftFrom(), [ip, pool], JSON.stringify(headers));
      assert.equal(server.messages.at(-1)?.client.ip, ip);
      assert.doesNotMatch(await mimeOf(bed, (await lastMessage(bed)).key), /sending-ip/i);
    }
  });

  for (const [headers, words] of [
    [{ 'X-Mailgun-Sending-Ip': '192.0.2.9' }, /^55\d 5\.\d\.\d .*"192\.0\.2\.9" is not known/],
    [{ 'X-Mailgun-Sending-Ip': 'mail2' }, /^55\d 5\.\d\.\d .*"mail2" is not an IP address/],
    [{ 'X-Mailgun-Sending-Ip-Pool': 'none' }, /^55\d 5\.\d\.\d .*"none" is not known, or has no addresses/],
    [
      { 'X-Mailgun-Sending-Ip': '127.0.0.2', 'X-Mailgun-Sending-Ip-Pool': 'none' },
      /^55\d 5\.\d\.\d .*are both given; give one of them/,
    ],
  ] as const)
    it(`refuse ${JSON.stringify(headers)}, and nothing is taken`, async () => {
      const before = await countMessages(bed);
      await assert.rejects(send(headers), (error: Error & { response: string }) => {
        assert.match(error.response, words);
        return true;
      });
      assert.equal(await countMessages(bed), before);
    });
});
