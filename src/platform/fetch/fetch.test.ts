import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import net from 'node:net';
import zlib from 'node:zlib';
import type { RequestListener } from 'node:http';
import { AppError } from '../errors/index.ts';
import { makeCertificate } from '../../../test/harness/certificate.ts';
import { startSite, type Site, type SiteOptions } from '../../../test/harness/link-playground.ts';
import { createFetch, type FetchOptions, type FetchOutcome, type GuardedFetch } from './index.ts';

/** A door that lets through the given sites, for the duration of `use`. */
async function withSite(
  handle: RequestListener,
  use: (site: Site, door: GuardedFetch) => Promise<void>,
  options: Partial<FetchOptions> & Partial<SiteOptions> = {},
): Promise<void> {
  await using site = await startSite({ handle, ...(options.tls ? { tls: options.tls } : {}) });
  const door = createFetch({ allowHosts: [`127.0.0.1:${site.port}`], userAgent: 'Galley test', ...options });
  try {
    await use(site, door);
  } finally {
    door.close();
  }
}

function reasonOf(outcome: FetchOutcome): string {
  return outcome.ok ? `answered ${outcome.status}` : outcome.reason;
}

describe('request', () => {
  it('returns status, headers, body and one hop with its phases', async () => {
    const handle: RequestListener = (request, response) => {
      response.setHeader(
        'X-Seen',
        `${request.headers['user-agent']}|${request.headers.cookie}|${request.headers.accept}`,
      );
      response.setHeader('Content-Type', 'text/plain');
      response.end('hello');
    };
    await withSite(
      handle,
      async (site, door) => {
        const outcome = await door.request(`http://site.test:${site.port}/a?b=1#c`, { accept: 'text/*' });
        assert.ok(outcome.ok);
        assert.equal(outcome.status, 200);
        assert.equal(outcome.body.toString(), 'hello');
        assert.equal(outcome.url, `http://site.test:${site.port}/a?b=1`);
        assert.equal(outcome.headers['x-seen'], 'Galley test|undefined|text/*');
        const hop = outcome.hops[0]!;
        assert.equal(hop.remoteAddress, '127.0.0.1');
        assert.equal(hop.isReused, false);
        assert.equal(typeof hop.timings.dnsMs, 'number');
        assert.equal(typeof hop.timings.connectMs, 'number');
        assert.equal(hop.timings.tlsMs, null);
        assert.ok(hop.timings.firstByteMs >= 0);
        assert.deepEqual(site.requests, ['GET /a?b=1']);
      },
      { resolver: async () => ['127.0.0.1'] },
    );
  });

  it('answers with any status, also 404 and 500', async () => {
    await withSite(
      (request, response) => response.writeHead(Number(request.url!.slice(1))).end('x'),
      async (site, door) => {
        for (const status of [404, 500]) assert.equal((await door.get(`${site.origin}/${status}`)).status, status);
      },
    );
  });

  it('keeps a connection, and says so in the hop', async () => {
    await withSite(
      (_request, response) => response.end('x'),
      async (site, door) => {
        await door.get(site.origin);
        const second = await door.get(site.origin);
        assert.equal(second.hops[0]!.isReused, true);
        assert.equal(second.hops[0]!.timings.connectMs, null);
        assert.equal(site.connections(), 1);
      },
    );
  });

  it('asks again when a kept connection was closed in the meantime', async () => {
    let count = 0;
    const handle: RequestListener = (request, response) => {
      count += 1;
      if (count === 2) request.socket.destroy();
      else response.end(String(count));
    };
    await withSite(handle, async (site, door) => {
      await door.get(site.origin);
      assert.equal((await door.get(site.origin)).body.toString(), '3');
    });
  });

  it('decodes gzip, deflate in both forms and brotli', async () => {
    const text = 'a newsletter '.repeat(100);
    const encodings: Record<string, Buffer> = {
      gzip: zlib.gzipSync(text),
      deflate: zlib.deflateSync(text),
      'deflate-raw': zlib.deflateRawSync(text),
      br: zlib.brotliCompressSync(text),
    };
    const handle: RequestListener = (request, response) => {
      const name = request.url!.slice(1);
      response.setHeader('Content-Encoding', name.replace('-raw', ''));
      response.end(encodings[name]);
    };
    await withSite(handle, async (site, door) => {
      for (const name of Object.keys(encodings)) {
        assert.equal((await door.get(`${site.origin}/${name}`)).body.toString(), text, name);
      }
    });
  });

  it('refuses an encoding it does not know, and one it was lied to about', async () => {
    const handle: RequestListener = (request, response) => {
      response.setHeader('Content-Encoding', request.url === '/lie' ? 'gzip' : request.url!.slice(1));
      response.end('not compressed');
    };
    await withSite(handle, async (site, door) => {
      for (const path of ['lie', 'zstd', 'toString', 'gzip,gzip,gzip']) {
        assert.equal(reasonOf(await door.request(`${site.origin}/${path}`)), 'protocol', path);
      }
    });
  });

  it('sends HEAD and has no body', async () => {
    const handle: RequestListener = (_request, response) => response.setHeader('Content-Length', '999999999').end();
    await withSite(handle, async (site, door) => {
      const answer = await door.get(site.origin, { method: 'HEAD', sizeBytesMax: 10 });
      assert.equal(answer.body.length, 0);
      assert.deepEqual(site.requests, ['HEAD /']);
    });
  });

  it('enforces the wanted types on success, not on failure', async () => {
    const handle: RequestListener = (request, response) => {
      response.writeHead(request.url === '/404' ? 404 : 200, { 'Content-Type': 'Text/HTML; charset=utf-8' }).end('x');
    };
    await withSite(handle, async (site, door) => {
      assert.equal(reasonOf(await door.request(site.origin, { types: ['image/*'] })), 'wrong_type');
      assert.equal(reasonOf(await door.request(site.origin, { types: ['text/html'] })), 'answered 200');
      assert.equal(reasonOf(await door.request(site.origin, { types: ['text/*'] })), 'answered 200');
      assert.equal(reasonOf(await door.request(`${site.origin}/404`, { types: ['image/*'] })), 'answered 404');
    });
  });

  it('refuses other schemes, credentials, nonsense and endless URLs', async () => {
    const door = createFetch({ allowHosts: ['a.example'], userAgent: 'x' });
    const bad = [
      'ftp://a.example/',
      'file:///etc/passwd',
      'javascript:1',
      'data:,x',
      'http://u:p@a.example/',
      'https://u@a.example/',
      '',
      'x',
      '//a',
      `http://a.example/${'a'.repeat(9000)}`,
    ];
    for (const url of bad) assert.equal(reasonOf(await door.request(url)), 'invalid_url', url.slice(0, 50));
  });
});

describe('request: redirects', () => {
  const chain: RequestListener = (request, response) => {
    const left = Number(request.url!.slice(1));
    if (left > 0) response.writeHead(302, { Location: `/${left - 1}` }).end('moved');
    else response.end('there');
  };

  it('follows ten and lists every hop', async () => {
    await withSite(chain, async (site, door) => {
      const answer = await door.get(`${site.origin}/10`);
      assert.equal(answer.url, `${site.origin}/0`);
      assert.deepEqual(
        answer.hops.map((hop) => hop.status),
        [...Array<number>(10).fill(302), 200],
      );
    });
  });
  it('stops at the eleventh', async () => {
    await withSite(chain, async (site, door) => {
      const outcome = await door.request(`${site.origin}/11`);
      assert.equal(reasonOf(outcome), 'too_many_redirects');
      assert.equal(outcome.hops.length, 11);
    });
  });
  it('sees a circle, fragments aside', async () => {
    const handle: RequestListener = (request, response) => {
      response.writeHead(301, { Location: request.url === '/a' ? '/b#x' : '/a#y' }).end();
    };
    await withSite(handle, async (site, door) => {
      const outcome = await door.request(`${site.origin}/a`);
      assert.equal(reasonOf(outcome), 'redirect_loop');
      assert.equal(site.requests.length, 2);
    });
  });
  it('does not wait for an endless redirect body', async () => {
    const handle: RequestListener = (request, response) => {
      if (request.url === '/') response.writeHead(302, { Location: '/there' }).write('more');
      else response.end('there');
    };
    await withSite(handle, async (site, door) => assert.equal((await door.get(site.origin)).body.toString(), 'there'));
  });
  it('reads a location in raw UTF-8 as browsers do', async () => {
    const handle: RequestListener = (request, response) => {
      if (request.url === '/') response.writeHead(302, { Location: Buffer.from('/café').toString('latin1') }).end();
      else response.end(request.url);
    };
    await withSite(handle, async (site, door) =>
      assert.equal((await door.get(site.origin)).body.toString(), '/caf%C3%A9'),
    );
  });
  it('sends the fields of the caller to the origin that was asked, and to no other', async () => {
    const seen: string[] = [];
    const see: RequestListener = (request) =>
      void seen.push(
        `${request.url} ${request.headers.authorization ?? 'none'} ${request.headers['x-sign'] ?? 'none'}`,
      );
    await using other = await startSite({
      handle: (request, response) => {
        see(request, response);
        response.writeHead(302, { Location: `${first}/back` }).end();
      },
    });
    let first = '';
    const handle: RequestListener = (request, response) => {
      see(request, response);
      const places: Record<string, string> = { '/': '/same', '/same': `http://127.0.0.1:${other.port}/other` };
      const place = places[request.url ?? ''];
      response.writeHead(place === undefined ? 200 : 302, place === undefined ? {} : { Location: place }).end();
    };
    await withSite(
      handle,
      async (site, door) => {
        first = site.origin;
        const headers = { authorization: 'Bearer secret', 'x-sign': 'abc' };
        const answer = await door.get(site.origin, { headers });
        assert.equal(answer.status, 200);
      },
      { allowHosts: ['127.0.0.1'] },
    );
    assert.deepEqual(seen, [
      '/ Bearer secret abc',
      '/same Bearer secret abc',
      '/other none none',
      '/back Bearer secret abc',
    ]);
  });
  it('refuses a redirect to another scheme or with credentials', async () => {
    const places = ['file:///etc/passwd', 'gopher://a/', 'http://u:p@127.0.0.1/'];
    const handle: RequestListener = (request, response) => {
      response.writeHead(302, { Location: places[Number(request.url!.slice(1))]! }).end();
    };
    await withSite(handle, async (site, door) => {
      for (const index of places.keys())
        assert.equal(reasonOf(await door.request(`${site.origin}/${index}`)), 'invalid_url');
    });
  });
});

describe('request: limits', () => {
  it('cuts a body at the limit, declared, chunked or compressed', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(50 * 1024 * 1024));
    const handle: RequestListener = (request, response) => {
      if (request.url === '/declared') response.setHeader('Content-Length', String(10 ** 12)).write('x');
      else if (request.url === '/bomb') response.setHeader('Content-Encoding', 'gzip').end(bomb);
      else {
        const more = (): void => void (response.writableEnded || response.write(Buffer.alloc(65_536), more));
        more();
      }
    };
    await withSite(handle, async (site, door) => {
      for (const path of ['declared', 'endless', 'bomb']) {
        assert.equal(
          reasonOf(await door.request(`${site.origin}/${path}`, { sizeBytesMax: 1_000_000 })),
          'too_large',
          path,
        );
      }
    });
  });

  it('takes a body of exactly the limit', async () => {
    await withSite(
      (_request, response) => response.end(Buffer.alloc(1000)),
      async (site, door) => {
        assert.equal((await door.get(site.origin, { sizeBytesMax: 1000 })).body.length, 1000);
        assert.equal(reasonOf(await door.request(site.origin, { sizeBytesMax: 999 })), 'too_large');
      },
    );
  });

  it('gives up on a server that never answers, drips headers, or drips its body', async () => {
    const drip = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => {
        const path = data.toString().split(' ')[1];
        if (path === '/silent') return;
        socket.write(path === '/headers' ? 'HTTP/1.1 200 OK\r\n' : 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
        const timer = setInterval(() => socket.write(path === '/headers' ? 'X-A: b\r\n' : 'x'), 5);
        socket.on('close', () => clearInterval(timer));
      });
    });
    await new Promise<void>((resolve) => drip.listen(0, '127.0.0.1', resolve));
    const { port } = drip.address() as net.AddressInfo;
    const door = createFetch({ allowHosts: ['127.0.0.1'], userAgent: 'x', timeoutMs: 60 });
    for (const path of ['silent', 'headers', 'body']) {
      assert.equal(reasonOf(await door.request(`http://127.0.0.1:${port}/${path}`)), 'timeout', path);
    }
    door.close();
    await new Promise((resolve) => drip.close(resolve));
  });

  it('gives up on a resolver that never answers', async () => {
    const door = createFetch({ allowHosts: [], userAgent: 'x', timeoutMs: 20, resolver: () => new Promise(() => {}) });
    assert.equal(reasonOf(await door.request('http://slow.example/')), 'timeout');
  });

  it('gives up on a TLS handshake that does not come', async () => {
    const mute = net.createServer((socket) => socket.on('error', () => {}).resume());
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { port } = mute.address() as net.AddressInfo;
    const door = createFetch({ allowHosts: ['127.0.0.1'], userAgent: 'x', connectTimeoutMs: 40 });
    assert.equal(reasonOf(await door.request(`https://127.0.0.1:${port}/`)), 'timeout');
    door.close();
    await new Promise((resolve) => mute.close(resolve));
  });

  it('refuses headers over the limit, an answer that is not HTTP, and a switch of protocols', async () => {
    const answers: Record<string, string> = {
      '/big': `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
      '/smtp': '220 mail.example ESMTP\r\n',
      '/switch': 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    };
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => socket.write(answers[data.toString().split(' ')[1]!]!));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as net.AddressInfo;
    const door = createFetch({ allowHosts: ['127.0.0.1'], userAgent: 'x' });
    for (const path of Object.keys(answers)) {
      assert.equal(reasonOf(await door.request(`http://127.0.0.1:${port}${path}`)), 'protocol', path);
    }
    door.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it("stops when the caller does, and throws the caller's reason", async () => {
    const stop = new AbortController();
    await withSite(
      () => stop.abort(new Error('enough')),
      async (site, door) => {
        await assert.rejects(door.get(site.origin, { signal: stop.signal }), { message: 'enough' });
        assert.equal(reasonOf(await door.request(site.origin, { signal: AbortSignal.abort() })), 'aborted');
      },
    );
  });

  it('stops all requests that share a signal, whatever has ended before', async () => {
    const stop = new AbortController();
    let held = 0;
    const handle: RequestListener = (request, response) => {
      if (request.url === '/quick') response.end('x');
      else if (++held === 2) stop.abort(new Error('enough'));
    };
    await withSite(handle, async (site, door) => {
      const ask = (path: string) => door.request(site.origin + path, { signal: stop.signal });
      assert.equal((await ask('/quick')).ok, true);
      const quick = ask('/quick');
      const slow = [ask('/slow'), quick.then(() => ask('/slow'))];
      assert.equal((await quick).ok, true);
      assert.deepEqual((await Promise.all(slow)).map(reasonOf), ['aborted', 'aborted']);
      assert.equal(reasonOf(await ask('/quick')), 'aborted');
    });
  });
});

describe('request: TLS', () => {
  const certificate = makeCertificate({ commonName: 'site.test', altNames: ['site.test', '127.0.0.1'] });
  const resolver = async () => ['127.0.0.1'];

  it('refuses a certificate nobody vouches for', async () => {
    await withSite(
      (_request, response) => response.end('x'),
      async (site, door) => {
        assert.equal(reasonOf(await door.request(site.origin)), 'tls');
        assert.deepEqual(site.requests, []);
      },
      { tls: certificate },
    );
  });

  it("accepts one of the operator's own authority, for its own names only", async () => {
    await withSite(
      (_request, response) => response.end('x'),
      async (site, door) => {
        const good = await door.get(`https://site.test:${site.port}/`);
        assert.equal(good.status, 200);
        assert.equal(typeof good.hops[0]!.timings.tlsMs, 'number');
        assert.equal(reasonOf(await door.request(`https://other.test:${site.port}/`)), 'tls');
      },
      { tls: certificate, ca: certificate.cert, resolver },
    );
  });

  it('reports certificates on request, every time, and goes on', async () => {
    const expired = makeCertificate({
      commonName: 'old.test',
      validFrom: new Date('2020-01-01'),
      validTo: new Date('2020-02-01'),
    });
    const close: RequestListener = (_request, response) => response.setHeader('Connection', 'close').end('x');
    await withSite(
      close,
      async (site, door) => {
        for (let round = 0; round < 3; round++) {
          const outcome = await door.request(`https://old.test:${site.port}/`, { certificates: 'reported' });
          const shown = outcome.hops[0]!.certificate!;
          assert.equal(reasonOf(outcome), 'answered 200');
          assert.equal(shown.isTrusted, false);
          assert.equal(shown.problem, 'CERT_HAS_EXPIRED');
          assert.equal(shown.subject, 'old.test');
          assert.equal(shown.validTo, '2020-02-01T00:00:00.000Z');
          assert.deepEqual(shown.altNames, ['old.test']);
          assert.match(shown.fingerprint, /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
        }
      },
      { tls: expired, ca: expired.cert, resolver },
    );
  });
});

describe('get', () => {
  it('throws one and the same message for a refused, an unknown and a dead host, with the precise cause inside', async () => {
    const free = await startSite({ handle: () => {} });
    await free.close();
    const door = createFetch({
      allowHosts: [`dead.example:${free.port}`],
      userAgent: 'x',
      resolver: async (host) => {
        if (host === 'unknown.example') throw new Error('NXDOMAIN');
        return host === 'dead.example' ? ['127.0.0.1'] : ['10.0.0.1'];
      },
    });
    const errors = await Promise.all(
      ['http://private.example/', 'http://unknown.example/', `http://dead.example:${free.port}/`].map((url) =>
        door.get(url).then(
          () => assert.fail('was fetched'),
          (error: unknown) => error as AppError,
        ),
      ),
    );
    assert.deepEqual(
      errors.map((error) => error.code),
      Array(3).fill('source_unreachable'),
    );
    assert.equal(new Set(errors.map((error) => error.message)).size, 1);
    assert.deepEqual(
      errors.map((error) => (error.cause as { reason: string }).reason),
      ['refused', 'dns', 'connect'],
    );
    assert.match((errors[0]!.cause as Error).message, /private\.example is at 10\.0\.0\.1/);
  });
});
