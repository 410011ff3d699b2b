// What the real program makes of a data directory that lies open, and what other users of the machine can do in it
// then.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { call, KEY } from './harness/crash.ts';
import { isRoot } from './harness/daemon.ts';
import { FREE_PORTS, startProgram, type Program } from './harness/program.ts';
import { freshDatabase, TEST_DATABASE_URL } from './harness/template-database.ts';

const ROOT = join(import.meta.dirname, '..');
const NOBODY = 65_534;
const OTHERS = 0o077;

/** Every path below a directory, itself included, whose mode lets other users in. */
function openTo(dir: string): string[] {
  const paths = [dir, ...readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => join(dir, name))];
  return paths.flatMap((path) => {
    const info = lstatSync(path, { throwIfNoEntry: false });
    const mode = (info?.mode ?? 0) & 0o777;
    return info !== undefined && !info.isSymbolicLink() && (mode & OTHERS) !== 0 ? [`${mode.toString(8)} ${path}`] : [];
  });
}

/** As a volume, a service manager or a copy leaves it. */
function layOpen(dir: string): void {
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o666);
  chmodSync(dir, 0o755);
}

describe('a data directory that exists', { skip: process.platform === 'win32' && 'Windows keeps no modes' }, () => {
  let dir: string;
  let env: Record<string, string>;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  const umask = process.umask();
  const programs: Program[] = [];
  const start = (settings: Record<string, string> = {}, user: object = {}): Program => {
    const program = startProgram([process.execPath, join(ROOT, 'src/main.ts'), 'start'], {
      env: { ...env, ...settings },
      ...user,
    });
    programs.push(program);
    return program;
  };
  const ready = (program: Program): Promise<string> => program.says(/ {2}API +(http:\/\/[\d.:]+)/);
  const stop = async ({ child, ended }: Program): Promise<number | null> => {
    child.kill('SIGTERM');
    return (await ended).code;
  };
  before(async () => {
    process.umask(0o022);
    dir = await mkdtemp(join(tmpdir(), 'galley-data-'));
    database = await freshDatabase(dir);
    env = {
      GALLEY_DATA_DIR: dir,
      ...FREE_PORTS,
      GALLEY_API_KEY: KEY,
      GALLEY_LOG_LEVEL: 'warn',
      GALLEY_BROWSERS: '1',
      GALLEY_OPTIONAL_ENGINES: 'off',
      ...database.env,
    };
  });
  after(async () => {
    process.umask(umask);
    for (const program of programs) await program.end();
    await database.remove();
    await rm(dir, { recursive: true, force: true });
  });

  it('is closed to others at start, with every file in it, old and new', async () => {
    for (const folder of ['objects/previews/old', 'spool/aside', 'db'])
      mkdirSync(join(dir, folder), { recursive: true });
    for (const file of ['objects/previews/old/source.html', 'spool/aside/old.eml', 'secret.key', 'db.lock'])
      writeFileSync(join(dir, file), file === 'secret.key' ? `${'0'.repeat(64)}\n` : '');
    layOpen(dir);
    assert.ok(openTo(dir).length > 5);
    const galley = start();
    const url = await ready(galley);
    assert.deepEqual(openTo(dir), []);
    await call(url, 'POST', '/v2/preview/tests', {
      subject: 'closed',
      html: '<p>closed</p>',
      clients: ['gmail_chrome'],
    });
    assert.ok(readdirSync(join(dir, 'objects'), { recursive: true }).length > 3);
    assert.deepEqual(openTo(dir), []);
    assert.equal(await stop(galley), 0);
    assert.deepEqual(openTo(dir), []);
  });

  it(
    'stays closed with a new embedded database in it',
    { skip: TEST_DATABASE_URL && 'there is another database' },
    async () => {
      const fresh = await mkdtemp(join(tmpdir(), 'galley-data-'));
      chmodSync(fresh, 0o755);
      const galley = start({ GALLEY_DATA_DIR: fresh, GALLEY_ROLES: 'api' });
      await ready(galley);
      assert.deepEqual(openTo(fresh), []);
      await stop(galley);
      const made = spawnSync(process.execPath, [join(ROOT, 'src/main.ts'), 'keys', 'create'], {
        env: { ...process.env, ...env, GALLEY_DATA_DIR: fresh },
        encoding: 'utf8',
      });
      assert.equal(made.status, 0, made.stderr);
      assert.deepEqual(openTo(fresh), []);
      await rm(fresh, { recursive: true });
    },
  );

  it(
    'is out of reach of the user that browsers run as',
    { skip: !isRoot && 'only root can become another user' },
    () => {
      const asNobody = (script: string): number | null =>
        spawnSync('sh', ['-c', script], { uid: NOBODY, gid: NOBODY, stdio: 'ignore' }).status;
      const file = existsSync(join(dir, 'db/PG_VERSION')) ? 'db/PG_VERSION' : 'secret.key';
      assert.notEqual(asNobody(`test -r ${dir}/${file}`), 0);
      assert.notEqual(asNobody(`: >> ${dir}/${file}`), 0);
      assert.notEqual(asNobody(`ls ${dir}/objects`), 0);
    },
  );

  it('keeps its own mode when it holds other things too; what Galley keeps there is closed, and they are left alone', async () => {
    const shared = await mkdtemp(join(tmpdir(), 'galley-data-'));
    const target = await mkdtemp(join(tmpdir(), 'galley-objects-'));
    writeFileSync(join(shared, 'letter.txt'), '');
    writeFileSync(join(target, 'old.html'), '');
    symlinkSync(target, join(shared, 'objects'));
    symlinkSync(join(shared, 'letter.txt'), join(target, 'link'));
    for (const path of [shared, target]) chmodSync(path, 0o755);
    for (const path of [join(shared, 'letter.txt'), join(target, 'old.html')]) chmodSync(path, 0o644);
    const galley = start({ GALLEY_DATA_DIR: shared, GALLEY_ROLES: 'api' });
    await ready(galley);
    assert.deepEqual(openTo(shared), [`755 ${shared}`, `644 ${join(shared, 'letter.txt')}`]);
    assert.deepEqual(openTo(target), []);
    assert.match(
      galley.stderr(),
      new RegExp(`${shared} stays open to other users \\(mode 0755\\): it holds letter\\.txt, which is not Galley’s`),
    );
    await stop(galley);
    await Promise.all([shared, target].map((path) => rm(path, { recursive: true })));
  });

  it(
    'refuses to start where files of another user lie open, and says what to do',
    { skip: !isRoot && 'only root can give files away' },
    async () => {
      const foreign = await mkdtemp(join(tmpdir(), 'galley-data-'));
      chmodSync(foreign, 0o777);
      mkdirSync(join(foreign, 'objects'), { mode: 0o755 });
      const galley = start({ GALLEY_DATA_DIR: foreign }, { uid: NOBODY, gid: NOBODY });
      const { code } = await galley.ended;
      assert.deepEqual(
        [code, galley.stderr()],
        [
          1,
          `${foreign}/objects lies open to other users of this machine (mode 0755) and belongs to user 0, so that it could not be closed: give it to the user that Galley runs as (chown -R 65534 ${foreign}).\n`,
        ],
      );
      chownSync(foreign, 0, 0);
      await rm(foreign, { recursive: true });
    },
  );
});
