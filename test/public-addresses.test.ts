// Every address that needs no key, and when it ends: with its share, and with its account.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from './harness/start-app.ts';
import { connectSmtp } from './harness/smtp-client.ts';

const DOT = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const DAY_MS = 86_400_000;

let app: App;
before(async () => {
  app = await startApp({ GALLEY_SMTP_DOMAIN: 'galley.test' });
});
after(() => app.close());

/** What one account can do, in its own name. */
interface Owner {
  id: string;
  call(operation: string, body?: unknown): Promise<any>;
}

async function newOwner(name: string): Promise<Owner> {
  const { id } = (await app.call(`POST /v5/accounts/subaccounts?name=${name}`)).body.subaccount;
  return {
    id,
    async call(operation, body) {
      const answer = await app.call(operation, {
        ...(body !== undefined && { body }),
        headers: { 'x-service-account-id': id },
      });
      assert.ok(answer.status < 300, `${operation}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
  };
}

const statusOf = async (address: string): Promise<number> => (await app.call(`GET ${address}`, { key: null })).status;

async function until<Value>(ask: () => Promise<Value | undefined | false>): Promise<Value> {
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A finished test: the addresses of its pictures as its owner has them. */
async function newTest(owner: Owner): Promise<{ id: string; pictures: string[] }> {
  const { id } = await owner.call('POST /v2/preview/tests', {
    subject: 'Public',
    html: '<p>Hi</p>',
    clients: ['gmail_chrome'],
  });
  await until(async () => (await owner.call(`GET /v2/preview/tests/${id}`)).completed.length === 1);
  return { id, pictures: picturesIn((await owner.call(`GET /v1/preview/tests/${id}/results`)).gmail_chrome) };
}

function picturesIn(result: {
  screenshots: Record<string, string>;
  thumbnail: string;
  fullthumbnail: string;
}): string[] {
  return [...Object.values(result.screenshots), result.thumbnail, result.fullthumbnail];
}

async function sharedPictures(uuid: string): Promise<string[]> {
  const { body } = await app.call(`GET /v1/preview/sharing/public/${uuid}`, { key: null });
  return body.results.flatMap(picturesIn);
}

const all = async (addresses: readonly string[]): Promise<number[]> => [
  ...new Set(await Promise.all(addresses.map(statusOf))),
];

describe('the pictures of a share', () => {
  it('have addresses of the share, which end when it is disabled, rotated, expired or deleted; the owner’s stay', async () => {
    const owner = await newOwner('Sharing');
    const { id, pictures } = await newTest(owner);
    const token = /files\/previews\/([0-9a-f]+)\//.exec(pictures[0] as string)?.[1] as string;
    const { uuid } = await owner.call('POST /v1/preview/sharing', { test_id: id });
    const shared = await sharedPictures(uuid);
    assert.deepEqual(
      shared,
      pictures.map((url) => url.replace(`/files/previews/${token}/`, `/files/shares/${uuid}/`)),
    );
    assert.deepEqual(await all(shared), [200]);
    assert.deepEqual(
      Buffer.from((await app.call(`GET ${shared[0]}`, { key: null })).body),
      Buffer.from((await app.call(`GET ${pictures[0]}`, { key: null })).body),
    );

    await owner.call(`PUT /v1/preview/sharing/${id}?enabled=false`);
    assert.deepEqual(await all(shared), [404], 'disabled');
    await owner.call(`PUT /v1/preview/sharing/${id}?enabled=true`);
    assert.deepEqual(await all(shared), [200]);

    const rotated = await sharedPictures((await owner.call(`POST /v1/preview/sharing/${id}/rotate`)).uuid);
    assert.deepEqual([await all(shared), await all(rotated)], [[404], [200]], 'rotated');

    app.clock.advance(31 * DAY_MS);
    assert.deepEqual(await all(rotated), [410], 'expired');
    const anew = await sharedPictures((await owner.call(`POST /v1/preview/sharing/${id}/rotate`)).uuid);
    assert.deepEqual(await all(anew), [200]);
    await owner.call(`DELETE /v1/preview/sharing/${id}`);
    assert.deepEqual(await all(anew), [404], 'deleted');

    assert.deepEqual(picturesIn((await owner.call(`GET /v1/preview/tests/${id}/results`)).gmail_chrome), pictures);
    assert.deepEqual(await all(pictures), [200], 'the owner’s');
  });

  it('are those of its own test only', async () => {
    const owner = await newOwner('Two');
    const [one, other] = [await newTest(owner), await newTest(owner)];
    const { uuid } = await owner.call('POST /v1/preview/sharing', { test_id: one.id });
    assert.equal(await statusOf(`/files/shares/${uuid}/gmail_chrome/default.png`), 200);
    assert.equal(await statusOf(`/files/shares/${uuid}/ol2021/default.png`), 404);
    assert.equal(await statusOf(`/files/shares/${other.id}/gmail_chrome/default.png`), 404);
  });
});

describe('a disabled account', () => {
  it('answers at none of its public addresses, and takes no mail, until it is opened again', async () => {
    const owner = await newOwner('Switched');
    const { id, pictures } = await newTest(owner);
    const { uuid } = await owner.call('POST /v1/preview/sharing', { test_id: id });
    const shared = await sharedPictures(uuid);
    const { job_id } = await owner.call(`POST /v2/preview/tests/${id}/exports`, { clients: ['gmail_chrome'] });
    const zip = await until(async () => (await owner.call(`GET /v2/preview/tests/${id}/exports/${job_id}`)).zip_url);
    const image = await owner.call('POST /v1/inspect/images/upload', { image: DOT, file_name: 'dot.gif' });
    const file = /"(http[^"]*\/files\/images\/[^"]+)"/.exec(JSON.stringify(image))?.[1] as string;
    const {
      items: [sandbox],
    } = await owner.call('GET /v4/domains');
    const { result_id } = await owner.call('POST /v4/inbox/tests', {
      from: `news@${sandbox.name}`,
      subject: 'Public',
      html: '<p>Hi</p>',
      provider_filter: ['webmail.local-receiver.example'],
      seeds_per_provider: 1,
    });
    const { sharing } = await owner.call(`PUT /v4/inbox/sharing/${result_id}?enabled=true`);
    const placement = `/v4/inbox/sharing/public/${sharing.url_id}`;
    const list = await owner.call('POST /v4/inbox/seedlists', {
      provider_filter: ['webmail.local-receiver.example'],
      seeds_per_provider: 1,
    });
    const seed = list.mailing_list.split(',')[1] as string;
    const { preview_address } = await owner.call('POST /v1/preview/address');

    const addresses = {
      share: `/v1/preview/sharing/public/${uuid}`,
      sharedPicture: shared[0],
      picture: pictures[0],
      thumbnail: pictures.at(-1),
      export: zip,
      image: file,
      placement,
    };
    const answers = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(addresses).map(async ([name, address]) => [name, await statusOf(address as string)]),
        ),
      );
    const taken = async (): Promise<string[]> => {
      const client = await connectSmtp(app.galley.outside.ownSmtp!.port);
      await client.say('EHLO sender.example');
      await client.say('MAIL FROM:<a@sender.example>');
      const replies = [await client.say(`RCPT TO:<${preview_address}>`), await client.say(`RCPT TO:<${seed}>`)];
      client.close();
      return replies.map((reply) => reply.slice(0, 3));
    };
    const every = (status: number) => Object.fromEntries(Object.keys(addresses).map((name) => [name, status]));

    assert.deepEqual([await answers(), await taken()], [every(200), ['250', '250']]);
    await app.call(`POST /v5/accounts/subaccounts/${owner.id}/disable`);
    assert.deepEqual([await answers(), await taken()], [every(404), ['550', '550']]);
    await app.call(`POST /v5/accounts/subaccounts/${owner.id}/enable`);
    assert.deepEqual([await answers(), await taken()], [every(200), ['250', '250']]);
  });
});
