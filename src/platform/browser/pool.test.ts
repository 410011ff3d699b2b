import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createChromiumStarter, type ChromiumStarter } from './chromium/start.ts';
import { RenderError } from './errors.ts';
import { findFontsConf } from './fonts/fonts.ts';
import { createRenderPool, type RenderPool } from './pool.ts';
import { processTree } from './guard/process-tree.ts';
import { chromiumsHere, isRunning, NEVER, requestOf, RUNTIME_DIR, SILENT } from '../../../test/harness/browsers.ts';

const failsWith =
  (reason: string) =>
  (error: unknown): boolean =>
    error instanceof RenderError && error.reason === reason;
// The smaller of this machine's browsers: what the pool does is the same for all.
const install = (await chromiumsHere()).at(-1)!;

describe('the render pool', () => {
  let starter: ChromiumStarter;
  let pool: RenderPool;
  before(async () => {
    starter = await createChromiumStarter({ install, fontsConf: await findFontsConf(RUNTIME_DIR), log: SILENT });
    pool = createRenderPool({ starter, size: 2 });
  });
  after(() => pool.close());

  it('starts nothing before the first render, one process for one render, and all when warmed', async () => {
    assert.deepEqual(pool.pids(), []);
    await pool.render(requestOf('x'), NEVER);
    assert.equal(pool.pids().length, 1);
    await pool.warm();
    assert.equal(new Set(pool.pids()).size, 2);
  });

  it('renders in as many processes as it has, at the same time', async () => {
    const arrived = Promise.withResolvers<void>();
    let waiting = 0;
    // Each render waits until the other one asks too: one process alone would never get there.
    const assets = async (): Promise<undefined> => {
      waiting += 1;
      if (waiting === 2) arrived.resolve();
      await arrived.promise;
    };
    const made = await Promise.all(
      ['1', '2'].map((scope) =>
        pool.render(requestOf(`<img src="https://a.test/${scope}.png">`, { scope, assets }), NEVER),
      ),
    );
    assert.equal(made.length, 2);
  });

  it('lets a small test pass a large one', async () => {
    const single = createRenderPool({ starter, size: 1 });
    const order: string[] = [];
    const render = async (scope: string): Promise<void> => {
      await single.render(requestOf(scope, { scope }), NEVER);
      order.push(scope);
    };
    await Promise.all([...Array.from({ length: 6 }, () => render('large')), render('small')]);
    await single.close();
    assert.ok(order.indexOf('small') <= 1, order.join(' '));
  });

  it('fails only the render whose browser died', async () => {
    const single = createRenderPool({ starter, size: 1 });
    const results = await Promise.allSettled(
      ['1', '2', '3'].map((scope) =>
        single.render(
          requestOf('<img src="https://a.test/x.png">', {
            scope,
            assets: async () => {
              if (scope === '1') process.kill(single.pids()[0]!, 'SIGKILL');
              return undefined;
            },
          }),
          NEVER,
        ),
      ),
    );
    await single.close();
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'fulfilled', 'fulfilled'],
    );
    assert.ok(results[0]!.status === 'rejected' && failsWith('crashed')(results[0]!.reason));
  });

  it('forgets a queued render that is called off', async () => {
    const single = createRenderPool({ starter, size: 1 });
    const controller = new AbortController();
    const first = single.render(requestOf('first'), NEVER);
    const queued = single.render(requestOf('queued'), controller.signal);
    controller.abort();
    await assert.rejects(queued, failsWith('aborted'));
    assert.equal((await first).width, 600);
    assert.equal((await single.render(requestOf('next'), NEVER)).width, 600);
    await single.close();
  });

  it('refuses what is queued and what comes when it is closed, and leaves no process', async () => {
    const brief = createRenderPool({ starter, size: 2 });
    await brief.warm();
    const trees = (await Promise.all(brief.pids().map(processTree))).flat();
    assert.ok(trees.length >= 4);
    const renders = Promise.allSettled(Array.from({ length: 5 }, () => brief.render(requestOf('x'), NEVER)));
    await brief.close();
    for (const result of await renders) assert.ok(result.status === 'rejected' && failsWith('closed')(result.reason));
    await assert.rejects(brief.render(requestOf('x'), NEVER), failsWith('closed'));
    assert.deepEqual(trees.filter(isRunning), []);
  });
});

describe('a parent killed with SIGKILL', () => {
  const parents: number[] = [];
  for (const way of ['strongest', 'plain'] as const) {
    it(`takes its browsers with it (${way} isolation)`, async () => {
      const dir = mkdtempSync(join(tmpdir(), 'galley-test-'));
      const script = join(dir, 'parent.ts');
      const here = (name: string): string => JSON.stringify(join(import.meta.dirname, name));
      writeFileSync(
        script,
        `
        import { createChromium } from ${here('chromium/chromium.ts')};
        import { createChromiumStarter } from ${here('chromium/start.ts')};
        import { findFontsConf } from ${here('fonts/fonts.ts')};
        import { processTree } from ${here('guard/process-tree.ts')};
        import { chromiumsHere, NEVER, requestOf, RUNTIME_DIR, SILENT, starterFor } from ${here('../../../test/harness/browsers.ts')};
        const install = (await chromiumsHere()).at(-1);
        const starter = ${way === 'plain' ? 'await starterFor(install)' : 'await createChromiumStarter({ install, fontsConf: await findFontsConf(RUNTIME_DIR), log: SILENT })'};
        const chromium = createChromium(starter);
        await chromium.render(requestOf('x'), NEVER);
        console.log(JSON.stringify(await processTree(chromium.pid)));
      `,
      );
      const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
      parents.push(parent.pid!);
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const tree = JSON.parse(line.toString()) as number[];
      assert.ok(tree.length > 1 && tree.every(isRunning));
      parent.kill('SIGKILL');
      await once(parent, 'exit');
      const deadline = performance.now() + 20_000;
      while (tree.some(isRunning) && performance.now() < deadline)
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
      assert.deepEqual(tree.filter(isRunning), []);
      rmSync(dir, { recursive: true });
    });
  }

  it('has its profiles swept by the next start', async () => {
    const next = await createChromiumStarter({ install, fontsConf: await findFontsConf(RUNTIME_DIR), log: SILENT });
    assert.ok(next.plan.description.length > 0);
    const leftOver = readdirSync(tmpdir()).filter((name) =>
      parents.some((pid) => name.startsWith(`galley-chromium-${pid}-`)),
    );
    assert.deepEqual(leftOver, []);
  });
});
