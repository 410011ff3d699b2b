// Which program answers a path: the dashboard's pages, the API, and both in development.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FEATURES } from '../../src/app/features.ts';
import { startApp, type App } from '../harness/start-app.ts';
import { buildDashboard } from './chromium.ts';

const ROOT = join(import.meta.dirname, '../..');
const BROWSER = { accept: 'text/html,application/xhtml+xml' };

let app: App;
before(async () => {
  await buildDashboard();
  app = await startApp({ GALLEY_ROLES: 'api' });
});
after(() => app?.close());

async function statusOf(path: string): Promise<[number, string | undefined]> {
  const response = await fetch(`${app.url}${path}`, { headers: BROWSER });
  await response.arrayBuffer();
  return [response.status, response.headers.get('content-type')?.split(';', 1)[0]];
}

describe('the paths of pages', () => {
  it('are answered with the dashboard, as the pages declare them', async () => {
    const paths = JSON.parse(await readFile(join(ROOT, 'web/dist/pages.json'), 'utf8')) as string[];
    assert.ok(paths.length > 30, `only ${paths.length} pages`);
    for (const path of paths)
      assert.deepEqual(await statusOf(path.replaceAll(/\$\w+/g, 'any')), [200, 'text/html'], path);
  });

  it('are no others: below and beside them there is no page', async () => {
    for (const path of ['/gate/any/client', '/gate/any/client/any/more', '/previewsx']) {
      assert.deepEqual(await statusOf(path), [404, 'text/html'], path);
    }
  });

  it('are left to the dashboard in development, which hands every path of the API to the service', async () => {
    const { default: config } = (await import(join(ROOT, 'web/vite.config.ts'))) as {
      default: { server: { proxy: Record<string, string> } };
    };
    const rules = Object.keys(config.server.proxy);
    // As vite reads them: an expression begins with ^, anything else is the beginning of a path.
    const isHandedOn = (path: string): boolean =>
      rules.some((rule) => (rule.startsWith('^') ? new RegExp(rule).test(path) : path.startsWith(rule)));
    const ofApi = FEATURES.flatMap(({ endpoints }) => endpoints.map(({ contract }) => contract.path));
    assert.ok(ofApi.length > 90, `only ${ofApi.length} endpoints`);
    const served = [
      '/docs',
      '/docs/reference.css',
      '/openapi.json',
      '/openapi/preview.json',
      '/policy.schema.json',
      '/health',
      '/metrics',
      '/v3/new',
      '/v12/new',
    ];
    assert.deepEqual(
      [...ofApi, ...served].filter((path) => !isHandedOn(path)),
      [],
    );
    const paths = JSON.parse(await readFile(join(ROOT, 'web/dist/pages.json'), 'utf8')) as string[];
    assert.deepEqual([...paths, '/nope', '/src/main.tsx', '/@vite/client'].filter(isHandedOn), []);
  });
});
