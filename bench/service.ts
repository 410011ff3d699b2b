// The service that a benchmark asks, in this process, and its answers.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGalley, type Galley } from '../src/app/serve.ts';
import { readConfig } from '../src/platform/config/index.ts';
import { createLog } from '../src/platform/log/index.ts';

/** The key of the root account, where the service was started with it (`GALLEY_API_KEY`). */
export const KEY = 'key-of-the-benchmarks';

interface Asked {
  key?: string;
  body?: object;
  headers?: Record<string, string>;
}

/** `POST /v1/keys`. Throws for every answer but success. */
export async function call(
  galley: Galley,
  operation: string,
  { key = KEY, body, headers = {} }: Asked = {},
): Promise<any> {
  const [method = 'GET', path = '/'] = operation.split(' ');
  const response = await fetch(galley.url + path, {
    method,
    headers: {
      authorization: `Basic ${btoa(`api:${key}`)}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${operation} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** A service that answers and does nothing else, with a directory of its own; `name` is part of that one's. */
export async function startApi(
  name: string,
  settings: Record<string, string> = {},
): Promise<{ galley: Galley; close(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), `galley-${name}-`));
  const galley = await startGalley({
    config: readConfig({
      GALLEY_PORT: '0',
      GALLEY_DATA_DIR: dataDir,
      GALLEY_API_KEY: KEY,
      GALLEY_ROLES: 'api',
      GALLEY_OPTIONAL_ENGINES: 'off',
      ...settings,
    }),
    log: createLog('silent'),
  });
  return {
    galley,
    async close() {
      await galley.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
