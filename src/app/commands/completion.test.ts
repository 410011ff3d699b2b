// Completions, asked of the shells themselves where they are installed.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { findProgram } from '../../../test/harness/daemon.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');

describe('galley completion', () => {
  let dir: string;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'galley-completion-'));
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { stdout } = await run(process.execPath, [join(ROOT, 'bin/galley.mjs'), 'completion', shell]);
      await writeFile(join(dir, shell), stdout);
    }
  });
  after(() => rm(dir, { recursive: true, force: true }));
  const missing = (shell: string): string | false =>
    findProgram(shell) === undefined && `there is no ${shell} on this machine`;

  it('completes commands, subcommands and options in bash', { skip: missing('bash') }, async () => {
    const ask = async (...words: string[]): Promise<string[]> => {
      const script =
        `source ${join(dir, 'bash')}; shift; COMP_WORDS=(galley "$@"); COMP_CWORD=$#; _galley; ` +
        `printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout } = await run('bash', ['-euc', script, 'bash', 'galley', ...words]);
      return stdout.split('\n').filter(Boolean);
    };
    assert.deepEqual(await ask('ch'), ['check']);
    assert.deepEqual(await ask('check', '--ba'), ['--baseline']);
    assert.ok((await ask('keys', '')).includes('create'));
    assert.deepEqual(await ask('check', 'mai'), []);
  });

  it('completes the same in fish', { skip: missing('fish') }, async () => {
    const ask = async (line: string): Promise<string[]> => {
      const { stdout } = await run('fish', ['--no-config', '-c', `source ${join(dir, 'fish')}; complete -C '${line}'`]);
      return stdout
        .split('\n')
        .map((row) => row.split('\t')[0]!)
        .filter(Boolean);
    };
    assert.deepEqual(await ask('galley ch'), ['check']);
    assert.deepEqual(await ask('galley check --base'), ['--baseline']);
    assert.ok((await ask('galley keys cr')).includes('create'));
  });

  it('offers the same to zsh', { skip: missing('zsh') }, async () => {
    const ask = async (...words: string[]): Promise<string> => {
      const script =
        `compadd() { shift; print -rl -- "$@" }; _describe() { print -rl -- "\${(@P)2}" }; _files() { print files }; ` +
        `source ${join(dir, 'zsh')}; words=("$@"); CURRENT=$#; _galley`;
      return (await run('zsh', ['-fc', script, 'zsh', 'galley', ...words])).stdout;
    };
    assert.match(await ask('ch'), /^check:run every check/m);
    assert.match(await ask('check', '--'), /^--baseline$/m);
    assert.match(await ask('keys', ''), /^create$/m);
    assert.equal(await ask('check', 'mai'), 'files\n');
  });
});
