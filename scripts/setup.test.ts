// Set-up in a copy of the checkout: killed in the middle, twice at once, after a power cut.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { startProgram, type Program } from '../test/harness/program.ts';

const ROOT = join(import.meta.dirname, '..');
const FONTS = readdirSync(join(ROOT, '.runtime')).find((name) => /^fonts-[0-9a-f]{12}$/.test(name))!;

describe('set-up', { skip: process.platform !== 'linux' && 'its lock is looked at as Linux has it' }, () => {
  let copy: string;
  const copies: string[] = [];
  const programs: Program[] = [];
  beforeEach(async () => {
    copy = await mkdtemp(join(tmpdir(), 'galley-setup-'));
    copies.push(copy);
    for (const name of ['package.json', 'package-lock.json', 'scripts', 'src', 'sdk', 'web'])
      cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    for (const folder of readdirSync(join(ROOT, '.runtime')).filter((name) => name.startsWith('chromium-'))) {
      mkdirSync(join(copy, '.runtime', folder, 'lib'), { recursive: true });
      symlinkSync(join(ROOT, '.runtime', folder, 'chromium'), join(copy, '.runtime', folder, 'chromium'));
    }
  });
  after(async () => {
    for (const program of programs) await program.end();
    for (const path of copies) await rm(path, { recursive: true, force: true });
  });
  const inRuntime = (): string[] => (existsSync(join(copy, '.runtime')) ? readdirSync(join(copy, '.runtime')) : []);
  const start = (): Program => {
    const program = startProgram(['sh', '-c', 'umask 077 && exec node scripts/setup.mjs'], { cwd: copy });
    programs.push(program);
    return program;
  };
  const until = async (holds: () => boolean, program: Program): Promise<void> => {
    while (!holds()) {
      assert.equal(program.child.exitCode, null, program.stderr());
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const giveFonts = (): void =>
    cpSync(join(ROOT, '.runtime', FONTS), join(copy, '.runtime', FONTS), { recursive: true });
  const isMakingFonts = (): boolean => inRuntime().some((name) => /^fonts-.*\.new$/.test(name));

  it('starts clean after one that was killed in the middle, and makes what every user can read and nobody else change', async () => {
    const killed = start();
    await until(isMakingFonts, killed);
    await killed.end();
    assert.ok(isMakingFonts(), 'the kill leaves its folder');
    for (const left of ['web/dist.4242.new', 'web/dist.4242.old', '.runtime/chromium-1.0.0.4242.new'])
      mkdirSync(join(copy, left), { recursive: true });
    giveFonts();
    const next = start();
    assert.equal((await next.ended).code, 0, next.stderr());
    assert.deepEqual(
      inRuntime().filter((name) => !name.startsWith('chromium-')),
      [FONTS],
    );
    assert.deepEqual(
      readdirSync(join(copy, 'web')).filter((name) => name.startsWith('dist.')),
      [],
    );
    const folder = join(copy, '.runtime', FONTS);
    for (const path of [join(copy, '.runtime'), folder, join(folder, 'ttf')])
      assert.equal(statSync(path).mode & 0o777, 0o755, path);
    for (const name of readdirSync(join(folder, 'ttf')))
      assert.equal(statSync(join(folder, 'ttf', name)).mode & 0o777, 0o644, name);
  });

  it('waits for another one of its folder, also for the children of one that was killed alone', async () => {
    const first = start();
    await until(isMakingFonts, first);
    process.kill(first.child.pid!, 'SIGKILL');
    const second = start();
    await until(
      () => second.stderr().includes('Set-up: another one is under way in this folder; waiting until it ends …\n'),
      second,
    );
    giveFonts();
    await first.end();
    assert.equal((await second.ended).code, 0, second.stderr());
    assert.deepEqual(
      inRuntime().filter((name) => name.startsWith('fonts-')),
      [FONTS],
    );
  });

  it('makes fonts again when one of them is cut short', async () => {
    giveFonts();
    const file = join(copy, '.runtime', FONTS, 'ttf/arimo-400-normal.ttf');
    truncateSync(file, 1000);
    const again = start();
    await until(isMakingFonts, again);
    await again.end();
  });

  it('ends with its children when it is told to', async () => {
    const stopped = start();
    await until(isMakingFonts, stopped);
    process.kill(stopped.child.pid!, 'SIGTERM');
    assert.deepEqual(await stopped.ended, { code: 143, signal: null });
  });
});
