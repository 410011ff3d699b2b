// PGlite's file system with the fsync that Emscripten's lacks, and with files that are their owner's only.
import { fsyncSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

interface Attributes {
  mode?: number;
}

interface EmscriptenModule {
  NODEFS: {
    node_ops: { setattr(node: unknown, attributes: Attributes): void };
    stream_ops: { setattr(stream: unknown, attributes: Attributes): void; fsync?: (stream: { nfd: number }) => number };
  };
}

const OTHERS = 0o077;

/**
 * Without fsync a commit survives a killed process but not a power cut. Emscripten sets the mode of every file that it
 * makes, 0666 or 0644 whatever the umask: here others get no rights. Reaches into internals: the version is pinned.
 */
export class SyncedFS extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const ready = await super.init(...args);
    const preRun = (ready.emscriptenOpts.preRun ??= []) as unknown as ((module: EmscriptenModule) => void)[];
    preRun.push((module) => {
      module.NODEFS.stream_ops.fsync = (stream) => {
        fsyncSync(stream.nfd);
        return 0;
      };
      for (const operations of [module.NODEFS.node_ops, module.NODEFS.stream_ops]) {
        const { setattr } = operations;
        operations.setattr = (target, { mode, ...others }) =>
          setattr(target, { ...others, ...(mode !== undefined && { mode: mode & ~OTHERS }) });
      }
    });
    return ready;
  }
}
