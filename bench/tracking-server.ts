// The process that `bench/tracking.ts` asks: a whole Galley with one message whose pixel and link are followed, and beside
// it a bare Fastify that answers the same bytes.
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { startGalley } from '../src/app/serve.ts';
import { sealLink } from '../src/engines/tracking/index.ts';
import { deliverySecret } from '../src/features/send/messages/index.ts';
import { readConfig } from '../src/platform/config/index.ts';
import { createLog } from '../src/platform/log/index.ts';
import { freePorts } from '../test/harness/daemon.ts';

const DOMAIN = 'news.bench.example';
const KEY = 'key-of-the-tracking-benchmark';

const dataDir = await mkdtemp(join(tmpdir(), 'galley-bench-tracking-'));
const [port] = await freePorts(1);
const galley = await startGalley({
  config: readConfig({
    GALLEY_PORT: String(port),
    GALLEY_PUBLIC_URL: `http://127.0.0.1:${port}`,
    GALLEY_DATA_DIR: dataDir,
    GALLEY_API_KEY: KEY,
    GALLEY_ROLES: 'api',
    GALLEY_OPTIONAL_ENGINES: 'off',
    ...(process.env['GALLEY_DATABASE_URL'] && { GALLEY_DATABASE_URL: process.env['GALLEY_DATABASE_URL'] }),
  }),
  log: createLog('silent'),
});

async function post(path: string, body: object): Promise<any> {
  const headers = { authorization: `Basic ${btoa(`api:${KEY}`)}`, 'content-type': 'application/json' };
  const answer = await fetch(galley.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

const { domain } = await post('/v4/domains', { name: DOMAIN });
const letter = { from: `ann@${DOMAIN}`, to: 'bob@example.net', subject: 'Hello', text: 'Hello' };
await post(`/v3/${DOMAIN}/messages`, letter);
const { outside } = galley;
const { rows } = await outside.db.text('select id::text from sent_messages where domain = $1', [DOMAIN]);
const { id: messageId } = rows[0] as { id: string };
const url = 'https://shop.example/';
const place = { domainId: domain.id, messageId, position: 0, link: 0, url };

const HEADERS = { 'cache-control': 'no-store, private', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' };
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const bare = Fastify();
bare.get('/o/:token', (_request, reply) => reply.headers({ ...HEADERS, 'content-type': 'image/gif' }).send(PIXEL));
bare.get('/c/:token', (_request, reply) =>
  reply
    .code(302)
    .headers({ ...HEADERS, location: url })
    .send(''),
);
await bare.listen({ host: '127.0.0.1', port: 0 });

process.on('message', async (asked) => {
  // Microseconds of processor time, of all threads.
  if (asked === 'cpu') {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: user + system });
    return;
  }
  await bare.close();
  await galley.close();
  await rm(dataDir, { recursive: true, force: true });
  process.exit();
});
process.send?.({
  url: galley.url,
  bareUrl: `http://127.0.0.1:${(bare.server.address() as AddressInfo).port}`,
  paths: {
    opens: `/o/${sealLink({ ...place, url: '' }, deliverySecret(outside, 'open'))}`,
    clicks: `/c/${sealLink(place, deliverySecret(outside, 'click'))}`,
  },
});
