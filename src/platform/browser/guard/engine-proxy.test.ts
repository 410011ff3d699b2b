import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { documentUrlOf, openEngineProxy, type EngineProxy } from './engine-proxy.ts';
import type { AssetSource } from '../types.ts';

interface Answer {
  status: number | undefined;
  type: string | undefined;
  csp: unknown;
  body: string;
}

const HTTPS_PICTURE = 'https://img.example/a%20b.png?x=1&y=%2F';

describe('engine proxy', () => {
  let dir: string;
  let socketPath: string;
  let proxy: EngineProxy;
  let asked: string[] = [];

  const assets: AssetSource = async (url) => {
    asked.push(url);
    if (url === 'https://img.example/moved') return { status: 302, contentType: 'text/plain', body: Buffer.alloc(0) };
    return url === HTTPS_PICTURE ? { status: 200, contentType: 'image/png', body: Buffer.from('picture') } : undefined;
  };

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'galley-test-'));
    socketPath = join(dir, 'proxy.sock');
    proxy = await openEngineProxy(socketPath);
  });
  after(async () => {
    await proxy.close();
    await rm(dir, { recursive: true });
  });

  async function read(response: IncomingMessage): Promise<Answer> {
    let body = '';
    for await (const chunk of response.setEncoding('utf8')) body += chunk;
    return {
      status: response.statusCode,
      type: response.headers['content-type'],
      csp: response.headers['content-security-policy'],
      body,
    };
  }

  /** As an engine does: http by its whole address, https through a tunnel. */
  function get(url: string, method = 'GET'): Promise<Answer> {
    const { protocol, host, pathname, search } = new URL(url);
    return new Promise((resolve, reject) => {
      const finish = (response: IncomingMessage): void => {
        read(response).then(resolve, reject);
      };
      if (protocol === 'http:') {
        request({ socketPath, path: url, method, agent: false, headers: { host } }, finish).on('error', reject).end();
        return;
      }
      request({ socketPath, path: `${host}:443`, method: 'CONNECT', agent: false })
        .on('connect', (_response, socket: Socket) => {
          requestTls(
            {
              socket,
              path: pathname + search,
              method,
              agent: false,
              headers: { host },
              rejectUnauthorized: false,
            } as object,
            finish,
          )
            .on('error', reject)
            .end();
        })
        .on('error', reject)
        .end();
    });
  }

  it('answers with the document at its address, under a policy that runs nothing', async () => {
    for (const url of ['https://news.example/a/b.html?c=d', 'http://news.example/']) {
      const answer = await proxy.serving({ assets, document: { url, html: '<p>grün' } }, () => get(url));
      assert.deepEqual([answer.status, answer.type, answer.body], [200, 'text/html; charset=utf-8', '<p>grün']);
      assert.match(String(answer.csp), /default-src 'none'.*sandbox/);
    }
  });

  it('answers with an asset for its whole address, whichever the scheme', async () => {
    const expected = { status: 200, type: 'image/png', csp: undefined, body: 'picture' };
    assert.deepEqual(await proxy.serving({ assets }, () => get(HTTPS_PICTURE)), expected);
    assert.deepEqual(await proxy.serving({ assets }, () => get(HTTPS_PICTURE.replace('https:', 'http:'))), expected);
  });

  it('refuses what is no asset, is a redirect, or is not asked for by GET', async () => {
    const statuses = await proxy.serving({ assets }, async () => [
      (await get('https://img.example/other.png')).status,
      (await get('https://img.example/moved')).status,
      (await get(HTTPS_PICTURE, 'POST')).status,
    ]);
    assert.deepEqual(statuses, [404, 404, 404]);
  });

  it('asks nobody for what lies beside a document that has no address of its own', async () => {
    asked = [];
    const url = documentUrlOf(undefined, 1);
    const answer = await proxy.serving({ assets, document: { url, html: 'x' } }, () =>
      get(new URL('/logo.png', url).href),
    );
    assert.deepEqual([answer.status, asked], [404, []]);
  });

  it('answers with nothing when nothing is served', async () => {
    assert.equal((await get(HTTPS_PICTURE)).status, 404);
  });

  it('throws when the source of the assets fails, and is well again afterwards', async () => {
    const broken: AssetSource = () => Promise.reject(new Error('the source is broken'));
    await assert.rejects(
      proxy.serving({ assets: broken }, () => get(HTTPS_PICTURE)),
      { reason: 'load_failed', message: /img\.example/ },
    );
    assert.equal((await proxy.serving({ assets }, () => get(HTTPS_PICTURE))).status, 200);
  });

  it('takes animations out of vector images, as every engine gets them', async () => {
    const svg: AssetSource = async () => ({
      status: 200,
      contentType: 'image/svg+xml',
      body: Buffer.from('<svg><animate attributeName="x"/></svg>'),
    });
    const { body } = await proxy.serving({ assets: svg }, () => get('https://img.example/a.svg'));
    assert.doesNotMatch(body, /<animate/);
  });
});
