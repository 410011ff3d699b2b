// The script of the template for GitLab CI, as a runner would start it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const SCRIPT = /^ {2}script:\n {4}- (.+)$/m.exec(
  readFileSync(join(ROOT, 'templates/galley.gitlab-ci.yml'), 'utf8'),
)![1]!;

describe('the template for GitLab CI', () => {
  let dir: string;
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'galley-gitlab-'));
    writeFileSync(
      join(dir, 'mail.html'),
      '<html><head><title>Spring</title></head><body><img src="x.png"></body></html>',
    );
    // In place of the package's installation, which has a test of its own.
    writeFileSync(join(dir, 'npx'), `#!/bin/sh\nshift 2\nexec ${process.execPath} ${ROOT}/bin/galley.mjs "$@"\n`);
    chmodSync(join(dir, 'npx'), 0o755);
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  it('checks the folder, writes JUnit, and ends with the code of the verdict', () => {
    const { status, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', SCRIPT], {
      cwd: dir,
      encoding: 'utf8',
      env: {
        ...process.env,
        PATH: `${dir}:${process.env['PATH']}`,
        GALLEY_OPTIONAL_ENGINES: 'off',
        PROOF_PACKAGE: './galley.tgz',
        PROOF_PATH: '.',
        PROOF_ARGUMENTS: '--checks=accessibility',
      },
    });
    assert.equal(status, 1, stderr);
    assert.match(readFileSync(join(dir, 'galley.xml'), 'utf8'), /<testsuite [^>]*name="mail\.html/);
  });
});
