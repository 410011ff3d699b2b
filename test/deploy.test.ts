// The files of deploy/, by the programs that read them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const UNITS = join(import.meta.dirname, '../deploy/systemd');
const COMPOSE = join(import.meta.dirname, '../deploy/compose');
const hasCompose = spawnSync('docker-compose', ['--version']).status === 0;
const absence =
  spawnSync('systemd-analyze', ['--version']).status === 0 ? undefined : 'systemd-analyze is not installed';

describe('deploy/systemd', { skip: absence }, () => {
  it('is valid, and closes what the service does not need', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'galley-units-'));
    try {
      // The program and its user need not be on this machine.
      for (const name of await readdir(UNITS)) {
        const text = await readFile(join(UNITS, name), 'utf8');
        const here = text
          .replaceAll('/usr/local/bin/galley', '/bin/true')
          .replaceAll(/^(User|Group)=galley$/gm, '$1=root');
        await writeFile(join(dir, name), here);
      }
      const units = ['galley.service', 'galley-backup.service', 'galley-backup.timer'].map((name) => join(dir, name));
      const verified = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
      assert.deepEqual([verified.status, verified.stderr], [0, '']);
      await writeFile(units[0]!, (await readFile(units[0]!, 'utf8')).replaceAll('=root', '=nobody'));
      // In tenths: 0 is the most closed, 10 the most open.
      const judged = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=30', units[0]!], {
        encoding: 'utf8',
      });
      assert.equal(judged.status, 0, judged.stdout + judged.stderr);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});

describe('deploy/compose', { skip: hasCompose ? undefined : 'docker-compose is not installed' }, () => {
  it('is a valid compose file of two that answer, three that work, two that send', () => {
    const args = ['-f', join(COMPOSE, 'compose.yaml'), '--env-file', join(COMPOSE, 'example.env')];
    const { status, stdout, stderr } = spawnSync('docker-compose', [...args, 'config'], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const roles = [...stdout.matchAll(/GALLEY_ROLES: (.+)/g)].map(([, role]) => role);
    assert.deepEqual(roles, ['api,mail', 'api,mail', 'send', 'send', 'work,mail', 'work,mail', 'work,mail']);
    const bare = spawnSync('docker-compose', ['-f', join(COMPOSE, 'compose.yaml'), 'config'], { encoding: 'utf8' });
    assert.notEqual(bare.status, 0);
    assert.match(bare.stderr, /(POSTGRES_PASSWORD|OBJECTS_PASSWORD|GALLEY_SECRET_KEY|GALLEY_API_KEY)/);
  });
});
