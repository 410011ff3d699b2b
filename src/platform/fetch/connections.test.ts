import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { makeCertificate } from '../../../test/harness/certificate.ts';
import { startSite } from '../../../test/harness/link-playground.ts';
import { keepConnections } from './connections.ts';
import { createFetch, type FetchOptions, type FetchOutcome, type GuardedFetch } from './index.ts';

interface Wire {
  origin: string;
  port: number;
  /** Every request, as it came over the wire. */
  requests: string[];
  connections: number;
  door: GuardedFetch;
}

/** A server that writes what it is told for each request, and a door to it. */
async function onWire(
  answer: (request: { path: string; socket: net.Socket; count: number }) => string | Buffer | undefined,
  use: (wire: Wire) => Promise<void>,
  options: Partial<FetchOptions> = {},
): Promise<void> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    wire.connections += 1;
    sockets.add(socket.on('error', () => {}));
    socket.on('data', (data) => {
      wire.requests.push(data.toString('latin1'));
      const text = answer({ path: data.toString().split(' ')[1]!, socket, count: wire.requests.length });
      if (text !== undefined) socket.write(text);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as net.AddressInfo;
  const door = createFetch({ allowHosts: ['127.0.0.0/8'], userAgent: 'Galley test', ...options });
  const wire: Wire = { origin: `http://127.0.0.1:${port}`, port, requests: [], connections: 0, door };
  try {
    await use(wire);
  } finally {
    door.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

function ok(body: string, fields = ''): string {
  return `HTTP/1.1 200 OK\r\n${fields}Content-Length: ${body.length}\r\n\r\n${body}`;
}

function said(outcome: FetchOutcome): string {
  return outcome.ok ? `${outcome.status} ${outcome.body.toString('latin1')}` : outcome.reason;
}

describe('a kept connection', () => {
  it('is used for a request only when its address was checked for that request', async () => {
    const reply = (text: string) => ({
      handle: (_request: unknown, response: { end(body: string): void }) => response.end(text),
    });
    await using first = await startSite(reply('first'));
    await using second = await startSite({ ...reply('second'), address: '127.0.0.2', port: first.port });
    const turns = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1'], ['127.0.0.2', '127.0.0.1'], ['127.0.0.3']];
    const resolver = async () => turns.shift()!;
    const door = createFetch({ allowHosts: ['127.0.0.0/8'], userAgent: 'x', resolver });
    const seen: string[] = [];
    for (let count = 0; count < 5; count++) {
      const outcome = await door.request(`http://moves.example:${first.port}/`);
      const hop = outcome.hops[0];
      seen.push(`${said(outcome)} ${hop?.remoteAddress} ${hop?.isReused}`);
    }
    door.close();
    assert.deepEqual(seen.slice(0, 3), [
      '200 first 127.0.0.1 false',
      '200 second 127.0.0.2 false',
      '200 first 127.0.0.1 true',
    ]);
    assert.match(seen[3]!, /true$/);
    assert.equal(seen[4], 'connect undefined undefined');
    assert.deepEqual([first.connections(), second.connections()], [1, 1]);
  });

  it('gives way to a new one when all of a host go to addresses that were not checked', async () => {
    await using first = await startSite({
      handle: (_request, response) => void setTimeout(() => response.end('first'), 20),
    });
    await using second = await startSite({
      handle: (_request, response) => response.end('second'),
      address: '127.0.0.2',
      port: first.port,
    });
    let address = '127.0.0.1';
    const door = createFetch({ allowHosts: ['127.0.0.0/8'], userAgent: 'x', resolver: async () => [address] });
    const ask = () => door.request(`http://moves.example:${first.port}/`);
    await Promise.all(Array.from({ length: 8 }, ask));
    address = '127.0.0.2';
    assert.equal(said(await ask()), '200 second');
    assert.deepEqual([first.connections(), second.connections()], [8, 1]);
    door.close();
  });

  it('is not believed when it speaks without being asked', async () => {
    const answer = ({ socket, count }: { socket: net.Socket; count: number }) => {
      if (count === 1) setTimeout(() => socket.write(ok('poison')), 10);
      return ok(`answer ${count}`);
    };
    await onWire(answer, async ({ origin, door }) => {
      assert.equal(said(await door.request(origin)), '200 answer 1');
      await wait(40);
      assert.equal(said(await door.request(origin)), '200 answer 2');
    });
  });

  it('that was closed is replaced once, and a second failure is the answer', async () => {
    await onWire(
      ({ socket, count }) => (count === 1 ? ok('one') : void socket.destroy()),
      async ({ origin, door, requests }) => {
        assert.equal(said(await door.request(origin)), '200 one');
        assert.equal(said(await door.request(origin)), 'protocol');
        assert.equal(requests.length, 3);
      },
    );
  });

  it('is never used for a POST, which is sent once', async () => {
    await onWire(
      ({ socket, count }) => (count === 3 ? void socket.destroy() : ok('x')),
      async (wire) => {
        const post = () => wire.door.request(wire.origin, { method: 'POST', form: 'a=b' });
        await wire.door.request(wire.origin);
        assert.deepEqual([said(await post()), wire.connections], ['200 x', 2]);
        assert.deepEqual([said(await post()), wire.connections, wire.requests.length], ['protocol', 3, 3]);
      },
    );
  });

  it('is kept after HEAD, and after a redirect whose body has arrived', async () => {
    const head = 'HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 5\r\n\r\nmoved';
    await onWire(
      ({ path, count }) => (path === '/' ? head : ok('x').slice(0, count === 1 ? -1 : undefined)),
      async (wire) => {
        await wire.door.request(`${wire.origin}/a`, { method: 'HEAD' });
        const outcome = await wire.door.request(wire.origin);
        assert.deepEqual(
          outcome.hops.map(({ isReused }) => isReused),
          [true, true],
        );
        assert.equal(wire.connections, 1);
      },
    );
  });

  it('shows its certificate every time, and who wants it verified gets another one', async () => {
    const certificate = makeCertificate({ commonName: 'site.test', altNames: ['site.test'] });
    await using site = await startSite({ handle: (_request, response) => response.end('x'), tls: certificate });
    const door = createFetch({ allowHosts: ['127.0.0.1'], userAgent: 'x', resolver: async () => ['127.0.0.1'] });
    const url = `https://site.test:${site.port}/`;
    const hops = [];
    for (let round = 0; round < 2; round++) hops.push((await door.request(url, { certificates: 'reported' })).hops[0]!);
    assert.deepEqual(
      hops.map(({ isReused }) => isReused),
      [false, true],
    );
    assert.deepEqual(
      hops.map(({ timings }) => typeof timings.tlsMs),
      ['number', 'object'],
    );
    assert.equal(hops[0]!.certificate!.problem, 'DEPTH_ZERO_SELF_SIGNED_CERT');
    assert.deepEqual(hops[1]!.certificate, hops[0]!.certificate);
    assert.equal(said(await door.request(url)), 'tls');
    door.close();
  });
});

describe('connections of a door', () => {
  it('are eight to a host; who waits for one is not made to look slow, and leaves when told to', async () => {
    const heldMs = 300;
    const held: net.Socket[] = [];
    const { promise: eight, resolve } = Promise.withResolvers<void>();
    const answer = ({ socket, count }: { socket: net.Socket; count: number }) => {
      if (count > 8) return ok('x');
      if (held.push(socket) === 8) resolve();
      return undefined;
    };
    await onWire(answer, async (wire) => {
      const stop = new AbortController();
      const asked = Array.from({ length: 16 }, () => wire.door.request(wire.origin));
      const leaving = wire.door.request(wire.origin, { signal: stop.signal });
      await eight;
      stop.abort();
      assert.equal(said(await leaving), 'aborted');
      await wait(heldMs);
      assert.equal(wire.requests.length, 8);
      for (const socket of held) socket.write(ok('x'));
      const hops = (await Promise.all(asked)).map((outcome) => outcome.hops[0]!);
      assert.equal(wire.connections, 8);
      const later = hops.filter(({ isReused }) => isReused);
      assert.equal(later.length, 8);
      assert.ok(later.every(({ timings }) => timings.connectMs === null && timings.firstByteMs < heldMs));
    });
  });

  it('are bounded over all hosts, and an unused one makes room', async () => {
    await onWire(
      () => undefined,
      async (wire) => {
        const options = { secureContext: undefined, headerBytesMax: 1000, idleMs: 1000 };
        const connections = keepConnections({ perHostMax: 2, totalMax: 3 }, options);
        const take = (host: string, signal = AbortSignal.timeout(2000)) => {
          const url = new URL(`http://${host}:${wire.port}/`);
          const how = { certificates: 'verified', connectTimeoutMs: 1000, signal } as const;
          return connections.take({ url, host, addresses: ['127.0.0.1'], ...how }, false);
        };
        const [first] = await Promise.all([take('a.example'), take('a.example'), take('b.example')]);
        await assert.rejects(take('a.example', AbortSignal.timeout(30)), { name: 'TimeoutError' });
        const waiting = take('c.example');
        connections.release(first!);
        assert.notEqual(await waiting, first);
        assert.equal(first!.socket.destroyed, true);
        assert.equal(wire.connections, 4);
        connections.close();
      },
    );
  });
});

describe('what goes over the wire', () => {
  it('is one header section, always the same', async () => {
    await onWire(
      () => ok(''),
      async ({ origin, port, door, requests }) => {
        await door.request(`${origin}/a%20b?c=d`, { accept: 'text/html' });
        await door.request(origin, { method: 'HEAD' });
        await door.request(origin, { method: 'POST', form: 'a=b' });
        await door.request(origin, { method: 'POST' });
        const host = `host: 127.0.0.1:${port}\r\nconnection: keep-alive\r\n`;
        const rest = (accept: string) =>
          `user-agent: Galley test\r\naccept: ${accept}\r\naccept-encoding: gzip, deflate, br\r\n`;
        const form = 'content-type: application/x-www-form-urlencoded\r\n';
        assert.deepEqual(requests, [
          `GET /a%20b?c=d HTTP/1.1\r\n${host}${rest('text/html')}\r\n`,
          `HEAD / HTTP/1.1\r\n${host}${rest('*/*')}\r\n`,
          `POST / HTTP/1.1\r\n${host}${form}${rest('*/*')}content-length: 3\r\n\r\na=b`,
          `POST / HTTP/1.1\r\n${host}${form}${rest('*/*')}content-length: 0\r\n\r\n`,
        ]);
      },
    );
  });

  it('is read as Latin-1, the first of a single field and all of the others', async () => {
    const fields = [
      'X-A: one',
      'x-a: two \t',
      'Set-Cookie: a=1',
      'Set-Cookie: b=2',
      'Content-Type: text/html ',
      'Content-Type: image/png',
      'X-Text: caf\u00E9',
      'constructor: c',
      '__proto__: p',
      'X-Empty:',
    ];
    await onWire(
      () => Buffer.from(ok('x', fields.map((field) => `${field}\r\n`).join('')), 'latin1'),
      async ({ origin, door }) => {
        const { headers } = await door.get(origin);
        const { 'content-length': length, ...others } = headers;
        assert.equal(length, '1');
        assert.equal(Object.getPrototypeOf(headers), Object.prototype);
        assert.deepEqual(others, {
          'x-a': 'one, two',
          'set-cookie': 'a=1, b=2',
          'content-type': 'text/html',
          'x-text': 'caf\u00E9',
          constructor: 'c',
          'x-empty': '',
        });
      },
    );
  });

  it('may begin with early hints, which are no answer', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';
    await onWire(
      ({ path }) =>
        path === '/' ? hints + hints + ok('x') : `${hints}HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n`,
      async (wire) => {
        const first = await wire.door.request(wire.origin);
        assert.deepEqual([said(first), first.ok && first.headers['link']], ['200 x', undefined]);
        const second = await wire.door.request(`${wire.origin}/2`);
        assert.deepEqual([said(second), second.hops[0]!.isReused], ['404 ', true]);
      },
    );
  });

  it('has no more header bytes than allowed, in one field or in many, on a new or a kept connection', async () => {
    const many = Array.from({ length: 300 }, (_, index) => `X-${index}: ${'a'.repeat(100)}\r\n`).join('');
    const answers: Record<string, string> = {
      '/': ok('x'),
      '/many': ok('x', many),
      '/one': ok('x', `X: ${'a'.repeat(20_000)}\r\n`),
    };
    await onWire(
      ({ path }) => answers[path]!,
      async ({ origin, door }) => {
        for (const path of ['many', 'one', '', 'many', '', 'one']) {
          assert.equal(said(await door.request(`${origin}/${path}`)), path === '' ? '200 x' : 'protocol', path);
        }
      },
      { headerBytesMax: 16_384 },
    );
  });

  it('is an answer only when all of it has come; with an end that the connection makes, too', async () => {
    const answers: Record<string, string> = {
      '/short': 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort',
      '/chunk': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n',
      '/end': 'HTTP/1.1 200 OK\r\n\r\nto the end',
      '/old': 'HTTP/1.0 200 OK\r\n\r\nto the end',
    };
    const answer = ({ path, socket }: { path: string; socket: net.Socket }) => void socket.end(answers[path]!);
    await onWire(answer, async ({ origin, door }) => {
      const seen = [];
      for (const path of Object.keys(answers)) seen.push(said(await door.request(origin + path)));
      assert.deepEqual(seen, ['protocol', 'protocol', '200 to the end', '200 to the end']);
    });
  });

  it('that is no answer is called what Node calls it', async () => {
    const answers: Record<string, string> = {
      '/smtp': '220 mail\r\n',
      '/big': ok('x', `X: ${'a'.repeat(40_000)}\r\n`),
      '/nothing': '',
    };
    const answer = ({ path, socket }: { path: string; socket: net.Socket }) => void socket.end(answers[path]!);
    await onWire(answer, async ({ origin, door }) => {
      const codes = [];
      for (const path of Object.keys(answers)) {
        const outcome = await door.request(origin + path);
        codes.push(!outcome.ok && (outcome.error.cause as NodeJS.ErrnoException).code);
      }
      assert.deepEqual(codes, ['HPE_INVALID_CONSTANT', 'HPE_HEADER_OVERFLOW', 'ECONNRESET']);
    });
  });

  it('may be given up at any moment, also in a body that only the connection ends', async () => {
    const stop = new AbortController();
    const answer = ({ socket, path }: { socket: net.Socket; path: string }) => {
      if (path === '/stop') setTimeout(() => stop.abort(), 10);
      if (path === '/late') setTimeout(() => socket.end('end'), 5);
      return 'HTTP/1.1 200 OK\r\n\r\nbeginning';
    };
    await onWire(answer, async ({ origin, door }) => {
      for (const path of ['late', 'never']) {
        const outcome = await door.request(`${origin}/${path}`, { wantsBody: () => false });
        assert.deepEqual([said(outcome), outcome.ok && outcome.isCut], ['200 ', true]);
      }
      assert.equal(said(await door.request(`${origin}/never`, { timeoutMs: 20 })), 'timeout');
      assert.equal(said(await door.request(`${origin}/stop`, { signal: stop.signal })), 'aborted');
      // What its client throws is thrown when the connection closes, and would fail this file.
      await wait(20);
    });
  });

  it('is not read on when enough has come', async () => {
    let sent = 0;
    const answer = ({ socket }: { socket: net.Socket }) => {
      const more = (): void => void (socket.destroyed || ((sent += 65_536), socket.write(Buffer.alloc(65_536), more)));
      socket.write('HTTP/1.1 200 OK\r\n\r\n', more);
      return undefined;
    };
    await onWire(answer, async ({ origin, door }) => {
      const cut = await door.get(origin, { tooLarge: 'cut', sizeBytesMax: 100_000 });
      assert.deepEqual([cut.body.length, cut.isCut], [100_000, true]);
      await wait(50);
      const before = sent;
      await wait(50);
      assert.equal(sent, before);
    });
  });
});
