import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { describe, it } from 'node:test';
import zlib from 'node:zlib';
import { makeCertificate } from '../../../test/harness/certificate.ts';
import { startSite, type Site } from '../../../test/harness/link-playground.ts';
import { keepCookies } from './chain-cookies.ts';
import { createFetch, type FetchOptions, type FetchOutcome, type GuardedFetch } from './index.ts';

async function withSite(
  handle: RequestListener,
  use: (site: Site, door: GuardedFetch) => Promise<void>,
  options: Partial<FetchOptions> = {},
): Promise<void> {
  await using site = await startSite({ handle });
  const door = createFetch({ allowHosts: [`127.0.0.1:${site.port}`], userAgent: 'Galley test', ...options });
  try {
    await use(site, door);
  } finally {
    door.close();
  }
}

const reasonOf = (outcome: FetchOutcome) => (outcome.ok ? `answered ${outcome.status}` : outcome.reason);

describe('request: only the beginning of a body', () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'a');
  const handle: RequestListener = (request, response) => {
    const encoding = request.url!.slice(1);
    if (encoding === 'gzip') response.setHeader('Content-Encoding', 'gzip').end(zlib.gzipSync(megabyte));
    else if (encoding === 'br') response.setHeader('Content-Encoding', 'br').end(zlib.brotliCompressSync(megabyte));
    else if (encoding === 'deflate')
      response.setHeader('Content-Encoding', 'deflate').end(zlib.deflateRawSync(megabyte));
    else if (encoding === 'short') response.end('short');
    else if (encoding === 'endless') {
      const more = (): void => void (response.writableEnded || response.write(megabyte, more));
      more();
    } else response.end(megabyte);
  };

  it('keeps what it asked for and says that there is more, compressed, plain or endless', async () => {
    await withSite(handle, async (site, door) => {
      for (const path of ['plain', 'gzip', 'br', 'deflate', 'endless']) {
        const outcome = await door.request(`${site.origin}/${path}`, { tooLarge: 'cut', sizeBytesMax: 1000 });
        assert.ok(outcome.ok, path);
        assert.equal(outcome.isCut, true, path);
        assert.equal(outcome.body.toString(), 'a'.repeat(1000), path);
      }
    });
  });

  it('gives the whole of a body that fits', async () => {
    await withSite(handle, async (site, door) => {
      const short = await door.get(`${site.origin}/short`, { tooLarge: 'cut', sizeBytesMax: 5 });
      assert.equal(short.isCut, false);
      assert.equal(short.body.toString(), 'short');
    });
  });

  it('leaves a body unread that is not wanted', async () => {
    await withSite(handle, async (site, door) => {
      const answer = await door.get(`${site.origin}/endless`, { wantsBody: (hop) => hop.status !== 200 });
      assert.equal(answer.status, 200);
      assert.equal(answer.isCut, true);
      assert.equal(answer.body.length, 0);
    });
  });
});

describe('request: many at once', () => {
  it('know that they were given a used connection after waiting for one', async () => {
    await withSite(
      (_request, response) => response.end('x'),
      async (site, door) => {
        const answers = await Promise.all(Array.from({ length: 40 }, () => door.get(site.origin)));
        const hops = answers.map(({ hops: [hop] }) => hop!);
        assert.equal(hops.filter(({ isReused }) => !isReused).length, site.connections());
        assert.ok(site.connections() <= 8);
        assert.ok(hops.every(({ isReused, timings }) => isReused === (timings.connectMs === null)));
      },
    );
  });
});

describe('request: what the caller decides about a chain', () => {
  it('sends another user agent when told to', async () => {
    await withSite(
      (request, response) => response.end(request.headers['user-agent']),
      async (site, door) => {
        assert.equal((await door.get(site.origin, { userAgent: 'Someone else' })).body.toString(), 'Someone else');
      },
    );
  });

  it('does not send a request that the caller does not want, not even by redirect, and says which', async () => {
    const handle: RequestListener = (_request, response) => response.writeHead(302, { Location: '/unsubscribe' }).end();
    await withSite(handle, async (site, door) => {
      const outcome = await door.request(`${site.origin}/go`, { mayFollow: (url) => !url.endsWith('/unsubscribe') });
      assert.ok(!outcome.ok);
      assert.equal(outcome.reason, 'not_followed');
      assert.equal(outcome.url, `${site.origin}/unsubscribe`);
      assert.deepEqual(site.requests, ['GET /go']);
    });
  });

  it('names the URL that failed, also one that is not fetched', async () => {
    const handle: RequestListener = (_request, response) => response.writeHead(302, { Location: 'app://open' }).end();
    await withSite(handle, async (site, door) => {
      const outcome = await door.request(site.origin);
      assert.ok(!outcome.ok);
      assert.equal(outcome.url, 'app://open');
      assert.equal(outcome.hops.length, 1);
    });
  });
});

describe('request: cookies of a chain', () => {
  const wall: RequestListener = (request, response) => {
    if (request.headers.cookie === 'seen=1') response.end('welcome');
    else response.writeHead(302, { Location: request.url!, 'Set-Cookie': 'seen=1; Path=/; HttpOnly' }).end();
  };

  it('come back within the chain when asked for, and only then', async () => {
    await withSite(wall, async (site, door) => {
      assert.equal(reasonOf(await door.request(site.origin, { cookies: 'chain' })), 'answered 200');
      assert.equal(reasonOf(await door.request(site.origin)), 'redirect_loop');
      assert.equal(site.requests.length, 3);
    });
  });

  it('do not hide a circle', async () => {
    const circle: RequestListener = (_request, response) =>
      response.writeHead(302, { Location: '/', 'Set-Cookie': 'a=1' }).end();
    await withSite(circle, async (site, door) => {
      assert.equal(reasonOf(await door.request(site.origin, { cookies: 'chain' })), 'redirect_loop');
    });
  });

  const at = (url: string) => new URL(url);
  it('go to the host that set them, or to the domain they name', () => {
    const jar = keepCookies();
    jar.keep(['own=1', 'shared=2; Domain=.shop.example'], at('https://www.shop.example/'));
    assert.equal(jar.headerFor(at('https://www.shop.example/a')), 'own=1; shared=2');
    assert.equal(jar.headerFor(at('https://shop.example/')), 'shared=2');
    assert.equal(jar.headerFor(at('https://other.example/')), undefined);
  });
  it('of a foreign domain or a public suffix are refused', () => {
    const jar = keepCookies();
    jar.keep(
      ['a=1; Domain=other.example', 'b=1; Domain=co.uk', 'c=1; Domain=com', 'd=1; Domain=github.io'],
      at('https://www.shop.co.uk/'),
    );
    assert.equal(jar.headerFor(at('https://www.shop.co.uk/')), undefined);
    assert.equal(jar.headerFor(at('https://other.co.uk/')), undefined);
  });
  it('that are secure stay off plain http, that have ended are forgotten', () => {
    const jar = keepCookies();
    jar.keep(['a=1; Secure', 'b=1', 'c=1'], at('https://shop.example/'));
    jar.keep(['b=; Max-Age=0', 'c=; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], at('https://shop.example/'));
    assert.equal(jar.headerFor(at('https://shop.example/')), 'a=1');
    assert.equal(jar.headerFor(at('http://shop.example/')), undefined);
  });
  it('that no browser would take are left out: too long, too many, not ASCII', () => {
    const jar = keepCookies();
    jar.keep([`a=${'x'.repeat(5000)}`, 'b=\u0001', 'no value'], at('https://shop.example/'));
    assert.equal(jar.headerFor(at('https://shop.example/')), undefined);
    jar.keep(
      Array.from({ length: 100 }, (_, index) => `c${index}=1`),
      at('https://shop.example/'),
    );
    assert.equal(jar.headerFor(at('https://shop.example/'))!.split('; ').length, 50);
  });
});

describe('request: certificates', () => {
  it('tell a wrong host from a wrong signer', async () => {
    const certificate = makeCertificate({ commonName: 'site.test' });
    await using site = await startSite({ handle: (_request, response) => response.end(), tls: certificate });
    const door = createFetch({
      allowHosts: [`127.0.0.1:${site.port}`],
      userAgent: 'x',
      resolver: async () => ['127.0.0.1'],
    });
    for (const [host, matches] of [
      ['site.test', true],
      ['other.test', false],
      ['127.0.0.1', false],
    ] as const) {
      const answer = await door.get(`https://${host}:${site.port}/`, { certificates: 'reported' });
      assert.equal(answer.hops[0]!.certificate!.hostMatches, matches, host);
      assert.equal(answer.hops[0]!.certificate!.isTrusted, false, host);
    }
    door.close();
  });
});
