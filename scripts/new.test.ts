// A resource made by `npm run new` works as it is: types, rules, its own test, and its page, in a copy of the project.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
const copy = mkdtempSync(join(tmpdir(), 'galley-scaffold-'));
// Everything else is what people write, and generated files.
const LEFT_OUT = ['.git', '.galley', '.runtime', 'node_modules', 'dist'];
const run = promisify(execFile);
/** What a program of the copy prints. Rejects when it fails. */
const inCopy = async (program: string, ...args: string[]): Promise<string> => {
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined } as unknown as NodeJS.ProcessEnv;
  const { stdout } = await run(program, args, { cwd: copy, env, maxBuffer: 1 << 24 });
  return stdout;
};
const tool = (...args: string[]): Promise<string> => inCopy(process.execPath, 'scripts/tool.mjs', ...args);

function linkEach(folder: string, isLinked: (name: string) => boolean): void {
  mkdirSync(join(copy, folder), { recursive: true });
  for (const name of readdirSync(join(root, folder)).filter(isLinked))
    symlinkSync(join(root, folder, name), join(copy, folder, name));
}

before(() => {
  for (const name of readdirSync(root).filter((name) => !LEFT_OUT.includes(name)))
    cpSync(join(root, name), join(copy, name), { recursive: true });
  // Every package as it is, but for the parts of this project, which are the copy's own.
  linkEach('node_modules', (name) => name !== '@galley');
  mkdirSync(join(copy, 'node_modules', '@galley'));
  symlinkSync(join(copy, 'sdk'), join(copy, 'node_modules', '@galley', 'sdk'));
  // What the compiler knows of files is of the copy's own; that of the project is where it begins.
  linkEach('.runtime', (name) => !name.endsWith('.tsbuildinfo'));
  for (const name of readdirSync(join(root, '.runtime')).filter((name) => name.endsWith('.tsbuildinfo')))
    cpSync(join(root, '.runtime', name), join(copy, '.runtime', name));
});
after(() => rmSync(copy, { recursive: true, force: true }));

describe('npm run new', () => {
  for (const [args, message] of [
    [['nowhere/bounces'], /the areas are account, proof, send, placement, monitor, work/],
    [['send/Bounces'], /give area\/resource, such as send\/bounces/],
    [['send'], /give area\/resource/],
    [['send/fish'], /--one/],
    [['send/sending-domains'], /src\/features\/send\/sending-domains is there already/],
  ] as const)
    it(`refuses ${args.join(' ')}`, async () => {
      await assert.rejects(inCopy(process.execPath, 'scripts/new.ts', ...args), (error: Error & { code: number }) => {
        assert.equal(error.code, 2);
        assert.match(error.message, message);
        return true;
      });
    });

  it('makes a resource with five operations', async () => {
    const written = await inCopy(process.execPath, 'scripts/new.ts', 'send/soft-bounces');
    assert.match(written, /src\/features\/send\/soft-bounces\/contract\.ts/);
    const { paths } = JSON.parse(readFileSync(join(copy, 'openapi.json'), 'utf8')) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const operations = ['/v1/soft-bounces', '/v1/soft-bounces/{soft_bounce_id}'].flatMap((path) =>
      Object.values(paths[path] ?? {}).map(({ operationId }) => operationId),
    );
    assert.deepEqual(operations.toSorted(), [
      'createSoftBounce',
      'deleteSoftBounce',
      'getSoftBounce',
      'listSoftBounces',
      'updateSoftBounce',
    ]);
  });

  it('keeps the rules of the project', async () => {
    await tool('oxlint', '--deny-warnings', 'src', 'web/src');
    await tool('oxfmt', '--check', 'src', 'web/src');
  });

  it('compiles on the server', async () => {
    await tool('tsc', '-p', '.');
  });

  it('compiles in the dashboard, which has a page of it', async () => {
    await tool('tsc', '-p', 'web');
    const ask = "import('./web/src/page-paths.ts').then(({ PAGE_PATHS }) => console.log(PAGE_PATHS.join()))";
    assert.match(await inCopy(process.execPath, '-e', ask), /\/soft-bounces/);
  });

  it('passes its own test and that of the architecture', async () => {
    const tested = await inCopy(process.execPath, 'scripts/test.ts', 'send/soft-bounces', 'test/architecture');
    assert.match(tested, /\n\d+ passed, 0 failed, 0 skipped/);
  });
});
