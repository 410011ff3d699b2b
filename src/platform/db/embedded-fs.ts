// PGlite's file system with the fsync that Emscripten's lacks.
import { fsyncSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

interface EmscriptenModule {
  NODEFS: { stream_ops: { fsync?: (stream: { nfd: number }) => number } };
}

/** Without this a commit survives a killed process but not a power cut. Reaches into internals: the version is pinned. */
export class SyncedFS extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const ready = await super.init(...args);
    const preRun = (ready.emscriptenOpts.preRun ??= []) as unknown as ((module: EmscriptenModule) => void)[];
    preRun.push((module) => {
      module.NODEFS.stream_ops.fsync = (stream) => {
        fsyncSync(stream.nfd);
        return 0;
      };
    });
    return ready;
  }
}
