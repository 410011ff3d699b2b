// An S3 store on this machine that can be taken away and given back.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTcpProxy } from './tcp-proxy.ts';
import { requireTestPackage } from './test-packages.ts';

const S3rver = requireTestPackage('s3rver');

export interface ObjectStore {
  /** For `GALLEY_STORAGE_URL`. */
  url: string;
  /** Refuses connections, and cuts those that are open. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Starts an empty store with one bucket. */
export async function startObjectStore(): Promise<ObjectStore> {
  const directory = await mkdtemp(join(tmpdir(), 'galley-s3-'));
  const configureBuckets = [{ name: 'galley', configs: [] }];
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets });
  const { port } = (await server.run()) as { port: number };
  const proxy = await startTcpProxy(port);
  return {
    url: `s3://S3RVER:S3RVER@127.0.0.1:${proxy.port}/galley?tls=off`,
    stop: () => proxy.refuse(),
    start: () => proxy.mend(),
    async close() {
      await proxy.close();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
