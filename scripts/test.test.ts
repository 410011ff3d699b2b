// The runner on files that do not end as they should: each ends within its bound and is named, and nothing is left.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startProgram, type Program } from '../test/harness/program.ts';
import { findMarked } from './tests/left-processes.ts';

const RUNNER = join(import.meta.dirname, 'test.ts');
const FIXTURES = 'test/fixtures/runner';
// A mark of our own around the runner's.
const MARK = 'RUNNER_UNDER_TEST';

function startRunner(limits: readonly string[], files: readonly string[]): Program {
  const mark = `${process.pid}-${files.length}`;
  // Without the outer runner's word that this is one of its files.
  const env = { [MARK]: mark, NODE_TEST_CONTEXT: undefined };
  return startProgram([process.execPath, RUNNER, ...limits, ...files.map((file) => `${FIXTURES}/${file}.ts`)], { env });
}

describe('a run', { skip: process.platform !== 'linux' && 'processes are found as Linux names them' }, () => {
  let program: Program;
  before(async () => {
    const files = ['never-returns', 'leaves-open', 'fails-open', 'waits', 'leaves-a-child', 'passes'];
    program = startRunner(['--test-ms=500', '--silence-ms=4000', '--leave-ms=2000'], files);
    assert.equal((await program.ended).code, 1, program.stderr());
  });
  after(() => program.end());
  const said = (file: string): string =>
    new RegExp(`^✖ ${FIXTURES}/${file}\\.ts: (.*)$`, 'm').exec(program.stdout())?.[1] ?? '';

  it('ends a file that leaves something open although its tests passed', () => {
    assert.match(
      said('leaves-open'),
      /^its tests ended, but not its process within 2 s: .* It was killed: node \(\d+\), node \(\d+\)\. Open were: node \(\d+\): .*process\.$/,
    );
  });

  it('ends a file whose test fails before it closes what it opened', () => {
    assert.match(program.stdout(), /Error: before it closes/);
    assert.match(said('fails-open'), /^its tests ended, but not its process within 2 s/);
  });

  it('ends a file whose test waits longer than its time', () => {
    assert.match(program.stdout(), /test timed out after 500ms/);
    assert.match(said('waits'), /^its tests ended, but not its process within 2 s/);
  });

  it('ends a file whose test holds its thread', () => {
    assert.match(
      said('never-returns'),
      /^it reported nothing for 4 s while it was under way\. It was killed: node \(\d+\)\.$/,
    );
  });

  it('ends a program that outlives the file that started it', () => {
    assert.match(
      said('leaves-a-child'),
      /^processes that it started outlived it by 2 s and were killed: node \(\d+\)\.$/,
    );
  });

  it('counts each as a failure, says nothing of a file that ends, and leaves nothing', () => {
    assert.equal(said('passes'), '');
    // Three tests pass, two fail, one is never heard of, and five files do not end.
    assert.match(program.stdout(), /\n3 passed, 7 failed, 0 skipped\n$/);
    assert.deepEqual(findMarked(`${MARK}=${process.pid}-6`), []);
    assert.deepEqual(
      readdirSync(tmpdir()).filter((name) => name.startsWith(`galley-tests-${program.child.pid}-`)),
      [],
    );
  });
});

describe(
  'a run that is told to end',
  { skip: process.platform !== 'linux' && 'processes are found as Linux names them' },
  () => {
    it('takes along what its files started', async () => {
      const program = startRunner([], ['leaves-open']);
      const names = (): string[] => findMarked(`${MARK}=${process.pid}-1`).map(({ name }) => name);
      while (names().length < 3) {
        assert.equal(program.child.exitCode, null, program.stderr());
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      process.kill(program.child.pid!, 'SIGTERM');
      assert.deepEqual(await program.ended, { code: 143, signal: null });
      assert.deepEqual(names(), []);
      assert.deepEqual(
        readdirSync(tmpdir()).filter((name) => name.startsWith(`galley-tests-${program.child.pid}-`)),
        [],
      );
    });
  },
);

describe('a run without some files', () => {
  it('leaves out those whose path holds the part', async () => {
    const program = startProgram([process.execPath, RUNNER, 'test/e2e', '--except=test/e2e/'], {});
    assert.deepEqual(await program.ended, { code: 1, signal: null });
    assert.match(program.stderr(), /^No test file matches test\/e2e\.$/m);
  });
});
