// The web that the links benchmark checks: a process of its own with twenty hosts on loopback, plain and TLS.
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { makeCertificate } from '../test/harness/certificate.ts';

const HOSTS = Array.from({ length: 20 }, (_, index) => `127.0.0.${index + 10}`);
const DAY_MS = 86_400_000;
const PAGE = Buffer.from(
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title></head><body>' +
    `${'<p>A paragraph of a page that a newsletter leads to.</p>'.repeat(200)}</body></html>`,
);
const FILE = Buffer.alloc(20_000, 7);

/** What the parent is told. */
export interface LinksSite {
  /** The 1,000 distinct links. */
  urls: string[];
  /** A page that holds them all. */
  index: string;
  /** PEM. */
  authority: string;
}

const answers: Record<
  string,
  (request: http.IncomingMessage, response: http.ServerResponse, path: string[]) => unknown
> = {
  page: (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': PAGE.length }).end(PAGE),
  picture: (_request, response) =>
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': FILE.length }).end(FILE),
  chunked(request, response) {
    response.writeHead(200, { 'content-type': 'text/html' });
    if (request.method === 'HEAD') return response.end();
    response.write(PAGE);
    return response.end('<p>end</p>');
  },
  missing: (_request, response) => response.writeHead(404, { 'content-length': 4 }).end('gone'),
  gone: (_request, response) => response.writeHead(410, { 'content-length': 4 }).end('gone'),
  down: (_request, response) => response.writeHead(503, { 'content-length': 4 }).end('down'),
  nohead: (request, response, path) =>
    request.method === 'HEAD' ? response.writeHead(405).end() : answers['page']!(request, response, path),
  chain(request, response, path) {
    const [, length = '0', id] = path;
    if (length === '0') return answers['page']!(request, response, path);
    return response.writeHead(302, { location: `/chain/${Number(length) - 1}/${id}`, 'content-length': 0 }).end();
  },
  loop: (_request, response, [, side, id]) =>
    response.writeHead(302, { location: `/loop/${side === 'a' ? 'b' : 'a'}/${id}`, 'content-length': 0 }).end(),
  secure: (_request, response, [, port, id]) =>
    response.writeHead(301, { location: `https://127.0.0.10:${port}/page/${id}`, 'content-length': 0 }).end(),
  async slow(request, response, path) {
    await wait(300);
    return answers['page']!(request, response, path);
  },
};

const listener: http.RequestListener = (request, response) => {
  const path = request.url!.slice(1).split('/');
  void (answers[path[0]!] ?? answers['missing']!)(request, response, path);
};

async function listen(server: http.Server, address: string, port = 0): Promise<number> {
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  return (server.address() as AddressInfo).port;
}

async function start(): Promise<LinksSite> {
  const authority = makeCertificate({ commonName: 'Benchmark authority', isAuthority: true });
  const issuer = { commonName: 'Benchmark authority', privateKey: authority.privateKey };
  const stranger = makeCertificate({ commonName: 'Stranger', isAuthority: true });
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
  const names = HOSTS.slice(0, 1);
  const tls = {
    good: { commonName: HOSTS[0]!, altNames: names, issuer },
    expired: { commonName: HOSTS[0]!, altNames: names, issuer, validFrom: ago(400), validTo: ago(3) },
    early: { commonName: HOSTS[0]!, altNames: names, issuer, validFrom: ago(-3), validTo: ago(-30) },
    host: { commonName: 'other.example', issuer },
    self: { commonName: HOSTS[0]!, altNames: names },
    unknown: {
      commonName: HOSTS[0]!,
      altNames: names,
      issuer: { commonName: 'Stranger', privateKey: stranger.privateKey },
    },
  };
  const ports: Record<string, number> = {};
  for (const [kind, options] of Object.entries(tls))
    ports[kind] = await listen(https.createServer(makeCertificate(options), listener), HOSTS[0]!);
  let plain = 0;
  for (const host of HOSTS) plain = await listen(http.createServer(listener), host, plain);
  const closed = http.createServer();
  const refused = await listen(closed, HOSTS[1]!);
  closed.close();

  const urls: string[] = [];
  const add = (count: number, path: (id: number) => string) => {
    for (let id = 0; id < count; id++) urls.push(`http://${HOSTS[urls.length % HOSTS.length]}:${plain}/${path(id)}`);
  };
  add(400, (id) => `page/${id}`);
  add(160, (id) => `picture/${id}`);
  add(20, (id) => `chunked/${id}`);
  add(90, (id) => `missing/${id}`);
  add(10, (id) => `gone/${id}`);
  add(10, (id) => `down/${id}`);
  add(20, (id) => `nohead/${id}`);
  add(60, (id) => `chain/1/a${id}`);
  add(50, (id) => `chain/3/b${id}`);
  add(30, (id) => `chain/8/c${id}`);
  add(10, (id) => `loop/a/${id}`);
  add(20, (id) => `slow/${id}`);
  add(10, (id) => `secure/${ports['good']}/s${id}`);
  for (let id = 0; id < 80; id++) urls.push(`https://${HOSTS[0]}:${ports['good']}/page/t${id}`);
  for (const kind of ['expired', 'early', 'host', 'self', 'unknown'])
    for (let id = 0; id < 4; id++) urls.push(`https://${HOSTS[0]}:${ports[kind]}/page/${kind}${id}`);
  for (let id = 0; id < 10; id++) urls.push(`http://${HOSTS[1]}:${refused}/page/${id}`);
  // In no order, as in an email; always the same.
  const mixed = urls
    .map((url, index) => ({ url, place: (index * 7919) % 1009 }))
    .sort((a, b) => a.place - b.place)
    .map(({ url }) => url);
  const list = Buffer.from(
    `<!doctype html><html><body>${mixed.map((url) => `<a href="${url}">x</a>`).join('\n')}</body></html>`,
  );
  const index = await listen(
    http.createServer((_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(list)),
    '127.0.0.1',
  );
  return { urls: mixed, index: `http://127.0.0.1:${index}/`, authority: authority.cert };
}

process.send!(await start());
process.once('disconnect', () => process.exit());
