import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startSite, type Site } from '../../../../test/harness/link-playground.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { DISGUISED_HOSTS, PRIVATE_ADDRESSES } from '../../../platform/fetch/private-addresses.fixture.ts';
import { openPlayground, type Playground } from './playground.fixture.ts';

const PATH = '/v1/inspect/links';
const host = (address: string) => (address.includes(':') ? `[${address}]` : address);

let app: App;
let sites: Playground;
/** On another loopback address at the port that is open on the first: only the guard keeps anybody from it. */
let secret: Site;
const lookups = new Map<string, number>();

/**
 * `p3.example` has a private address, `mixed3.example` a public one as well; `turn.example` turns private with its
 * second answer.
 */
async function resolve(name: string): Promise<string[]> {
  const count = (lookups.get(name) ?? 0) + 1;
  lookups.set(name, count);
  const [, kind, index] = /^(p|mixed)(\d+)\./.exec(name) ?? [];
  const address = PRIVATE_ADDRESSES[Number(index)]?.[1];
  if (address) return kind === 'p' ? [address] : ['93.184.215.14', address];
  return [count === 1 ? '127.0.0.1' : '127.0.0.2'];
}

before(async () => {
  app = await startApp();
  sites = await openPlayground(app, resolve);
  secret = await startSite({
    handle: (_request, response) => response.end('secret'),
    address: '127.0.0.2',
    port: sites.plain.port,
  });
});
after(async () => {
  await app.close();
  await Promise.all([sites.close(), secret.close()]);
});

async function resultsOf(links: string[]): Promise<any[]> {
  const { body: started } = await app.call(`POST ${PATH}`, { body: { links, userAgent: null } });
  await app.idle();
  const { body } = await app.call(`GET ${PATH}/${started.items.id}`);
  assert.equal(body.meta.status, 'Complete');
  return body.items.results;
}

/** Nothing of what is behind may be told: no answer, no redirect beyond the one that led there. */
function expectPrivate(results: any[], hops: number): void {
  for (const { url, status, failures, passes, informational } of results) {
    assert.equal(status, 'Error', url);
    assert.ok(
      failures.some(({ rule }: any) => rule === 'private-address'),
      `${url} ${JSON.stringify(failures)}`,
    );
    assert.ok(!passes.some(({ rule }: any) => ['reachable', 'content'].includes(rule)), url);
    const chain = [...passes, ...informational].find(({ rule }: any) => rule === 'redirects')?.details ?? [];
    assert.equal(chain.length, hops, url);
  }
}

describe('link tests, against every private address', () => {
  const literals = [
    ...PRIVATE_ADDRESSES.flatMap(([, address]) => [`http://${host(address)}/`, `https://${host(address)}/x`]),
    ...DISGUISED_HOSTS.map(([, name]) => `http://${name}/`),
  ];
  const names = PRIVATE_ADDRESSES.flatMap((_, index) => [`http://p${index}.example/`, `http://mixed${index}.example/`]);

  it('refuse them written in any way, and as answers of DNS', async () =>
    expectPrivate(await resultsOf([...literals, ...names]), 0));
  for (const kind of ['redirect', 'reload']) {
    it(`refuse them when a public site leads there by a ${kind}`, async () => {
      const targets = [...literals, ...names].map((url) => `${sites.plain.origin}/${kind}/${encodeURIComponent(url)}`);
      const results = await resultsOf(targets);
      assert.equal(results.length, targets.length);
      expectPrivate(results, 1);
    });
  }
  it('refuse a page to read that is private, and say no more than of one that is not there', async () => {
    const messages = new Set<string>();
    for (const url of [
      'http://127.0.0.1:1/',
      'http://p1.example/',
      'http://169.254.169.254/latest/meta-data/',
      `http://127.0.0.2:${secret.port}/`,
      `${sites.plain.origin}/redirect/${encodeURIComponent(`http://127.0.0.2:${secret.port}/`)}`,
    ]) {
      const { status, body } = await app.call(`POST ${PATH}/html-validate`, { body: { url } });
      assert.equal(status, 400, url);
      messages.add(body.message);
    }
    assert.deepEqual([...messages], ['The URL could not be fetched: its host cannot be reached.']);
  });
});

describe('link tests, against DNS that changes its answer', () => {
  for (const kind of ['redirect', 'reload']) {
    it(`check the name again after a ${kind}`, async () => {
      lookups.clear();
      const origin = `http://turn.example:${secret.port}`;
      const results = await resultsOf([`${origin}/${kind}/${encodeURIComponent(`${origin}/secret`)}`]);
      expectPrivate(results, 1);
      assert.deepEqual([secret.requests, secret.connections()], [[], 0]);
    });
  }
  it('check the name again when the test runs again', async () => {
    lookups.clear();
    const url = `http://turn.example:${secret.port}/`;
    const {
      body: {
        items: { id },
      },
    } = await app.call(`POST ${PATH}`, { body: { links: [url], userAgent: null } });
    await app.idle();
    assert.equal((await app.call(`GET ${PATH}/${id}`)).body.items.results[0].status_code, 200);
    await app.call(`POST ${PATH}/${id}`);
    await app.idle();
    expectPrivate((await app.call(`GET ${PATH}/${id}`)).body.items.results, 0);
    assert.equal(secret.connections(), 0);
  });
});
