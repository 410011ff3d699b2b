import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { describe, it, mock } from 'node:test';
import { startSite, type Site } from '../../../test/harness/link-playground.ts';
import { createFetch } from '../fetch/index.ts';
import { checkAll, type CheckAllOptions, type LinkReport } from './index.ts';
import { politeQueue } from '../fetch/index.ts';

type Check = (paths: readonly string[], options?: Partial<CheckAllOptions>) => Promise<Map<string, LinkReport>>;

async function withSite(handle: RequestListener, use: (site: Site, check: Check) => Promise<void>): Promise<void> {
  await using site = await startSite({ handle });
  const door = createFetch({
    allowHosts: [`127.0.0.1:${site.port}`],
    userAgent: 'x',
    resolver: async () => ['127.0.0.1'],
  });
  try {
    await use(site, (paths, options) =>
      checkAll(
        paths.map((path) => (path.startsWith('/') ? site.origin + path : path)),
        { fetch: door, ...options },
      ),
    );
  } finally {
    door.close();
  }
}

const page: RequestListener = (_request, response) =>
  response.setHeader('Content-Type', 'text/html').end('<h1 id="a">A</h1>');

describe('checkAll', () => {
  it('asks each target once, whatever the number of links to it, and reports every link in order', async () => {
    await withSite(page, async (site, check) => {
      const found = await check(['/x#a', '/y', '/x', '/x#b', '/y', 'mailto:a@b.example', '/x#a']);
      assert.deepEqual(
        [...found.keys()].map((url) => url.replace(site.origin, '')),
        ['/x#a', '/y', '/x', '/x#b', 'mailto:a@b.example'],
      );
      assert.deepEqual(
        [...found.values()].map(({ isFragmentFound }) => isFragmentFound),
        [true, null, null, false, null],
      );
      assert.deepEqual(
        [...found.values()].map(({ status }) => status),
        ['ok', 'ok', 'ok', 'ok', 'not_followed'],
      );
      assert.deepEqual(site.requests.toSorted(), ['GET /x', 'GET /y']);
    });
  });

  it('is at one host with no more than it may, and at several hosts with more', async () => {
    const held = new Map<string, (() => void)[]>();
    let [most, mostTogether] = [0, 0];
    // Every host answers when three requests are there, and those that come right after them.
    const handle: RequestListener = (request, response) => {
      const host = request.headers.host!;
      const here = held.get(host) ?? [];
      held.set(host, here);
      here.push(() => response.setHeader('Content-Length', 0).end());
      most = Math.max(most, here.length);
      mostTogether = Math.max(
        mostTogether,
        [...held.values()].reduce((sum, { length }) => sum + length, 0),
      );
      if (here.length === 3) setImmediate(() => here.splice(0).forEach((answer) => answer()));
    };
    await withSite(handle, async (site, check) => {
      const urls = Array.from({ length: 120 }, (_, index) => `http://host-${index % 4}.example:${site.port}/${index}`);
      const found = await check(urls, { perHostMax: 3, concurrency: 12 });
      assert.equal([...found.values()].filter(({ status }) => status === 'ok').length, 120);
      assert.equal(most, 3);
      assert.ok(mostTogether > 3 && mostTogether <= 12, String(mostTogether));
    });
  });

  it('asks again, once, when a host says that it was too much', async () => {
    const asked = new Map<string, number>();
    const handle: RequestListener = (request, response) => {
      const count = (asked.get(request.url!) ?? 0) + 1;
      asked.set(request.url!, count);
      const status = request.url === '/busy' ? 429 : request.url === '/down' ? 503 : 404;
      if (count === 1 || request.url === '/never')
        response.writeHead(request.url === '/never' ? 429 : status, { 'Retry-After': '0' }).end();
      else page(request, response);
    };
    await withSite(handle, async (site, check) => {
      const found = [...(await check(['/busy', '/down', '/gone', '/never'])).values()];
      assert.deepEqual(
        found.map(({ status }) => status),
        ['ok', 'ok', 'broken', 'refused_to_robots'],
      );
      assert.deepEqual(site.requests.toSorted(), [
        'GET /busy',
        'GET /busy',
        'GET /down',
        'GET /down',
        'GET /gone',
        'GET /never',
        'GET /never',
      ]);
    });
  });

  it('does not wait for a host that wants to be left alone for long', async () => {
    await withSite(
      (_request, response) => response.writeHead(429, { 'Retry-After': '3600' }).end(),
      async (site, check) => {
        const [report] = [...(await check(['/busy'])).values()];
        assert.deepEqual(
          [report!.status, report!.retryAfterSeconds, site.requests.length],
          ['refused_to_robots', 3600, 1],
        );
      },
    );
  });

  it('leaves out what is over the count, and says so', async () => {
    await withSite(page, async (site, check) => {
      const found = [...(await check(['/1', '/1#a', '/2', '/3'], { countMax: 2 })).values()];
      assert.deepEqual(
        found.map(({ status, reason }) => `${status} ${reason}`),
        ['ok null', 'ok null', 'ok null', 'not_followed too_many'],
      );
      assert.equal(site.requests.length, 2);
    });
  });

  it('ends at its deadline, with what it has', async () => {
    const handle: RequestListener = (request, response) => void (request.url === '/quick' && page(request, response));
    await withSite(handle, async (_site, check) => {
      const found = [...(await check(['/quick', '/1', '/2', '/3'], { deadlineMs: 150, perHostMax: 2 })).values()];
      assert.deepEqual(
        found.map(({ status, reason }) => `${status} ${reason}`),
        ['ok null', ...Array<string>(3).fill('timeout deadline')],
      );
    });
  });

  it('ends when the caller does, in the middle of a pause as well', async () => {
    const stop = new AbortController();
    const handle: RequestListener = (_request, response) =>
      response.writeHead(429, { 'Retry-After': '5' }).end(() => setImmediate(() => stop.abort()));
    await withSite(handle, async (_site, check) => {
      const found = [...(await check(['/1', '/2', '/3'], { signal: stop.signal, perHostMax: 1 })).values()];
      assert.ok(found.every(({ reason }) => reason === 'aborted' || reason === null));
      assert.equal(found.at(-1)!.reason, 'aborted');
    });
  });
});

describe('politeQueue', () => {
  const order: string[] = [];
  const note = (name: string) => async () => void order.push(name);

  it('lets hosts take turns', async () => {
    order.length = 0;
    const queue = politeQueue({ concurrency: 1, perHostMax: 1 });
    await Promise.all(['a', 'a', 'a', 'b', 'c'].map((host) => queue.run(host, note(host))));
    assert.deepEqual(order, ['a', 'b', 'c', 'a', 'a']);
  });

  it('leaves a paused host alone until its time has come, and nobody else', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    order.length = 0;
    const queue = politeQueue({ concurrency: 4, perHostMax: 4 });
    queue.pause('a', 1000);
    const waiting = queue.run('a', note('a'));
    await queue.run('b', note('b'));
    mock.timers.tick(999);
    await queue.run('b', note('b'));
    assert.deepEqual(order, ['b', 'b']);
    mock.timers.tick(1);
    await waiting;
    assert.deepEqual(order, ['b', 'b', 'a']);
    mock.timers.reset();
  });

  it('ends all pauses when told to hurry', async () => {
    const queue = politeQueue({ concurrency: 1, perHostMax: 1 });
    queue.pause('a', 2 ** 30);
    const waiting = queue.run('a', async () => 'done');
    queue.hurry();
    assert.equal(await waiting, 'done');
  });

  it('goes on after work that failed', async () => {
    const queue = politeQueue({ concurrency: 1, perHostMax: 1 });
    const failing = queue.run('a', () => Promise.reject(new Error('no')));
    const next = queue.run('a', async () => 'yes');
    await assert.rejects(failing, { message: 'no' });
    assert.equal(await next, 'yes');
  });
});
