// Clients that standard generators make of the OpenAPI document compile and work; standard linters find no error in it.
// Their packages are test/package.json's, which `npm test` installs first.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { startApp, type App } from '../harness/start-app.ts';
import { testPackageFile } from '../harness/test-packages.ts';

const packages = testPackageFile('.');

/** The linters report home and look for newer versions unless they are told not to. */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };

let app: App;
let dir: string;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' });
  dir = await mkdtemp(join(tmpdir(), 'galley-clients-'));
  await symlink(packages, join(dir, 'node_modules'), 'junction');
  for (const name of ['openapi', 'openapi/preview', 'openapi/alerts', 'openapi/sending']) {
    const { body } = await app.call(`GET /${name}.json`, { key: null });
    await writeFile(join(dir, `${name.replace('/', '-')}.json`), JSON.stringify(body));
  }
});
after(async () => {
  await app.close();
  await rm(dir, { recursive: true, force: true });
});

/** Runs a file of a package. Throws with what it printed when it fails. */
async function run(file: string, ...args: string[]): Promise<string> {
  const ran = promisify(execFile)(process.execPath, [testPackageFile(file), ...args], {
    cwd: dir,
    env: { ...process.env, ...QUIET },
    maxBuffer: 32 * 2 ** 20,
  });
  const { stdout } = await ran.catch((error: { stdout: string; stderr: string }) =>
    assert.fail(`${file} ${args.join(' ')}:\n${error.stdout}${error.stderr}`),
  );
  return stdout;
}

const REDOCLY = '@redocly/cli/bin/cli.js';
const SPECTRAL = '@stoplight/spectral-cli/dist/index.js';
const SPECTRAL_RULES = 'extends: ["spectral:oas"]\n';
const WHOLE = 'openapi.json';
const ALL = [WHOLE, 'openapi-preview.json', 'openapi-alerts.json', 'openapi-sending.json'];

describe('linters of the OpenAPI documents', () => {
  it('Redocly finds no error', async () => {
    // It ends with 1 where there is one.
    await run(REDOCLY, 'lint', '--extends=recommended', '--format=summary', ...ALL);
  });

  it('Spectral finds no error', async () => {
    await writeFile(join(dir, '.spectral.yaml'), SPECTRAL_RULES);
    const found = JSON.parse(
      await run(SPECTRAL, 'lint', '--ruleset', '.spectral.yaml', '--format', 'json', '--quiet', ...ALL),
    ) as { severity: number }[];
    assert.deepEqual(
      found.filter(({ severity }) => severity === 0),
      [],
    );
  });

  it('both find one where there is one', async () => {
    await writeFile(
      join(dir, 'wrong.json'),
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'x', version: '1' },
        paths: { '/x/{id}': { get: { responses: {} } } },
      }),
    );
    await assert.rejects(run(REDOCLY, 'lint', '--extends=recommended', 'wrong.json'), /path-parameters-defined/);
    await writeFile(join(dir, '.spectral.yaml'), SPECTRAL_RULES);
    await assert.rejects(run(SPECTRAL, 'lint', '--ruleset', '.spectral.yaml', 'wrong.json'), /oas3-schema|path-params/);
  });
});

describe('generated clients', () => {
  /** Compiles a program with the client that it imports, strictly, and runs it against a service of its own. */
  const compileAndRun = async (program: string): Promise<unknown> => {
    const own = join(dir, program);
    await cp(join(import.meta.dirname, `programs/${program}.ts`), join(own, `${program}.ts`));
    await writeFile(join(own, 'package.json'), '{ "type": "module" }');
    const types = [
      '--lib',
      'es2023,dom,dom.iterable',
      '--types',
      'node',
      '--typeRoots',
      testPackageFile('@types'),
      '--skipLibCheck',
    ];
    const output = [
      '--target',
      'es2023',
      '--module',
      'nodenext',
      '--rewriteRelativeImportExtensions',
      '--outDir',
      join(own, 'made'),
    ];
    await run('typescript/bin/tsc', '--strict', ...types, ...output, join(own, `${program}.ts`));
    const called = await startApp({ GALLEY_ROLES: 'api' });
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [
        join(own, `made/${program}.js`),
        called.url,
        called.key,
      ]);
      return JSON.parse(stdout);
    } finally {
      await called.close();
    }
  };
  const groups = [
    'Accessibility',
    'Code analysis',
    'Email preview',
    'Gate',
    'Images',
    'Seed mailboxes',
    'Sessions',
    'Spam testing V1',
    'Subaccounts',
  ];
  const expected = {
    counts: Object.fromEntries(groups.map((name) => [name, name === 'Email preview' ? 1 : 0])),
    role: 'support',
    domain: 'letters.example.com',
    records: 3,
    kind: 'links',
    isPlaced: true,
    refused: 'InvalidTestID',
  };

  it('of openapi-typescript compiles, and calls each group', async () => {
    await mkdir(join(dir, 'openapi-fetch'));
    await run('openapi-typescript/bin/cli.js', WHOLE, '-o', 'openapi-fetch/openapi-typescript.ts');
    assert.deepEqual(await compileAndRun('openapi-fetch'), expected);
  });

  it('of @hey-api/openapi-ts compiles, and calls each group', async () => {
    await run('@hey-api/openapi-ts/bin/run.js', '-i', WHOLE, '-o', 'hey-api/hey-api', '-c', '@hey-api/client-fetch');
    assert.deepEqual(await compileAndRun('hey-api'), expected);
  });
});
