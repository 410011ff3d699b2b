import assert from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { unpackChromium } from './unpack.ts';
import { createChromium } from './chromium.ts';
import { RenderError } from '../errors.ts';
import { findFontsConf } from '../fonts/fonts.ts';
import { openBrowser } from '../index.ts';
import { findChromium } from './install.ts';
import { isolationPlans, lowerPriorityWords, memoryBound } from '../guard/isolation.ts';
import { processTree } from '../guard/process-tree.ts';
import { tarFiles } from '../../parts/index.ts';
import { chromiumsHere, NEVER, requestOf, RUNTIME_DIR, SILENT, starterFor } from '../../../../test/harness/browsers.ts';

const PACKAGE = join(import.meta.dirname, '../../../../node_modules/@sparticuz/chromium');
const isCarried = process.platform === 'linux' && process.arch === 'x64';

describe('the Chromium of the npm package', { skip: isCarried ? false : 'no binary for this platform' }, () => {
  let dir: string;
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'galley-test-'));
  });
  after(() => rmSync(dir, { recursive: true }));

  it('is unpacked once, whole, writable by its owner alone, and runs', async () => {
    const first = await unpackChromium({ packageDir: PACKAGE, runtimeDir: dir });
    assert.ok(first.kind === 'ready' && first.isNew);
    assert.deepEqual(await unpackChromium({ packageDir: PACKAGE, runtimeDir: dir }), { ...first, isNew: false });
    assert.equal(readdirSync(dir).length, 1, 'no work folder is left');
    assert.equal(statSync(first.executablePath).mode & 0o022, 0);
    const install = await findChromium({ configuredPath: first.executablePath, runtimeDir: dir });
    assert.match(install.version, /^Chromium \d+\.\d+\.\d+\.\d+$/);
    assert.ok(existsSync(join(install.libraryPath!, 'libnss3.so')));
    const chromium = createChromium(await starterFor(install));
    assert.equal((await chromium.render(requestOf('x'), NEVER)).width, 600);
    await chromium.close();
  });

  it('is not looked for on a platform it was not built for', async () => {
    assert.equal((await unpackChromium({ packageDir: join(dir, 'nothing'), runtimeDir: dir })).kind, 'unsupported');
  });
});

describe('finding Chromium', () => {
  it('takes the configured one or none', async () => {
    await assert.rejects(
      findChromium({ configuredPath: '/nowhere/chromium', runtimeDir: RUNTIME_DIR }),
      (error) => error instanceof RenderError && error.reason === 'start_failed',
    );
    await assert.rejects(
      findChromium({ configuredPath: process.execPath, runtimeDir: RUNTIME_DIR }),
      RenderError,
      'another program is not a browser',
    );
  });

  it('gives a summary for the start-up and one renderer for every engine', async () => {
    const browser = await openBrowser({ log: SILENT, size: 1, optionalEngines: false });
    assert.match(browser.summary[0]!, /^Chromium|^Google Chrome/);
    assert.equal(browser.pick('chromium', 'light').engine, 'chromium');
    assert.equal(browser.pick('webkit', 'dark').engine, 'chromium', 'Chromium stands in');
    await browser.close();
  });
});

describe('isolation', () => {
  it('always ends with the plain start, and offers no user who cannot read the browser', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'galley-test-')); // 0700: for its owner only
    const secret = join(dir, 'browser');
    writeFileSync(secret, '');
    const plans = await isolationPlans([secret], 2 ** 30);
    const { prefix, hasNoNetwork, hasOwnProcesses } = plans.at(-1)!;
    assert.deepEqual(
      [prefix, hasNoNetwork, hasOwnProcesses],
      [[...lowerPriorityWords(), ...(await memoryBound(2 ** 30))], false, false],
    );
    assert.deepEqual(
      plans.filter(({ uid }) => uid !== undefined),
      [],
    );
    rmSync(dir, { recursive: true });
  });
});

describe('what a plan promises', { skip: process.platform === 'linux' ? false : 'Linux only' }, () => {
  it('holds in the running processes: another network, seccomp in the renderer, another user', async () => {
    const [install] = await chromiumsHere();
    const [plan] = await isolationPlans([install!.executablePath, await findFontsConf(RUNTIME_DIR)], 2 ** 30);
    const chromium = createChromium(await starterFor(install!, plan));
    await chromium.render(requestOf('x'), NEVER);
    const tree = await processTree(chromium.pid!);
    const field = (pid: number, name: string): string =>
      new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]!;
    const renderers = tree.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer'));
    assert.ok(renderers.length > 0);
    const last = tree.at(-1)!;
    if (plan!.hasNoNetwork) assert.notEqual(readlinkSync(`/proc/${last}/ns/net`), readlinkSync('/proc/self/ns/net'));
    if (plan!.hasOwnProcesses) assert.notEqual(readlinkSync(`/proc/${last}/ns/pid`), readlinkSync('/proc/self/ns/pid'));
    for (const renderer of renderers) {
      if (plan!.hasSandbox) assert.equal(field(renderer, 'Seccomp'), '2');
      if (plan!.uid !== undefined) assert.equal(field(renderer, 'Uid'), String(plan!.uid));
    }
    await chromium.close();
  });
});

describe('tar', () => {
  it('yields regular files with their bodies, and refuses an archive that is cut short', () => {
    const header = Buffer.alloc(512);
    header.write('lib/a.so', 0);
    header.write('00000000005\0', 124);
    header.write('0', 156);
    const folder = Buffer.alloc(512);
    folder.write('lib/', 0);
    folder.write('5', 156);
    const archive = Buffer.concat([folder, header, Buffer.from('hello'.padEnd(512, '\0')), Buffer.alloc(1024)]);
    assert.deepEqual(
      [...tarFiles(archive)].map(({ name, body }) => [name, body.toString()]),
      [['lib/a.so', 'hello']],
    );
    assert.throws(() => [...tarFiles(archive.subarray(0, 1026))], RangeError);
  });
});
