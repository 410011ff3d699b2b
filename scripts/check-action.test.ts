import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sarifFaults } from '../test/harness/sarif-schema.ts';

const ROOT = join(import.meta.dirname, '..');
const MAIL =
  '<!doctype html>\n<html lang="en" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" ' +
  'content="width=device-width"><title>Spring</title></head>\n<body><div lang="en" dir="ltr"><h1>Spring</h1><p>Words' +
  '</p></div></body></html>\n';

let dir: string;
before(() => {
  dir = mkdtempSync(join(tmpdir(), 'galley-action-'));
  mkdirSync(join(dir, 'mails/with space'), { recursive: true });
  writeFileSync(join(dir, 'mails/a.html'), MAIL);
  writeFileSync(join(dir, 'mails/with space/b.html'), MAIL);
});
after(() => rmSync(dir, { recursive: true, force: true }));

/** The step as the runner starts it. */
function step(inputs: Record<string, string>): {
  code: number | null;
  outputs: string;
  stderr: string;
  stdout: string;
} {
  const outputs = join(dir, 'outputs');
  writeFileSync(outputs, '');
  const env = {
    PATH: `${join(process.execPath, '..')}:${process.env['PATH']}`,
    HOME: process.env['HOME'],
    GALLEY_OPTIONAL_ENGINES: 'off',
    GITHUB_ACTION_PATH: ROOT,
    GITHUB_OUTPUT: outputs,
    ...inputs,
  };
  const { status, stdout, stderr } = spawnSync('bash', [join(ROOT, 'scripts/check-action.sh')], {
    cwd: dir,
    env,
    encoding: 'utf8',
  });
  return { code: status, outputs: readFileSync(outputs, 'utf8'), stdout, stderr };
}

describe('the step of the action', () => {
  it('checks what its patterns match, and names its verdict and report', () => {
    const { code, outputs, stderr } = step({ INPUT_PATH: '\n  mails/**/*.html  \n', INPUT_FORMAT: 'sarif' });
    assert.deepEqual([code, outputs], [0, 'verdict=pass\nreport=galley.sarif\n'], stderr);
    const log = JSON.parse(readFileSync(join(dir, 'galley.sarif'), 'utf8'));
    assert.deepEqual(sarifFaults(log), []);
    assert.deepEqual(
      log.runs[0].artifacts.map(({ location }: any) => location.uri),
      ['mails/a.html', 'mails/with%20space/b.html'],
    );
  });

  it('never reads an input as a command or an option', () => {
    assert.deepEqual(step({ INPUT_PATH: '--help' }), {
      code: 2,
      outputs: '',
      stdout: '',
      stderr: 'path: --help would be an option; write ./--help\n',
    });
    const { code, outputs, stderr } = step({ INPUT_PATH: '$(touch owned); `touch owned` "' });
    assert.deepEqual([code, outputs], [2, 'verdict=error\n']);
    assert.match(stderr, /^\$\(touch owned\); `touch owned` " cannot be read: ENOENT/);
    assert.throws(() => readFileSync(join(dir, 'owned')), /ENOENT/);
    assert.equal(step({ INPUT_PATH: '' }).code, 2);
  });
});
