// Sites that links of tests lead to, and a door that finds them by name.
import type { RequestListener } from 'node:http';
import { makeCertificate, type CertificateOptions } from '../../../../test/harness/certificate.ts';
import { startSite, type Site } from '../../../../test/harness/link-playground.ts';
import type { App } from '../../../../test/harness/start-app.ts';
import { createFetch, type AddressResolver } from '../../../platform/fetch/index.ts';

const DAY_MS = 86_400_000;

const html =
  (body: string): RequestListener =>
  (_request, response) =>
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(body);
const status =
  (code: number): RequestListener =>
  (_request, response) =>
    response.writeHead(code).end();
const to =
  (location: string, code = 302): RequestListener =>
  (_request, response) =>
    response.writeHead(code, { Location: location }).end();

const pages: Record<string, RequestListener> = {
  '/': html('<title>Home</title><h2 id="offers">Offers</h2>'),
  '/old': to('/older', 301),
  '/older': to('/', 302),
  '/refresh': html('<meta http-equiv="refresh" content="0;url=/">'),
  '/circle': to('/circle'),
  '/gone': status(410),
  '/wall': status(403),
  '/busy': (_request, response) => response.writeHead(429, { 'Retry-After': '3600' }).end(),
  '/linkedin': status(999),
  '/list.pdf': (_request, response) =>
    response
      .writeHead(200, {
        Connection: 'close',
        'Content-Type': 'application/pdf',
        'Content-Length': 1234,
        'Content-Disposition': 'attachment; filename="list.pdf"',
      })
      .end(),
  '/click': to('/unsubscribe?id=7'),
  '/unsubscribe?id=7': to('/unsubscribed'),
  '/agent': (request, response) =>
    response
      .writeHead(request.headers['user-agent'] === 'Thunderbird' ? 200 : 404, {
        'Content-Type': 'text/plain',
        'Content-Length': 2,
      })
      .end(request.method === 'HEAD' ? undefined : 'ok'),
};

const handle: RequestListener = (request, response) => {
  const [, kind, target = ''] = request.url!.split('/');
  if (kind === 'redirect') return to(Buffer.from(decodeURIComponent(target)).toString('latin1'))(request, response);
  if (kind === 'reload')
    return html(`<meta http-equiv="refresh" content="0;url=${decodeURIComponent(target)}">`)(request, response);
  return (pages[request.url!] ?? status(404))(request, response);
};

export interface Playground extends Record<'good' | 'expired' | 'selfSigned' | 'wrongHost' | 'plain', Site> {
  close(): Promise<void>;
}

/**
 * Starts the sites and gives the app a door to them: the real one, with its guard, but with `resolve` in place of the
 * system's resolver, and with the test's authority among those it trusts. Everything else on loopback stays closed.
 */
export async function openPlayground(app: App, resolve: AddressResolver): Promise<Playground> {
  const authority = makeCertificate({ commonName: 'Test authority', isAuthority: true });
  const issuer = { commonName: 'Test authority', privateKey: authority.privateKey };
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
  const secure = (options: Partial<CertificateOptions>) =>
    startSite({ handle, tls: makeCertificate({ commonName: '127.0.0.1', ...options }) });
  const sites = {
    plain: await startSite({ handle }),
    good: await secure({ issuer, validTo: ago(-90) }),
    expired: await secure({ issuer, validFrom: ago(100), validTo: ago(3) }),
    selfSigned: await secure({ validTo: ago(-90) }),
    wrongHost: await secure({ issuer, validTo: ago(-90), commonName: 'other.example', altNames: ['other.example'] }),
  };
  const door = createFetch({
    allowHosts: Object.values(sites).map(({ port }) => `127.0.0.1:${port}`),
    userAgent: 'Galley test',
    ca: authority.cert,
    resolver: resolve,
    connectTimeoutMs: 1_000,
  });
  app.galley.outside.fetch.close();
  app.galley.outside.fetch = door;
  return {
    ...sites,
    async close() {
      door.close();
      await Promise.all(Object.values(sites).map((site) => site.close()));
    },
  };
}
