import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startSite } from '../../../test/harness/link-playground.ts';
import { createFetch, rememberingFetch, type GuardedFetch, type RequestOptions } from './index.ts';

const RUN = new AbortController().signal;
const LOCAL = ['127.0.0.0/8', 'live.example', 'dead.example'];

function open(options: { resolver?: (host: string) => Promise<string[]>; bytesMax?: number } = {}): GuardedFetch {
  const { bytesMax, ...door } = options;
  return rememberingFetch(createFetch({ allowHosts: LOCAL, userAgent: 'Test', ...door }), {
    signal: RUN,
    ...(bytesMax !== undefined && { bytesMax }),
  });
}

describe('a door that remembers', () => {
  it('asks once for what is asked alike, at once or later, and tells how long the answer took then', async () => {
    await using site = await startSite({
      handle: (_request, response) => void setTimeout(() => response.end('words'), 50),
    });
    const door = open();
    const [first, second] = await Promise.all([
      door.request(`${site.origin}/a`),
      door.request(`${site.origin}/a#part`),
    ]);
    const third = await door.request(`${site.origin}/a`, { timeoutMs: 500 });
    assert.deepEqual(
      [first, second, third].map((answer) => answer.ok && answer.body.toString()),
      ['words', 'words', 'words'],
    );
    assert.ok(third.tookMs >= 45);
    assert.equal((await door.get(`${site.origin}/a`)).status, 200);
    assert.deepEqual(site.requests, ['GET /a']);
    door.close();
  });

  it('asks again for what would be answered otherwise', async () => {
    await using site = await startSite({ handle: (_request, response) => void response.end('words') });
    const door = open();
    const others: RequestOptions[] = [
      {},
      { method: 'HEAD' },
      { accept: 'image/*' },
      { userAgent: 'Other' },
      { attempt: 2 },
      { tooLarge: 'cut', sizeBytesMax: 2 },
      { tooLarge: 'cut', sizeBytesMax: 3 },
      { certificates: 'reported' },
      { wantsBody: () => false },
    ];
    for (const options of [...others, ...others.slice(0, -1)]) await door.request(`${site.origin}/a`, options);
    assert.equal(site.requests.length, others.length);
    for (let count = 0; count < 2; count++) await door.request(`${site.origin}/a`, { method: 'POST', form: '' });
    assert.equal(site.requests.length, others.length + 2);
    door.close();
  });

  it('gives nobody more than was asked for, and asks again for whoever has more room or time', async () => {
    await using site = await startSite({
      handle: (request, response) =>
        void setTimeout(() => response.end('0123456789'), request.url === '/slow' ? 1_500 : 0),
    });
    const door = open();
    const sizes = async (sizeBytesMax: number) => {
      const answer = await door.request(`${site.origin}/a`, { sizeBytesMax });
      return answer.ok ? answer.body.length : answer.reason;
    };
    assert.deepEqual(
      [await sizes(5), await sizes(20), await sizes(4), await sizes(30)],
      ['too_large', 10, 'too_large', 10],
    );
    assert.equal(site.requests.length, 2);
    assert.equal((await door.request(`${site.origin}/slow`, { timeoutMs: 100 })).ok, false);
    assert.equal((await door.request(`${site.origin}/slow`, { timeoutMs: 100 })).ok, false);
    assert.equal((await door.request(`${site.origin}/slow`, { timeoutMs: 10_000 })).ok, true);
    assert.equal(site.requests.length, 4);
    door.close();
  });

  it('goes no way that this caller would not go, and lets one who gives up leave the others their answer', async () => {
    await using site = await startSite({
      handle: (request, response) =>
        void (request.url === '/a'
          ? response.writeHead(302, { location: '/acts' }).end()
          : setTimeout(() => response.end('done'), 50)),
    });
    const door = open();
    const mayFollow = (url: string): boolean => !url.endsWith('/acts');
    const outcomes = [
      await door.request(`${site.origin}/a`),
      await door.request(`${site.origin}/a`, { mayFollow }),
      await door.request(`${site.origin}/a`),
    ];
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.ok ? outcome.body.toString() : outcome.reason)),
      ['done', 'not_followed', 'done'],
    );
    assert.deepEqual(site.requests, ['GET /a', 'GET /acts', 'GET /a']);
    const [gone, there] = await Promise.all([
      door.request(`${site.origin}/b`, { signal: AbortSignal.timeout(5) }),
      door.request(`${site.origin}/b`),
    ]);
    assert.deepEqual([gone.ok ? '' : gone.reason, there.ok], ['aborted', true]);
    door.close();
  });

  it('asks a dead host once, and once more when somebody tries again; a redirect to it too', async () => {
    const asked: string[] = [];
    await using site = await startSite({
      handle: (request, response) =>
        void response.writeHead(302, { location: `http://dead.example:1/${request.url}` }).end(),
    });
    const resolver = async (host: string) => {
      asked.push(host);
      return ['127.0.0.1'];
    };
    const door = open({ resolver });
    const ask = (attempt: number) =>
      Promise.all(['/a', '/b', '/c'].map((path) => door.request(`http://dead.example:1${path}`, { attempt })));
    for (const attempt of [1, 2]) {
      const outcomes = await ask(attempt);
      assert.deepEqual(
        outcomes.map((outcome) => [!outcome.ok && outcome.reason, outcome.url.slice(-2), outcome.hops.length]),
        [
          ['connect', '/a', 0],
          ['connect', '/b', 0],
          ['connect', '/c', 0],
        ],
      );
    }
    const redirected = await door.request(`${site.origin}/d`);
    assert.deepEqual([!redirected.ok && redirected.reason, redirected.hops.length], ['connect', 1]);
    assert.deepEqual(asked, ['dead.example', 'dead.example']);
    door.close();
  });

  it('forgets the oldest answers when it holds too much', async () => {
    await using site = await startSite({ handle: (_request, response) => void response.end('0123456789') });
    const door = open({ bytesMax: 25 });
    for (const path of ['/1', '/2', '/3', '/3', '/2', '/1']) await door.request(`${site.origin}${path}`);
    assert.deepEqual(site.requests, ['GET /1', 'GET /2', 'GET /3', 'GET /1']);
    door.close();
  });
});
