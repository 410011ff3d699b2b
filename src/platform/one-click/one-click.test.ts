import assert from 'node:assert/strict';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { makeCertificate } from '../../../test/harness/certificate.ts';
import { createFetch, type GuardedFetch } from '../fetch/index.ts';
import { postOneClick } from './index.ts';

describe('postOneClick', () => {
  let fetch: GuardedFetch;
  let server: https.Server;
  let base: string;
  const seen: {
    method: string | undefined;
    path: string | undefined;
    type: string | undefined;
    cookie: string | undefined;
    body: string;
  }[] = [];
  before(async () => {
    const { key, cert } = makeCertificate({ commonName: 'localhost' });
    server = https.createServer({ key, cert }, (request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        seen.push({
          method: request.method,
          path: request.url,
          type: request.headers['content-type'],
          cookie: request.headers.cookie,
          body,
        });
        if (request.url === '/moved') response.writeHead(302, { location: '/done' }).end();
        else if (request.url === '/page')
          response
            .writeHead(200, { 'content-type': 'text/html' })
            .end('<form method="post"><button>Yes, unsubscribe me</button></form>');
        else if (request.url === '/words')
          response.writeHead(200, { 'content-type': 'text/html' }).end('<p>You are unsubscribed.</p>');
        else if (request.url === '/no') response.writeHead(405).end();
        else if (request.url === '/large')
          response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(200_000));
        else response.writeHead(202).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `https://localhost:${(server.address() as AddressInfo).port}`;
    fetch = createFetch({
      allowHosts: ['localhost'],
      userAgent: 'test',
      ca: cert,
      resolver: async () => ['127.0.0.1'],
    });
  });
  after(() => {
    fetch.close();
    server.close();
  });
  const cases: [string, string, string, number | null][] = [
    ['accepts 2xx without a body', '/done', 'accepted', 202],
    ['accepts a sentence', '/words', 'accepted', 200],
    ['accepts a long answer, of which it reads the beginning', '/large', 'accepted', 200],
    ['takes a redirect for an answer, and does not follow', '/moved', 'redirected', 302],
    ['knows a page that asks again', '/page', 'page', 200],
    ['says when the POST is refused', '/no', 'refused', 405],
  ];
  for (const [what, path, outcome, status] of cases) {
    it(what, async () => {
      seen.length = 0;
      const result = await postOneClick(fetch, base + path);
      assert.deepEqual([result.outcome, result.status], [outcome, status]);
      assert.deepEqual(seen, [
        {
          method: 'POST',
          path,
          type: 'application/x-www-form-urlencoded',
          cookie: undefined,
          body: 'List-Unsubscribe=One-Click',
        },
      ]);
    });
  }
  it('posts to no address of the inner network', async () => {
    seen.length = 0;
    const guarded = createFetch({ allowHosts: [], userAgent: 'test' });
    assert.equal((await postOneClick(guarded, base.replace('localhost', '127.0.0.1'))).outcome, 'unreachable');
    guarded.close();
    assert.deepEqual(seen, []);
  });
  it('posts to https only', async () =>
    assert.deepEqual((await postOneClick(fetch, 'http://localhost/')).outcome, 'refused'));
});
