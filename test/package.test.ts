// The package as its users get it: packed, installed in an empty directory, run by the Node of the machine.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { FREE_PORTS, startProgram, type Program } from './harness/program.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const MAIL =
  '<!doctype html>\n<html lang="en" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" ' +
  'content="width=device-width"><title>Spring</title></head>\n<body><div lang="en" dir="ltr"><h1>Spring</h1><p>Words' +
  '</p></div></body></html>\n';

interface Packed {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string }[];
}

interface Parts {
  key: string;
  parts: Record<string, { name: string; version: string; integrity: string }[]>;
}

describe('the package', { skip: process.platform === 'win32' && 'its commands are those of a Unix shell' }, () => {
  let dir: string;
  let env: Record<string, string>;
  let packed: Packed;
  const programs: Program[] = [];
  const start = (command: readonly string[], more: Record<string, string> = {}): Program => {
    const program = startProgram(command, { cwd: join(dir, 'empty'), env: { ...env, ...more } });
    programs.push(program);
    return program;
  };
  const installed = (): string => join(dir, 'global/lib/node_modules/galley');

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'galley-package-'));
    for (const name of ['empty', 'npm', 'global', 'data']) mkdirSync(join(dir, name));
    writeFileSync(join(dir, 'empty/mail.html'), MAIL);
    // What npm fetched before is there; what `npx` installs is not left behind.
    const cache = (await run('npm', ['config', 'get', 'cache'])).stdout.trim();
    mkdirSync(join(cache, '_cacache'), { recursive: true });
    symlinkSync(join(cache, '_cacache'), join(dir, 'npm/_cacache'));
    const paths = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));
    env = {
      PATH: paths.join(delimiter),
      npm_execpath: '',
      npm_config_cache: join(dir, 'npm'),
      npm_config_prefer_offline: 'true',
      npm_config_loglevel: 'error',
      GALLEY_CACHE_DIR: join(dir, 'cache'),
      GALLEY_OPTIONAL_ENGINES: 'off',
      NODE_COMPILE_CACHE: join(dir, 'compiled'),
    };
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', join(dir, 'empty')], {
      cwd: ROOT,
      maxBuffer: 16 * 1024 * 1024,
    });
    [packed] = JSON.parse(stdout) as [Packed];
  });
  after(async () => {
    for (const program of programs) await program.end();
    rmSync(dir, { recursive: true, force: true });
  });

  it('holds what runs, and neither tests nor sources nor what is fetched later', () => {
    const names = packed.files.map(({ path }) => path);
    for (const name of ['bin/galley.mjs', 'dist/src/main.js', 'dist/parts.json', 'dist/web/dist/index.html', 'LICENSE'])
      assert.ok(names.includes(name), name);
    assert.deepEqual(
      names.filter((name) => /\.test\.|fixture|\.tsx?$/.test(name)),
      ['dist/sdk/types/generated.ts', 'dist/sdk/types/index.ts'],
    );
    const migrations = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.sql'),
    );
    assert.equal(names.filter((name) => name.endsWith('.sql')).length, migrations.length);
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    assert.deepEqual(
      Object.keys(dependencies).filter((name) => /fontsource|chromium|^node-|vite|react|mantine/.test(name)),
      [],
    );
    assert.ok(packed.size < 6_000_000, `${packed.size} bytes`);
  });

  it('is installed for the user', async () => {
    const global = start(['npm', 'install', '--global', '--prefix', join(dir, 'global'), `./${packed.filename}`]);
    assert.equal((await global.ended).code, 0, global.stderr());
  });

  it('checks a message, and two first runs at once fetch the same', async () => {
    const check = [join(dir, 'global/bin/galley'), 'check', 'mail.html'];
    for (const program of [start(check), start(check)]) {
      assert.equal((await program.ended).code, 0, program.stderr());
      assert.match(program.stdout(), /^PASS {2}mail\.html: /m);
    }
    const [parts, ...others] = readdirSync(join(dir, 'cache'));
    assert.deepEqual([parts?.startsWith('parts-'), others], [true, []]);
    const left = readdirSync(join(dir, 'cache', parts!)).filter((name) => /^fetch-|\.new$/.test(name));
    assert.deepEqual(left, []);
  });

  it('checks a message from an empty directory by npx', async () => {
    const byNpx = start(['npx', '--yes', `./${packed.filename}`, 'check', 'mail.html']);
    assert.equal((await byNpx.ended).code, 0, byNpx.stderr());
    assert.match(byNpx.stdout(), /^PASS {2}mail\.html: /m);
  });

  it('needs no registry the second time', async () => {
    const again = start([join(dir, 'global/bin/galley'), 'check', 'mail.html'], {
      npm_config_registry: 'http://127.0.0.1:1/',
      npm_config_cache: join(dir, 'empty-cache'),
      npm_config_prefer_offline: 'false',
    });
    assert.equal((await again.ended).code, 0, again.stderr());
    assert.doesNotMatch(again.stderr(), /fetching/);
  });

  it('serves the API and the dashboard', async () => {
    const server = start([join(dir, 'global/bin/galley'), 'start'], {
      ...FREE_PORTS,
      GALLEY_ROLES: 'api',
      GALLEY_DATA_DIR: join(dir, 'data'),
      GALLEY_LOG_LEVEL: 'warn',
    });
    const url = await server.says(/ {2}API +(http:\/\/[\d.:]+)/);
    assert.equal((await fetch(`${url}/health`)).status, 200);
    assert.match(await (await fetch(url, { headers: { accept: 'text/html' } })).text(), /<div id="root">/);
    server.child.kill('SIGTERM');
    assert.equal((await server.ended).code, 0, server.stderr());
  });

  it('refuses a part that is not the one of the lock file, and says what failed when there is no registry', async () => {
    const path = join(installed(), 'dist/parts.json');
    const whole = readFileSync(path, 'utf8');
    const table = JSON.parse(whole) as Parts;
    const [font, another] = table.parts['fonts']!;
    table.parts['fonts'] = [{ ...font!, integrity: another!.integrity }];
    // Node is there already, where it was fetched.
    for (const name of readdirSync(join(dir, 'cache')))
      for (const entry of readdirSync(join(dir, 'cache', name)).filter((one) => one.startsWith('node-'))) {
        mkdirSync(join(dir, 'other', name), { recursive: true });
        symlinkSync(join(dir, 'cache', name, entry), join(dir, 'other', name, entry));
      }
    writeFileSync(path, JSON.stringify(table));
    try {
      const refused = start([join(dir, 'global/bin/galley'), 'check', 'mail.html'], {
        GALLEY_CACHE_DIR: join(dir, 'other'),
      });
      assert.equal((await refused.ended).code, 2);
      assert.match(refused.stderr(), /\.tgz is not what was published: its digest is another one\./);
      const cutOff = start([join(dir, 'global/bin/galley'), 'check', 'mail.html'], {
        GALLEY_CACHE_DIR: join(dir, 'other'),
        npm_config_registry: 'http://127.0.0.1:1/',
        npm_config_cache: join(dir, 'empty-cache'),
        npm_config_fetch_retries: '0',
        npm_config_prefer_offline: 'false',
      });
      assert.equal((await cutOff.ended).code, 2);
      assert.match(cutOff.stderr(), /could not be fetched by npm: .*ECONNREFUSED/s);
    } finally {
      writeFileSync(path, whole);
    }
  });
});
