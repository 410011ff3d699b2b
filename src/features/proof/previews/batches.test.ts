import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import type { RenderRequest } from '../../../platform/browser/index.ts';
import { batchesOf, longBatchesOf } from './batches.ts';
import { GroupedSaves } from './grouped-saves.ts';

const picture = (key: string, width = 800, images = true, engine: 'chromium' | 'firefox' = 'chromium') => ({
  key,
  engine,
  images,
  doctype: '',
  look: { width, height: 900, pixelRatio: 1, colorScheme: 'light' as const, forceDark: false, heightMax: 20_000 },
});

describe('batches', () => {
  it('have pictures of one engine, with images or without, by width, and each once', () => {
    const planned = [
      picture('a'),
      picture('b', 412),
      picture('c', 390, false),
      picture('d', 800, true, 'firefox'),
      picture('a'),
      ...Array.from({ length: 20 }, (_, n) => picture(`e${String(n).padStart(2, '0')}`, 500)),
    ];
    const batches = batchesOf(planned, 1);
    assert.deepEqual(
      batches.map((batch) => batch.length),
      [1, 12, 10, 1],
    );
    assert.deepEqual([batches[0], batches[1]?.[0], batches[2]?.at(-1), batches[3]], [['c'], 'b', 'a', ['d']]);
  });

  it('have documents of one doctype side by side, whatever their widths', () => {
    const planned = ['', '<!doctype html>', '', '<!doctype html>'].map((doctype, n) => ({
      ...picture(`${n}`, [400, 500, 600, 700][n]),
      doctype,
    }));
    assert.deepEqual(batchesOf(planned, 1), [
      ['0', '2'],
      ['1', '3'],
    ]);
  });

  it('of few pictures are spread over the browsers', () => {
    const four = ['a', 'b', 'c', 'd'].map((key) => picture(key));
    assert.deepEqual(batchesOf(four, 2), [['a'], ['b'], ['c'], ['d']]);
    assert.deepEqual(batchesOf(four, 1), [
      ['a', 'b'],
      ['c', 'd'],
    ]);
    assert.deepEqual(batchesOf([], 1), []);
  });

  it('of long pictures are as large as others, in the order given', () => {
    const long = Array.from({ length: 20 }, (_, n) => `${n}`);
    assert.deepEqual(longBatchesOf(long), [long.slice(0, 16), long.slice(16)]);
  });
});

describe('grouped saves', () => {
  it('save the first at once, the others together, and leave the last to the end', async () => {
    const groups: unknown[][] = [];
    const saves = new GroupedSaves<number, string>(async (...group) => void groups.push(group));
    for (let n = 0; n < 12; n += 1) saves.add(n);
    await saves.end('the end');
    assert.deepEqual(groups, [
      [[0], undefined],
      [[1, 2, 3, 4, 5, 6, 7, 8], undefined],
      [[9, 10, 11], 'the end'],
    ]);
    await saves.end('another');
    assert.deepEqual(groups.at(-1), [[], 'another']);
  });

  it('throw what a save threw, and save nothing after it', async () => {
    let calls = 0;
    const saves = new GroupedSaves<number, string>(() => Promise.reject(new Error(`call ${(calls += 1)}`)));
    saves.add(1);
    for (let n = 0; n < 8; n += 1) saves.add(n);
    await assert.rejects(saves.end('the end'), /call 1/);
    assert.equal(calls, 1);
    assert.throws(() => saves.add(1), /call 1/);
  });
});

describe('a batch', () => {
  const CLIENTS = ['gmail_chrome', 'ol2021', 'fastmail_chrome', 'yahoo_chrome', 'aol_chrome', 'hey_chrome', 'ol365'];
  let app: App;
  before(async () => {
    app = await startApp({ GALLEY_BROWSERS: '1' });
  });
  after(() => app.close());

  /** How often each document was drawn; `fail` says what becomes of the first pictures of a document. */
  function watch(fail: (request: RenderRequest, times: number) => Error | undefined) {
    const { browser } = app.galley.outside;
    const { pick } = browser;
    const drawn = new Map<string, number>();
    browser.pick = (engine, scheme) => ({
      ...pick(engine, scheme),
      render: async (request, signal) => {
        const times = (drawn.get(request.html) ?? 0) + 1;
        drawn.set(request.html, times);
        const error = fail(request, times);
        if (error) throw error;
        return pick(engine, scheme).render(request, signal);
      },
    });
    return { drawn, end: () => (browser.pick = pick) };
  }

  async function attemptsOf(id: string): Promise<number[]> {
    const { body } = await app.call(`GET /v1/preview/tests/${id}/results`);
    return CLIENTS.map((client) => {
      assert.equal(body[client].status, 'Complete');
      return body[client].status_details.attempts;
    });
  }

  async function finish(html: string): Promise<string> {
    const { body } = await app.call('POST /v2/preview/tests', { body: { subject: 'Batch', html, clients: CLIENTS } });
    for (;;) {
      const info = (await app.call(`GET /v2/preview/tests/${body.id}`)).body;
      if (info.processing.length === 0) return body.id;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  it('goes on when one of its pictures fails, which is tried again alone', async () => {
    let failing: string | undefined;
    const { drawn, end } = watch((request, times) => {
      failing ??= request.html;
      return request.html === failing && times === 1 ? new TypeError('The engine stumbled.') : undefined;
    });
    const id = await finish('<p>One stumbles</p>');
    end();
    for (const [html, times] of drawn) assert.equal(times, html === failing ? 2 : 1);
    const attempts = (await attemptsOf(id)).sort();
    assert.ok(attempts.includes(2) && attempts[0] === 1, attempts.join());
  });

  it('is redone only for what was not saved when it fails as a whole', async () => {
    const { blobs } = app.galley.outside;
    const { put } = blobs;
    const { drawn, end } = watch(() => undefined);
    let refused = '';
    let stored = 0;
    blobs.put = (key, ...rest) => {
      if (!key.includes('/pictures/') || (stored += 1) < 4 || refused) return put(key, ...rest);
      refused = key;
      return Promise.reject(new Error('The store stumbled.'));
    };
    const id = await finish('<p>The store stumbles</p>').finally(() => (blobs.put = put));
    end();
    assert.notEqual(refused, '');
    assert.ok([...drawn.values()].filter((times) => times > 1).length <= 2, [...drawn.values()].join());
    assert.equal((await attemptsOf(id)).length, CLIENTS.length);
  });
});
