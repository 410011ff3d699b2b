import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import { makeCertificate, type CertificateOptions } from '../../../test/harness/certificate.ts';
import { startSite, type Site } from '../../../test/harness/link-playground.ts';
import { createFetch, type FetchOptions, type GuardedFetch } from '../fetch/index.ts';
import { DISGUISED_HOSTS, PRIVATE_ADDRESSES } from '../fetch/private-addresses.fixture.ts';
import { checkLink, type LinkReport } from './index.ts';

interface World {
  site: Site;
  door: GuardedFetch;
  check(path: string, options?: Partial<Parameters<typeof checkLink>[1]>): Promise<LinkReport>;
}

async function withSite(
  handle: RequestListener,
  use: (world: World) => Promise<void>,
  options: Partial<FetchOptions> = {},
): Promise<void> {
  await using site = await startSite({ handle });
  const door = createFetch({ allowHosts: [`127.0.0.1:${site.port}`], userAgent: 'Galley test', ...options });
  try {
    await use({ site, door, check: (path, more) => checkLink(site.origin + path, { fetch: door, ...more }) });
  } finally {
    door.close();
  }
}

const html =
  (body: string): RequestListener =>
  (_request, response) =>
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(body);

describe('checkLink: what is there', () => {
  it('reports status, type, length, address and the times of a plain answer', async () => {
    const handle: RequestListener = (_request, response) =>
      response.writeHead(200, { 'Content-Type': 'Image/PNG', 'Content-Length': 5 }).end('hello');
    await withSite(handle, async ({ site, check }) => {
      const report = await check('/logo.png#x');
      assert.equal(report.url, `${site.origin}/logo.png#x`);
      assert.equal(report.status, 'ok');
      assert.equal(report.statusCode, 200);
      assert.equal(report.finalUrl, `${site.origin}/logo.png`);
      assert.equal(report.contentType, 'image/png');
      assert.equal(report.contentLength, 5);
      assert.equal(report.downloadName, null);
      assert.equal(report.isFragmentFound, null);
      assert.equal(report.chain.length, 1);
      const hop = report.chain[0]!;
      assert.deepEqual(
        [hop.method, hop.via, hop.status, hop.remoteAddress, hop.certificate],
        ['HEAD', 'link', 200, '127.0.0.1', null],
      );
      assert.ok(hop.firstByteMs > 0 && hop.connectMs! > 0 && hop.tlsMs === null && hop.dnsMs === null);
      assert.deepEqual(site.requests, ['HEAD /logo.png']);
    });
  });

  it('counts what has no declared length, and says nothing of what is too long to count', async () => {
    const handle: RequestListener = (request, response) => {
      response.setHeader('Content-Type', 'application/pdf');
      response.write('x');
      if (request.url === '/short' || request.method === 'HEAD') response.end('yz');
      else {
        const more = (): void => void (response.writableEnded || response.write(Buffer.alloc(65_536), more));
        more();
      }
    };
    await withSite(handle, async ({ check }) => {
      assert.equal((await check('/short')).contentLength, 3);
      assert.equal((await check('/endless')).contentLength, null);
      assert.equal((await check('/endless')).status, 'ok');
    });
  });

  it('names a download', async () => {
    const names: Record<string, string> = {
      '/a': 'attachment; filename="price list.pdf"',
      '/b': 'attachment',
      '/c': 'inline; filename=x.pdf',
      '/d': 'Attachment;filename=x.exe',
    };
    const handle: RequestListener = (request, response) =>
      response.writeHead(200, { 'Content-Disposition': names[request.url!]!, 'Content-Length': 0 }).end();
    await withSite(handle, async ({ check }) => {
      const found = await Promise.all(Object.keys(names).map(async (path) => (await check(path)).downloadName));
      assert.deepEqual(found, ['price list.pdf', '', null, 'x.exe']);
    });
  });

  it('sends the user agent it is told to, without what no header may hold', async () => {
    const seen: (string | undefined)[] = [];
    const handle: RequestListener = (request, response) =>
      void (seen.push(request.headers['user-agent']), response.setHeader('Content-Length', 0).end());
    await withSite(handle, async ({ check }) => {
      await check('/');
      await check('/', { userAgent: 'Thunderbird\r\nX-Evil: 1' });
      await check('/', { userAgent: '\n' });
      assert.deepEqual(seen, ['Galley test', 'ThunderbirdX-Evil: 1', 'Galley test']);
    });
  });
});

describe('checkLink: the way', () => {
  it('lists every hop of a chain, and how it was reached', async () => {
    const handle: RequestListener = (request, response) => {
      const left = Number(request.url!.slice(1));
      if (left > 0) response.writeHead(left === 2 ? 301 : 302, { Location: `/${left - 1}` }).end();
      else html('<title>There</title>')(request, response);
    };
    await withSite(handle, async ({ site, check }) => {
      const report = await check('/3');
      assert.equal(report.status, 'redirected');
      assert.equal(report.finalUrl, `${site.origin}/0`);
      const way = report.chain.map(({ url, status, via, method }) =>
        [url.slice(site.origin.length), status, via, method].join(' '),
      );
      assert.deepEqual(way, ['/3 302 link GET', '/2 301 redirect GET', '/1 302 redirect GET', '/0 200 redirect GET']);
    });
  });

  it('follows a meta refresh, relative and in quotes, and says so', async () => {
    const pages: Record<string, string> = {
      '/': '<head><base href="/deep/"><META HTTP-EQUIV="Refresh" CONTENT=" 0; URL=\'next?a=1#b\' "></head>',
      '/deep/next?a=1': '<title>There</title>',
    };
    const handle: RequestListener = (request, response) => html(pages[request.url!] ?? '')(request, response);
    await withSite(handle, async ({ site, check }) => {
      const report = await check('/');
      assert.equal(report.status, 'redirected');
      assert.equal(report.finalUrl, `${site.origin}/deep/next?a=1`);
      assert.deepEqual(
        report.chain.map(({ via }) => via),
        ['link', 'meta_refresh'],
      );
    });
  });

  it('leaves alone a refresh of the page itself, a slow one, one in noscript and one behind the first 256 KB', async () => {
    const refresh = (content: string) => `<meta http-equiv="refresh" content="${content}">`;
    const pages = [
      refresh('5'),
      refresh('5; url='),
      refresh('0;url=/0'),
      refresh('300;url=/x'),
      `<head><noscript>${refresh('0;url=/x')}</noscript>`,
      `<!--${'-'.repeat(300_000)}-->${refresh('0;url=/x')}`,
      `<textarea>${refresh('0;url=/x')}`,
    ];
    pages[2] = refresh('0;url=/2');
    const handle: RequestListener = (request, response) =>
      html(pages[Number(request.url!.slice(1))]!)(request, response);
    await withSite(handle, async ({ check }) => {
      for (const index of pages.keys())
        assert.equal((await check(`/${index}`)).status, 'ok', pages[index]!.slice(0, 80));
    });
  });

  it('sees circles of redirects, of meta refreshes, and ways without end', async () => {
    const handle: RequestListener = (request, response) => {
      const [kind, number] = request.url!.slice(1).split('/');
      if (kind === 'circle') response.writeHead(302, { Location: `/circle/${1 - Number(number)}` }).end();
      else if (kind === 'refresh')
        html(`<meta http-equiv=refresh content="0;url=/refresh/${1 - Number(number)}">`)(request, response);
      else response.writeHead(302, { Location: `/endless/${Number(number) + 1}` }).end();
    };
    await withSite(handle, async ({ check }) => {
      const circle = await check('/circle/0');
      assert.deepEqual([circle.status, circle.reason, circle.chain.length], ['loop', 'redirect_loop', 2]);
      const refresh = await check('/refresh/0');
      assert.deepEqual([refresh.status, refresh.reason, refresh.chain.length], ['loop', 'redirect_loop', 2]);
      const endless = await check('/endless/0');
      assert.deepEqual([endless.status, endless.reason, endless.chain.length], ['loop', 'too_many_redirects', 11]);
    });
  });

  it('does not take a wall of cookies for a circle', async () => {
    const handle: RequestListener = (request, response) => {
      if (request.headers.cookie) html('in')(request, response);
      else response.writeHead(302, { Location: '/', 'Set-Cookie': 'in=1' }).end();
    };
    await withSite(handle, async ({ check }) => assert.equal((await check('/')).status, 'redirected'));
  });

  it('ends at a redirect into an app, and says where', async () => {
    await withSite(
      (_request, response) => response.writeHead(302, { Location: 'intent://scan/#Intent;scheme=zxing;end' }).end(),
      async ({ check }) => {
        const report = await check('/');
        assert.equal(report.status, 'unsupported_scheme');
        assert.equal(report.finalUrl, 'intent://scan/#Intent;scheme=zxing;end');
      },
    );
  });

  it('stops before an address it may not follow, at the start and on the way', async () => {
    const handle: RequestListener = (_request, response) =>
      response.writeHead(302, { Location: '/unsubscribe?id=1' }).end();
    await withSite(handle, async ({ site, check }) => {
      const mayFollow = (url: string) => !url.includes('unsubscribe');
      const report = await check('/click/1', { mayFollow });
      assert.deepEqual(
        [report.status, report.reason, report.finalUrl],
        ['not_followed', 'not_followed', `${site.origin}/unsubscribe?id=1`],
      );
      assert.equal(report.chain.length, 1);
      const direct = await check('/unsubscribe', { mayFollow });
      assert.deepEqual([direct.status, direct.chain.length], ['not_followed', 0]);
      assert.deepEqual(site.requests, ['GET /click/1']);
    });
  });
});

describe('checkLink: links that act', () => {
  const onlyTouch = (url: string) => url.includes('unsubscribe');
  it('are asked with one HEAD, and where they redirect to is not asked', async () => {
    const handle: RequestListener = (request, response) => {
      if (request.url === '/unsubscribe') response.writeHead(302, { Location: '/done' }).end();
      else response.writeHead(request.url === '/unsubscribe/405' ? 405 : 200).end();
    };
    await withSite(handle, async ({ site, check }) => {
      const away = await check('/unsubscribe', { onlyTouch });
      assert.deepEqual(
        [away.status, away.reason, away.statusCode, away.finalUrl],
        ['not_followed', 'not_followed', 302, `${site.origin}/done`],
      );
      assert.equal(away.chain.length, 1);
      assert.ok(away.chain[0]!.firstByteMs > 0);
      const refusing = await check('/unsubscribe/405', { onlyTouch });
      assert.deepEqual([refusing.status, refusing.statusCode], ['not_followed', 405]);
      assert.deepEqual(site.requests, ['HEAD /unsubscribe', 'HEAD /unsubscribe/405']);
    });
  });
  it('end the way of others before they are asked', async () => {
    const handle: RequestListener = (_request, response) =>
      response.writeHead(302, { Location: '/unsubscribe?id=1' }).end();
    await withSite(handle, async ({ site, check }) => {
      const report = await check('/click/1', { onlyTouch });
      assert.deepEqual(
        [report.status, report.reason, report.finalUrl],
        ['not_followed', 'not_followed', `${site.origin}/unsubscribe?id=1`],
      );
      assert.deepEqual(site.requests, ['GET /click/1']);
    });
  });
  it('are dead or private like others', async () => {
    const door = createFetch({
      allowHosts: [],
      userAgent: 'x',
      resolver: async () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })),
    });
    assert.equal((await checkLink('http://127.0.0.1/unsubscribe', { fetch: door, onlyTouch })).status, 'blocked');
    assert.equal((await checkLink('http://no.example/unsubscribe', { fetch: door, onlyTouch })).status, 'dns');
    door.close();
  });
});

describe('checkLink: fragments', () => {
  const page = '<h1 id="größe">a</h1><a name="old">b</a><p id="100%">c</p>';
  it('are looked for in the page, by id and by name, decoded', async () => {
    await withSite(html(page), async ({ check }) => {
      const found = async (fragment: string) => (await check(`/#${fragment}`)).isFragmentFound;
      assert.equal(await found('größe'), true);
      assert.equal(await found('gr%C3%B6%C3%9Fe'), true);
      assert.equal(await found('old'), true);
      assert.equal(await found('100%'), true);
      assert.equal(await found('missing'), false);
    });
  });
  it('that are no places are left alone', async () => {
    await withSite(html(page), async ({ check }) => {
      for (const fragment of ['', 'top', '/route', '!bang', ':~:text=a', 'a=1&b=2'])
        assert.equal((await check(`/#${fragment}`)).isFragmentFound, null, fragment);
    });
  });
  it('cannot be told missing from the beginning of a page, nor behind a redirect with its own', async () => {
    const handle: RequestListener = (request, response) => {
      if (request.url === '/long') html(`<p id=early></p>${' '.repeat(300_000)}<p id=late></p>`)(request, response);
      else if (request.url === '/go') response.writeHead(302, { Location: '/page#own' }).end();
      else html('')(request, response);
    };
    await withSite(handle, async ({ check }) => {
      assert.equal((await check('/long#early')).isFragmentFound, true);
      assert.equal((await check('/long#late')).isFragmentFound, null);
      assert.equal((await check('/go#mine')).isFragmentFound, null);
    });
  });
});

describe('checkLink: dead, refused or only shy', () => {
  it('asks a file with HEAD, and with GET what HEAD left open', async () => {
    const handle: RequestListener = (request, response) => {
      const headStatus = Number.parseInt(request.url!.slice(1), 10);
      if (request.method === 'GET') response.setHeader('Content-Length', 0).end();
      else if (headStatus === 0) request.socket.destroy();
      else response.writeHead(headStatus).end();
    };
    await withSite(handle, async ({ check }) => {
      for (const status of [400, 403, 404, 405, 501, 503, 302, 0]) {
        const report = await check(`/${status}.pdf`);
        assert.deepEqual([report.status, report.statusCode], ['ok', 200], String(status));
        assert.deepEqual(
          report.chain.map(({ method }) => method),
          ['GET'],
          String(status),
        );
      }
    });
  });

  it('reads a page that is called like a file', async () => {
    await withSite(html('<meta http-equiv="refresh" content="0;url=/there"><p id=a>'), async ({ site, check }) => {
      const report = await check('/offer.pdf');
      assert.equal(report.finalUrl, `${site.origin}/there`);
      assert.deepEqual(
        report.chain.map(({ method, via }) => `${method} ${via}`),
        ['GET link', 'GET meta_refresh'],
      );
    });
  });

  it('tries a connection that broke off once more', async () => {
    let count = 0;
    const handle: RequestListener = (request, response) =>
      ++count === 1 ? request.socket.destroy() : html('')(request, response);
    await withSite(handle, async ({ check }) => assert.equal((await check('/')).status, 'ok'));
    await withSite(
      (request) => void request.socket.destroy(),
      async ({ site, check }) => {
        assert.deepEqual([(await check('/')).status, site.requests.length], ['broken', 2]);
      },
    );
  });

  const answers: [status: number, headers: Record<string, string>, expected: string][] = [
    [404, {}, 'broken'],
    [410, {}, 'broken'],
    [500, {}, 'broken'],
    [503, {}, 'broken'],
    [304, {}, 'broken'],
    [403, { Server: 'AmazonS3' }, 'broken'],
    [401, {}, 'refused_to_robots'],
    [403, {}, 'refused_to_robots'],
    [429, { 'Retry-After': '7' }, 'refused_to_robots'],
    [451, {}, 'refused_to_robots'],
    [999, {}, 'refused_to_robots'],
    [503, { 'CF-Mitigated': 'challenge' }, 'refused_to_robots'],
  ];
  it('tells dead from refused', async () => {
    const handle: RequestListener = (request, response) => {
      const [status, headers] = answers[Number(request.url!.slice(1))]!;
      response.writeHead(status, headers).end();
    };
    await withSite(handle, async ({ check }) => {
      for (const [index, [status, , expected]] of answers.entries()) {
        const report = await check(`/${index}`);
        assert.deepEqual([report.status, report.statusCode], [expected, status], `${status} ${index}`);
        assert.equal(report.retryAfterSeconds, status === 429 ? 7 : null);
      }
    });
  });

  it('asks only once when it is told that it asks too much', async () => {
    await withSite(
      (_request, response) => response.writeHead(429).end(),
      async ({ site, check }) => {
        await check('/a');
        await check('/b.pdf');
        assert.deepEqual(site.requests, ['GET /a', 'HEAD /b.pdf']);
      },
    );
  });

  it('tells a name that does not exist, a closed port, silence, and what is not HTTP', async () => {
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => {
        if (!data.toString().includes(' /silent ')) socket.end('220 mail.example ESMTP\r\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as net.AddressInfo;
    const resolver = async (host: string) => {
      if (host === 'alive.example') return ['127.0.0.1'];
      throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
    };
    const door = createFetch({ allowHosts: ['127.0.0.1'], userAgent: 'x', resolver });
    const check = async (url: string) => {
      const { status, reason, errorCode, chain } = await checkLink(url, {
        fetch: door,
        timeoutMs: url.endsWith('/silent') ? 60 : 5000,
      });
      return [status, reason, errorCode, chain.length];
    };
    assert.deepEqual(await check('http://no.example/'), ['dns', 'dns', 'ENOTFOUND', 0]);
    assert.deepEqual(await check(`http://alive.example:${port}/silent`), ['timeout', 'timeout', null, 0]);
    assert.deepEqual(await check(`http://alive.example:${port}/smtp`), [
      'broken',
      'protocol',
      'HPE_INVALID_CONSTANT',
      0,
    ]);
    assert.deepEqual(await check(`https://alive.example:${port}/`), ['tls', 'tls', 'EPROTO', 0]);
    await new Promise((resolve) => server.close(resolve));
    assert.deepEqual(await check(`http://alive.example:${port}/`), ['broken', 'connect', 'ECONNREFUSED', 0]);
    door.close();
  });

  it('believes the headers of an answer whose body never ends or breaks off', async () => {
    const handle: RequestListener = (request, response) => {
      response.writeHead(200, {
        'Content-Type': 'text/html',
        ...(request.url === '/broken' ? { 'Content-Length': 1000 } : {}),
      });
      if (request.method === 'HEAD') response.end();
      else if (request.url === '/broken') response.write('<p>', () => response.destroy());
      else response.write('<p>');
    };
    await withSite(handle, async ({ check }) => {
      assert.equal((await check('/broken')).status, 'ok');
      assert.equal((await check('/endless', { timeoutMs: 100 })).status, 'ok');
    });
  });

  it('does not throw when the caller gives up', async () => {
    await withSite(html(''), async ({ check }) => {
      const report = await check('/', { signal: AbortSignal.abort() });
      assert.deepEqual([report.status, report.reason], ['not_followed', 'aborted']);
    });
  });

  it('asks nothing that is not the web', async () => {
    const door = createFetch({ allowHosts: [], userAgent: 'x' });
    const expected: Record<string, string> = {
      '': 'not_followed empty',
      '  #top': 'not_followed fragment',
      'page.html': 'not_followed relative',
      'www.shop.example/sale': 'not_followed relative',
      'mailto:a@b.example': 'not_followed scheme',
      'TEL:+123': 'not_followed scheme',
      'sms:+123': 'not_followed scheme',
      'javascript:alert(1)': 'unsupported_scheme scheme',
      'data:text/html,x': 'unsupported_scheme scheme',
      'file:///etc/passwd': 'unsupported_scheme scheme',
      'ftp://files.example/': 'unsupported_scheme scheme',
      'http://': 'broken invalid_url',
      'https://a b.example/': 'broken invalid_url',
      'http://user:secret@shop.example/': 'broken invalid_url',
    };
    for (const [url, verdict] of Object.entries(expected)) {
      const report = await checkLink(url, { fetch: door });
      assert.equal(`${report.status} ${report.reason}`, verdict, url);
    }
    door.close();
  });
});

describe('checkLink: certificates', () => {
  const day = 86_400_000;
  const authority = makeCertificate({ commonName: 'Our authority', isAuthority: true });
  const issuer = { commonName: 'Our authority', privateKey: authority.privateKey };
  const stranger = makeCertificate({ commonName: 'Stranger', isAuthority: true });
  const ago = (days: number) => new Date(Date.now() - days * day);
  const kinds: Record<
    string,
    { certificate: Partial<CertificateOptions>; problem: string | null; isChainValid: boolean; hostMatches: boolean }
  > = {
    good: { certificate: { issuer }, problem: null, isChainValid: true, hostMatches: true },
    expired: {
      certificate: { issuer, validFrom: ago(100), validTo: ago(3) },
      problem: 'CERT_HAS_EXPIRED',
      isChainValid: false,
      hostMatches: true,
    },
    early: {
      certificate: { issuer, validFrom: ago(-3), validTo: ago(-100) },
      problem: 'CERT_NOT_YET_VALID',
      isChainValid: false,
      hostMatches: true,
    },
    'another host': {
      certificate: { issuer, commonName: 'other.example', altNames: ['other.example'] },
      problem: 'ERR_TLS_CERT_ALTNAME_INVALID',
      isChainValid: true,
      hostMatches: false,
    },
    'self-signed': { certificate: {}, problem: 'DEPTH_ZERO_SELF_SIGNED_CERT', isChainValid: false, hostMatches: true },
    'unknown signer': {
      certificate: { issuer: { commonName: 'Stranger', privateKey: stranger.privateKey } },
      problem: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      isChainValid: false,
      hostMatches: true,
    },
  };
  for (const [kind, expected] of Object.entries(kinds)) {
    it(`reports one that is ${kind}, and goes on`, async () => {
      const tls = makeCertificate({ commonName: '127.0.0.1', ...expected.certificate });
      await using site = await startSite({ tls, handle: html('<title>x</title>') });
      const door = createFetch({ allowHosts: [`127.0.0.1:${site.port}`], userAgent: 'x', ca: authority.cert });
      const report = await checkLink(site.origin, { fetch: door });
      door.close();
      const { problem, isChainValid, hostMatches, subject, altNames, daysLeft, protocol } =
        report.chain[0]!.certificate!;
      assert.deepEqual(
        { problem, isChainValid, hostMatches },
        { problem: expected.problem, isChainValid: expected.isChainValid, hostMatches: expected.hostMatches },
      );
      assert.equal(subject, expected.certificate.commonName ?? '127.0.0.1');
      assert.deepEqual(altNames, expected.certificate.altNames ?? ['127.0.0.1']);
      assert.equal(daysLeft, kind === 'expired' ? -4 : kind === 'early' ? 99 : 0);
      assert.match(protocol, /^TLSv1\.[23]$/);
      assert.equal(report.status, 'ok');
    });
  }
});

describe('checkLink, against every private address', () => {
  let site: Site;
  let door: GuardedFetch;
  const answers = new Map<string, string[]>();

  before(async () => {
    site = await startSite({
      handle: (request, response) => {
        const [, kind, target] = request.url!.split('/');
        const location = decodeURIComponent(target!);
        if (kind === 'refresh')
          response
            .setHeader('Content-Type', 'text/html')
            .end(`<meta http-equiv="refresh" content="0;url=${location}">`);
        else response.writeHead(302, { Location: Buffer.from(location).toString('latin1') }).end();
      },
    });
    door = createFetch({
      allowHosts: [`127.0.0.1:${site.port}`],
      userAgent: 'x',
      connectTimeoutMs: 500,
      resolver: async (host) => answers.get(host) ?? [],
    });
  });
  after(async () => {
    door.close();
    await site.close();
  });

  async function expectBlocked(url: string): Promise<void> {
    const via = (kind: string) => `${site.origin}/${kind}/${encodeURIComponent(url)}`;
    for (const link of [url, via('redirect'), via('refresh')]) {
      const report = await checkLink(link, { fetch: door });
      assert.equal(report.status, 'blocked', link);
      assert.equal(report.chain.length, link === url ? 0 : 1, link);
    }
  }

  for (const [what, address] of PRIVATE_ADDRESSES) {
    it(`blocks ${what} ${address} as literal and DNS answer, linked, redirected and refreshed to`, async () => {
      const host = address.includes(':') ? `[${address}]` : address;
      await expectBlocked(`http://${host}/`);
      await expectBlocked(`https://${host}/`);
      answers.set('evil.example', ['93.184.215.14', address]);
      await expectBlocked('http://evil.example/');
    });
  }
  for (const [what, host] of DISGUISED_HOSTS)
    it(`blocks a host written as ${what}: ${host}`, () => expectBlocked(`http://${host}/`));

  it('blocks a name whose second answer is private, linked or refreshed to', async () => {
    await using secret = await startSite({ handle: html('secret'), address: '127.0.0.2', port: site.port });
    let lookups = 0;
    const rebound = createFetch({
      allowHosts: [`127.0.0.1:${site.port}`],
      userAgent: 'x',
      resolver: async () => (lookups++ === 0 ? ['127.0.0.1'] : ['127.0.0.2']),
    });
    const way = encodeURIComponent(`http://rebind.example:${site.port}/`);
    const report = await checkLink(`http://rebind.example:${site.port}/redirect/${way}`, { fetch: rebound });
    assert.equal(report.status, 'blocked');
    lookups = 0;
    const page = await checkLink(`http://rebind.example:${site.port}/refresh/${way}`, { fetch: rebound });
    assert.equal(page.status, 'blocked');
    assert.deepEqual(secret.requests, []);
    rebound.close();
  });
});
