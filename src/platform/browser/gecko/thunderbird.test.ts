import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFile, mkdtemp, rm, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import {
  ARIAL_LINES,
  BLUE,
  css,
  ending,
  GREEN,
  hostileDocument,
  htmlMessage,
  inkWidths,
  isNear,
  never,
  openCanary,
  pictureSource,
  pixelsOf,
  quietLog,
  RED,
  renderRequest,
  solidPng,
} from '../../../../test/harness/engine-bed.ts';
import { checkFirstScreens } from '../first-screen.fixture.ts';
import { findFontsConf } from '../fonts/fonts.ts';
import { SHADOWING_HTML } from '../property-names.fixture.ts';
import { RUNTIME_DIR } from '../../../../test/harness/browsers.ts';
import {
  createThunderbird,
  probeThunderbird,
  type ThunderbirdInstall,
  type ThunderbirdRenderer,
} from './thunderbird.ts';
import { effortBounds } from '../guard/render-bounds.ts';
import type { AssetSource, Rendering, RenderRequest } from '../types.ts';

const install = await probeThunderbird();
const skip = install === undefined && 'Thunderbird is not installed';

const PICTURE = '<img src="https://img.example/a.png" width="200" height="80" alt="a picture">';
const MESSAGE = `<body style="margin:0;background:#ffffff"><h1 style="color:#111111">Autumn sale</h1>${PICTURE}<p>Text</p></body>`;

function messageRequest(html: string, changes: Partial<RenderRequest> & { images?: boolean } = {}): RenderRequest {
  const { images = true, ...rest } = changes;
  return renderRequest({ message: { raw: htmlMessage(html), images }, ...rest });
}

describe('probeThunderbird', () => {
  it('finds nothing where there is no Thunderbird', async () => {
    assert.equal(await probeThunderbird({ path: '/nowhere/thunderbird' }), undefined);
    assert.equal(await probeThunderbird({ path: '/bin/true' }), undefined);
  });
});

describe('Thunderbird', { skip, timeout: 900_000 }, () => {
  let thunderbird: ThunderbirdRenderer;
  let red: AssetSource;
  let fontconfigFile: string;
  const render = (request: RenderRequest): Promise<Rendering> => thunderbird.render(request, never);

  before(async () => {
    fontconfigFile = await findFontsConf(RUNTIME_DIR);
    thunderbird = createThunderbird({ ...(install as ThunderbirdInstall), fontconfigFile, log: quietLog });
    red = pictureSource(await solidPng(RED));
  });
  after(() => thunderbird.close());

  it('draws a message at exactly the width that was asked for, and names itself', async () => {
    for (const width of [375, 640, 801]) {
      const rendering = await render(messageRequest(MESSAGE, { width, assets: red }));
      const pixels = await pixelsOf(rendering);
      assert.deepEqual([rendering.width, pixels.width], [width, width]);
      assert.deepEqual([rendering.height, pixels.height], [400, 400]);
      assert.ok(pixels.colors > 10, 'the text is drawn');
      assert.match(rendering.engine.version, /^Thunderbird \d+\./);
      assert.deepEqual(rendering.engine, { name: 'thunderbird', version: thunderbird.version });
    }
  });

  it('draws with the prepared fonts, whose widths are those of the fonts they stand for', async () => {
    assert.deepEqual(inkWidths(await pixelsOf(await render(messageRequest(ARIAL_LINES)))), [89, 333]);
  });

  it('shows remote images only where they are on, and always those that the message carries', async () => {
    const raw = htmlMessage(`${PICTURE}<img src="cid:logo@x" width="100" height="50">`, [
      { cid: 'logo@x', png: await solidPng(BLUE, 100, 50) },
    ]);
    const asked: string[] = [];
    const assets = pictureSource(await solidPng(RED), asked);
    const off = await pixelsOf(await render(renderRequest({ message: { raw, images: false }, assets })));
    assert.deepEqual(asked, [], 'a blocked image is not even asked for');
    assert.deepEqual([off.count(RED), off.count(BLUE)], [0, 100 * 50]);
    const on = await pixelsOf(await render(renderRequest({ message: { raw, images: true }, assets })));
    assert.deepEqual([on.count(RED), on.count(BLUE)], [200 * 80, 100 * 50]);
    assert.deepEqual(asked, ['https://img.example/a.png']);
  });

  it('darkens a message as its own dark mode does', async () => {
    const light = await pixelsOf(await render(messageRequest(MESSAGE, { assets: red })));
    const dark = await pixelsOf(await render(messageRequest(MESSAGE, { assets: red, colorScheme: 'dark' })));
    assert.ok(isNear(light.at(630, 390), [255, 255, 255]), String(light.at(630, 390)));
    assert.ok(
      dark.at(630, 390).every((value) => value < 60),
      String(dark.at(630, 390)),
    );
    assert.equal(dark.count(RED), 200 * 80, 'pictures keep their colors');
  });

  it('draws tall messages whole, and cuts them at the height that was given', async () => {
    const rows = Array.from(
      { length: 300 },
      (_, index) =>
        `<div style="height:100px;background:${css(index === 299 ? BLUE : index % 2 ? RED : GREEN)}"></div>`,
    );
    const html = `<body style="margin:0">${rows.join('')}</body>`;
    const whole = await render(messageRequest(html, { heightMax: 31_000 }));
    assert.deepEqual([whole.height, whole.contentHeight, whole.isCut], [30_000, 30_000, false]);
    const pixels = await pixelsOf(whole);
    for (let index = 0; index < 300; index += 1) {
      assert.ok(
        isNear(pixels.at(320, index * 100 + 2), index === 299 ? BLUE : index % 2 ? RED : GREEN),
        `row ${index}`,
      );
    }
    const cut = await render(messageRequest(html, { heightMax: 1_000 }));
    assert.deepEqual([cut.height, cut.contentHeight, cut.isCut], [1_000, 30_000, true]);
  });

  it('draws the first screen of a long message, and a short one whole at once', async () => {
    await checkFirstScreens(render, (html) => ({ message: { raw: htmlMessage(html), images: true } }));
  });

  it('draws at the pixel ratio of the screen', async () => {
    const rendering = await render(messageRequest(MESSAGE, { assets: red, pixelRatio: 2 }));
    assert.deepEqual([rendering.width, rendering.height, rendering.contentHeight], [1280, 800, 400]);
    assert.equal((await pixelsOf(rendering)).count(RED), 400 * 160);
  });

  it('is not fooled by elements that take every name that a document has', async () => {
    const html =
      `<body style="margin:0"><div style="height:2000px;overflow:hidden">${SHADOWING_HTML}</div>` +
      `<div style="height:100px;background:${css(GREEN)}"></div>`;
    const made = await render(messageRequest(html));
    assert.ok(made.contentHeight >= 2_100, String(made.contentHeight));
    assert.ok((await pixelsOf(made)).count(GREEN) > 0);
  });

  it('keeps nothing of a message for the next one', async () => {
    const green = pictureSource(await solidPng(GREEN));
    const [first, second] = await Promise.all([
      render(messageRequest(MESSAGE, { assets: red })),
      render(messageRequest(MESSAGE, { assets: green })),
    ]);
    assert.equal((await pixelsOf(first)).count(RED), 200 * 80);
    assert.deepEqual([(await pixelsOf(second)).count(RED), (await pixelsOf(second)).count(GREEN)], [0, 200 * 80]);
  });

  it('draws the message without an asset that is missing, and not at all when the source of the assets fails', async () => {
    const missing = await pixelsOf(await render(messageRequest(MESSAGE, { assets: async () => undefined })));
    assert.ok(missing.colors > 10);
    const broken: AssetSource = () => Promise.reject(new Error('the source is broken'));
    await assert.rejects(render(messageRequest(MESSAGE, { assets: broken })), {
      reason: 'load_failed',
      message: /img\.example/,
    });
  });

  it('gives up a render that is called off, and goes on with the next', async () => {
    const calledOff = new AbortController();
    const assets: AssetSource = async () => {
      calledOff.abort();
      return undefined;
    };
    await assert.rejects(thunderbird.render(messageRequest(MESSAGE, { assets }), calledOff.signal), {
      reason: 'aborted',
    });
    assert.equal((await pixelsOf(await render(messageRequest(MESSAGE, { assets: red })))).count(RED), 200 * 80);
  });

  it('starts again after its process was killed', async () => {
    await thunderbird.warm('light');
    const pids = thunderbird.pids;
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await ending(pids);
    const rendering = await render(messageRequest(MESSAGE, { assets: red })).catch(() =>
      render(messageRequest(MESSAGE, { assets: red })),
    );
    assert.equal((await pixelsOf(rendering)).count(RED), 200 * 80);
  });
});

describe('Thunderbird and the network', { skip, timeout: 180_000 }, () => {
  const noNamespace = { namespace: [], leash: [], identity: undefined, dir: tmpdir(), description: 'none' };
  for (const [name, isolation] of [
    ['in its own network namespace, where there is one', undefined],
    ['by its settings alone', noNamespace],
  ] as const) {
    it(`never opens a connection of its own (${name})`, async () => {
      const canary = await openCanary();
      const thunderbird = createThunderbird({
        ...(install as ThunderbirdInstall),
        log: quietLog,
        ...(isolation ? { isolation } : {}),
      });
      const asked: string[] = [];
      try {
        for (const scheme of ['http', 'https']) {
          const html = hostileDocument(`${scheme}://127.0.0.1:${canary.port}`);
          await thunderbird.render(messageRequest(html, { assets: pictureSource(Buffer.alloc(0), asked) }), never);
        }
        assert.equal(canary.connections(), 0);
        assert.ok(
          asked.some((url) => url.endsWith('/img')),
          'the images were asked for where assets come from',
        );
      } finally {
        await thunderbird.close();
        await canary.close();
      }
    });
  }
});

describe('a Thunderbird that hangs', { skip, timeout: 180_000 }, () => {
  it('is killed at its time limit, and the next message gets a new one', async () => {
    const thunderbird = createThunderbird({
      ...(install as ThunderbirdInstall),
      log: quietLog,
      limits: { bounds: { ...effortBounds().patient, processBytes: 1.5 * 2 ** 30, idleMs: 1_000 } },
    });
    try {
      await thunderbird.warm('light');
      const pids = thunderbird.pids;
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      await assert.rejects(thunderbird.render(messageRequest(MESSAGE), never), { reason: 'stalled' });
      await ending(pids);
      assert.deepEqual(thunderbird.pids, []);
      await thunderbird.warm('light');
      assert.notDeepEqual(thunderbird.pids, pids);
    } finally {
      await thunderbird.close();
    }
  });
});

describe('a service that is killed', { skip, timeout: 180_000 }, () => {
  it('leaves no Thunderbird and no file behind', async () => {
    const workDir = await mkdtemp(join(tmpdir(), 'galley-test-'));
    const script = join(workDir, 'service.mts');
    await writeFile(
      script,
      `
      import { createThunderbird } from ${JSON.stringify(join(import.meta.dirname, 'thunderbird.ts'))};
      const log = { info() {}, warn() {} };
      const renderer = createThunderbird({ ...${JSON.stringify(install)}, log, workDir: ${JSON.stringify(join(workDir, 'work'))} });
      await renderer.warm('light');
      console.log(JSON.stringify(renderer.pids));
      setInterval(() => {}, 1000);
    `,
    );
    try {
      const service = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [line] = await new Promise<[string]>((resolve) => {
        createInterface({ input: service.stdout }).once('line', (text) => resolve([text]));
      });
      const pids = JSON.parse(line) as number[];
      assert.equal(pids.length, 1);
      service.kill('SIGKILL');
      await ending(pids);
      while ((await readdir(join(workDir, 'work'))).length > 0)
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
    } finally {
      await rm(workDir, { recursive: true });
    }
  });
});
