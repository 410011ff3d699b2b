import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { connectSmtp } from '../../../../test/harness/smtp-client.ts';

const LISTS = '/v4/inbox/seedlists';
const RESULTS = '/v4/inbox/results';
const GATEWAY = 'gateway.local-receiver.example';
const LETTER =
  '<p>The tomatoes are out of the greenhouse at last, and the roses by the south wall have begun to flower.</p>';

let app: App;
let port: number;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,mail', GALLEY_SMTP_DOMAIN: 'galley.test' });
  port = app.galley.outside.ownSmtp!.port;
});
after(() => app.close());

async function makeList(seeds: number): Promise<{ id: string; addresses: string[] }> {
  const { body } = await app.call(`POST ${LISTS}`, { body: { provider_filter: [GATEWAY], seeds_per_provider: seeds } });
  return { id: body.target_email, addresses: body.mailing_list.split(',').slice(1) };
}

/** One copy of a mailing that somebody else sends; answers what the listener said to it. */
async function send(to: string, { subject, fields = '' }: { subject: string; fields?: string }): Promise<string> {
  const client = await connectSmtp(port);
  for (const line of ['EHLO shop.example', 'MAIL FROM:<news@shop.example>', `RCPT TO:<${to}>`, 'DATA'])
    await client.say(line);
  const answer = await client.say(
    `${fields}From: news@shop.example\r\nTo: ${to}\r\nSubject: ${subject}\r\n` +
      `Content-Type: text/html\r\n\r\n${LETTER}\r\n.`,
  );
  client.close();
  return answer;
}

async function resultsOf(list: string): Promise<any[]> {
  return (await app.call(`GET ${RESULTS}?target_email=${encodeURIComponent(list)}`)).body.items;
}

async function dropped(): Promise<number> {
  const { body } = await app.call('GET /metrics');
  return Number(/^galley_late_mail_total\{kind="placement"\} (\d+)$/m.exec(body)?.[1] ?? 0);
}

describe('mail of a placement test that was deleted while it came in', () => {
  it('is dropped and counted: the rest of a mailing makes no new result', async () => {
    const { id, addresses } = await makeList(4);
    const before = await dropped();
    for (const to of addresses.slice(0, 2)) await send(to, { subject: 'Half way' });
    const [result] = await resultsOf(id);
    assert.equal((await app.call(`DELETE ${RESULTS}/${result.result_id}`)).status, 200);
    for (const to of addresses.slice(2)) assert.match(await send(to, { subject: 'Half way' }), /^250 /);
    assert.deepEqual([await resultsOf(id), (await dropped()) - before], [[], 2]);
  });

  it('does not stand in the way of the next mailing, though it has the same subject', async () => {
    const { id, addresses } = await makeList(3);
    const before = await dropped();
    await send(addresses[0]!, { subject: 'Again' });
    await app.call(`DELETE ${RESULTS}/${(await resultsOf(id))[0].result_id}`);
    await send(addresses[1]!, { subject: 'Something else' });
    for (const to of addresses) await send(to, { subject: 'Again' });
    const results = await resultsOf(id);
    assert.deepEqual(results.map(({ subject }) => subject).sort(), ['Again', 'Something else']);
    const again = results.find(({ subject }) => subject === 'Again');
    assert.deepEqual(
      [again.delivery_stats.all.total, again.delivery_stats.all.pending, (await dropped()) - before],
      [3, 0, 0],
    );
  });

  it('is dropped when it carries the mark of a test that is not there any more', async () => {
    const { id, addresses } = await makeList(1);
    const before = await dropped();
    const fields = `X-Galley-Seed: ${'0'.repeat(31)}a\r\n`;
    assert.match(await send(addresses[0]!, { subject: 'Marked', fields }), /^250 /);
    assert.deepEqual([await resultsOf(id), (await dropped()) - before], [[], 1]);
  });

  it('leaves nothing behind, deleted at any moment', async () => {
    const { id } = await makeList(30);
    const refused = await app.call('POST /v4/inbox/tests', {
      body: { from: 'a@elsewhere.example', subject: 'x', html: 'x' },
    });
    const from = `news@${/sandbox\w+\.galley\.test/.exec(refused.body.message)?.[0]}`;
    for (const waitMs of [0, 30, 90, 200]) {
      const { body } = await app.call('POST /v4/inbox/tests', {
        body: { from, subject: `After ${waitMs}`, html: LETTER, seed_list: id },
      });
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      assert.equal((await app.call(`DELETE ${RESULTS}/${body.result_id}`)).status, 200);
      await app.idle();
      assert.deepEqual(await resultsOf(id), []);
      for (const name of ['message', 'message.json'])
        assert.equal(await app.galley.outside.blobs.get(`placements/${body.result_id}/${name}`), undefined);
    }
  });
});
