import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createDns } from '../../src/platform/dns/index.ts';
import { assetServer, type AssetServer } from '../harness/asset-server.ts';
import { startApp, type App } from '../harness/start-app.ts';
import { startUdpDns, type DnsServer } from '../harness/udp-dns.ts';

describe('name servers of the operator', () => {
  let assets: AssetServer;
  let names: DnsServer;
  let app: App;
  before(async () => {
    assets = await assetServer();
    names = await startUdpDns({ 'shop.galley.test A': ['127.0.0.1'] });
    const servers = [`127.0.0.1:${names.port}`];
    const settings = { GALLEY_DNS_SERVERS: servers.join(','), GALLEY_ALLOW_HOSTS: '127.0.0.1' };
    app = await startApp(settings, { dns: createDns({ servers, timeoutMs: 200, tries: 1 }) });
  });
  after(async () => {
    await app?.close();
    await assets?.close();
  });

  /** The verdict of a link to that host: its rule, and what it says. */
  async function verdictOn(host: string): Promise<[status: string, rule: string, text: string]> {
    const html = `<a href="http://${host}:${new URL(assets.url).port}/red.png">The red one</a>`;
    const { body } = await app.call('POST /v1/inspect/links/html-validate', { body: { html } });
    await app.idle();
    const { body: test } = await app.call(`GET /v1/inspect/links/${body.items.id}`);
    const [result] = test.items.results;
    const said = [...result.passes, ...result.failures, ...result.informational];
    const { rule, description } = said.find((one: any) => ['reachable', 'not-checked'].includes(one.rule));
    return [result.status, rule, description.replaceAll(/:\d+/g, '')];
  }

  it('are asked for what a message links to; while they do not answer, no link is called broken', async () => {
    assert.deepEqual(await verdictOn('shop.galley.test'), [
      'warning',
      'reachable',
      'http://shop.galley.test/red.png answers with status 200.',
    ]);
    assert.deepEqual(await verdictOn('nope.galley.test'), [
      'Error',
      'reachable',
      'http://nope.galley.test/red.png is broken: its host name does not exist.',
    ]);
    await names.close();
    const [status, rule, text] = await verdictOn('other.galley.test');
    assert.deepEqual([status, rule], ['warning', 'not-checked']);
    assert.match(
      text,
      /^http:\/\/other\.galley\.test\/red\.png was not checked: no name server answered for its host \(E[A-Z]+\)\.$/,
    );
  });
});
