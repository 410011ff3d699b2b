import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openAssetServer, type AssetServer } from './engine-assets.ts';
import type { AssetSource } from './types.ts';

const URL_ASKED = 'https://img.example/a b.png?x=1&y=%2F';

const assets: AssetSource = async (url) => {
  if (url === 'https://img.example/broken') throw new Error('the source is broken');
  if (url === 'https://img.example/moved') return { status: 302, contentType: 'text/plain', body: Buffer.alloc(0) };
  return url === URL_ASKED ? { status: 200, contentType: 'image/png', body: Buffer.from('picture') } : undefined;
};

describe('asset server', () => {
  let dir: string;
  let socketPath: string;
  let server: AssetServer;
  const errors: unknown[] = [];

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'galley-test-'));
    socketPath = join(dir, 'assets.sock');
    server = await openAssetServer(socketPath, (error) => errors.push(error));
  });
  after(async () => {
    await server.close();
    await rm(dir, { recursive: true });
  });

  function get(path: string, method = 'GET'): Promise<{ status: number | undefined; type: string | undefined; body: string }> {
    return new Promise((resolve, reject) => {
      request({ socketPath, path, method, agent: false }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => { body += text; });
        response.on('end', () => resolve({ status: response.statusCode, type: response.headers['content-type'], body }));
      }).on('error', reject).end();
    });
  }

  it('gives an asset for its whole URL', async () => {
    const path = server.serve({ assets });
    assert.deepEqual(await get(path + encodeURIComponent(URL_ASKED)), { status: 200, type: 'image/png', body: 'picture' });
  });

  it('refuses what is not an asset, is a redirect, or is not asked for by GET under its path', async () => {
    const path = server.serve({ assets });
    const asked = encodeURIComponent(URL_ASKED);
    const other = encodeURIComponent('https://img.example/other.png');
    const moved = encodeURIComponent('https://img.example/moved');
    for (const [target, method] of [[path + other], [path + moved], [`/${asked}`], [`${path}%`], [path + asked, 'POST'], [URL_ASKED.replaceAll(' ', '')]]) {
      assert.equal((await get(target!, method)).status, 404, target);
    }
  });

  it('forgets a message when the next one is served, and when it stops', async () => {
    const earlier = server.serve({ assets }) + encodeURIComponent(URL_ASKED);
    const later = server.serve({ assets }) + encodeURIComponent(URL_ASKED);
    assert.equal((await get(earlier)).status, 404);
    assert.equal((await get(later)).status, 200);
    server.stop();
    assert.equal((await get(later)).status, 404);
  });

  it('reports a source that fails and refuses that asset only', async () => {
    const path = server.serve({ assets });
    assert.equal((await get(path + encodeURIComponent('https://img.example/broken'))).status, 404);
    assert.match(String(errors.at(-1)), /the source is broken/);
    assert.equal((await get(path + encodeURIComponent(URL_ASKED))).status, 200);
  });
});
