import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { requireTestPackage } from '../../../test/harness/test-packages.ts';
import { openBlobs, type Blobs } from './index.ts';

interface Store {
  name: string;
  open(dir: string): Promise<{ blobs: Blobs; close: () => Promise<void> }>;
}

const STORES: Store[] = [
  {
    name: 'a directory',
    open: async (dir) => ({
      blobs: openBlobs({ dir: join(dir, 'objects'), url: undefined }),
      close: async () => undefined,
    }),
  },
  {
    name: 'an S3 store',
    async open(dir) {
      const S3rver = requireTestPackage('s3rver');
      const server = new S3rver({
        port: 0,
        address: '127.0.0.1',
        silent: true,
        directory: join(dir, 's3'),
        configureBuckets: [{ name: 'galley', configs: [] }],
      });
      const { port } = await server.run();
      return {
        blobs: openBlobs({ dir: '', url: `s3://S3RVER:S3RVER@127.0.0.1:${port}/galley?tls=off` }),
        close: () => server.close(),
      };
    },
  },
];

for (const store of STORES) {
  describe(`objects in ${store.name}`, () => {
    let dir: string;
    let opened: { blobs: Blobs; close: () => Promise<void> };
    before(async () => {
      dir = await mkdtemp(join(tmpdir(), 'galley-blobs-'));
      opened = await store.open(dir);
    });
    after(async () => {
      await opened.close();
      await rm(dir, { recursive: true, force: true });
    });

    it('gives back what was put, whole and as a stream', async () => {
      const body = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251));
      await opened.blobs.put('a/b/c.bin', body, 'application/octet-stream');
      await opened.blobs.put('a/b/c.bin', body, 'application/octet-stream');
      assert.deepEqual(await opened.blobs.get('a/b/c.bin'), body);
      const stream = await opened.blobs.stream('a/b/c.bin');
      assert.equal(stream?.sizeBytes, body.length);
      const chunks: Buffer[] = [];
      for await (const chunk of stream?.body ?? []) chunks.push(chunk);
      assert.deepEqual(Buffer.concat(chunks), body);
    });

    it('takes a file, which may be larger than what it sends at once', async () => {
      const body = Buffer.alloc(40 * 1024 * 1024, 'Galley proofs email. ');
      const path = join(dir, 'large.bin');
      await writeFile(path, body);
      await opened.blobs.putFile('a/large.bin', path, 'application/octet-stream');
      const kept = await opened.blobs.get('a/large.bin');
      assert.ok(kept?.equals(body));
      await assert.rejects(opened.blobs.putFile('a/none.bin', join(dir, 'none'), 'application/octet-stream'));
      assert.equal(await opened.blobs.get('a/none.bin'), undefined);
    });

    it('answers undefined for what is not there', async () => {
      assert.equal(await opened.blobs.get('a/none'), undefined);
      assert.equal(await opened.blobs.stream('a/none'), undefined);
    });

    it('deletes and counts below a prefix, and nothing beside it', async () => {
      for (const key of ['p/1/x', 'p/1/y/z', 'p/10/x']) await opened.blobs.put(key, Buffer.from(key), 'text/plain');
      assert.equal(await opened.blobs.count('p/1'), 2);
      await opened.blobs.deleteAll('p/1');
      await opened.blobs.deleteAll('p/none');
      assert.deepEqual([await opened.blobs.count('p/1'), await opened.blobs.count('p')], [0, 1]);
    });

    it('refuses keys that would leave the store', async () => {
      for (const key of ['../x', 'a/../../x', '/x', 'a//b', '', 'a/./b'])
        await assert.rejects(opened.blobs.put(key, Buffer.from(''), 'text/plain'), key);
    });
  });
}
