// A list of 10,000 members, uploaded as a file and mailed: each has one copy, in a service that captures.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'many.example.com';
const LIST = `all@${DOMAIN}`;
const MEMBERS = 10_000;

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,send' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  await app.call('POST /v3/lists', { body: { address: LIST } });
});
after(() => app.close());

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 50));
}

const rowCount = async (query: string): Promise<number> =>
  Number(((await app.galley.outside.db.text(query, [])).rows[0] as { count: string }).count);

describe('a list of ten thousand', () => {
  it('is uploaded, and a message to it reaches each member once', async (test) => {
    const rows = Array.from({ length: MEMBERS }, (_, place) => `r${place}@example.net,Reader ${place},${place}`);
    const form = new FormData();
    form.append('members', new File([['address,name,number', ...rows].join('\n')], 'members.csv'));
    let begun = performance.now();
    const { body } = await app.call(`POST /v3/lists/${LIST}/members.csv`, { body: form });
    const path = `GET /v1/galley/lists/${LIST}/uploads/${body['task-id']}`;
    await until(async () => (await app.call(path)).body.state === 'finished');
    test.diagnostic(`uploaded in ${Math.round(performance.now() - begun)} ms`);
    assert.equal((await app.call(path)).body.added, MEMBERS);
    begun = performance.now();
    const letter = { from: `Ann <ann@${DOMAIN}>`, to: LIST, subject: 'To all', text: 'Number %recipient.number%' };
    assert.equal((await app.call(`POST /v3/${DOMAIN}/messages`, { body: letter })).status, 200);
    await until(
      async () => (await rowCount('select count(*) from mailing_list_postings where finished_at is not null')) === 1,
    );
    await until(async () => (await rowCount('select count(*) from deliveries')) === 0);
    test.diagnostic(`mailed in ${Math.round(performance.now() - begun)} ms`);
    app.clock.advance(3000);
    const recipients: string[] = [];
    let next = `/v3/${DOMAIN}/events?event=delivered&limit=300&list=${LIST}`;
    for (;;) {
      const { items, paging } = (await app.call(`GET ${next}`)).body;
      if (items.length === 0) break;
      recipients.push(...items.map(({ recipient }: any) => recipient));
      next = new URL(paging.next).pathname + new URL(paging.next).search;
    }
    assert.deepEqual([recipients.length, new Set(recipients).size], [MEMBERS, MEMBERS]);
  });
});
