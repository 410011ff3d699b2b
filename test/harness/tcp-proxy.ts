// A wire that a test can cut: connections through it are reset, hang, or stay half open.
import net from 'node:net';

export interface TcpProxy {
  port: number;
  /** Ends every connection with a reset; new ones work. */
  reset(): void;
  /** From now on connections are taken, old ones kept, and nothing goes through. */
  hang(): void;
  /** What is connected now hears nothing any more, for good; new connections work. */
  leaveHalfOpen(): void;
  /** Connections are refused, those that are there reset. */
  refuse(): Promise<void>;
  /** Works again. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

interface Pair {
  near: net.Socket;
  far: net.Socket;
}

/** A proxy before a port of this machine. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  const silent = new Set<Pair>();
  let isHanging = false;
  const join = (near: net.Socket): void => {
    const pair = { near, far: net.connect(target, '127.0.0.1') };
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      silent.delete(pair);
      near.destroy();
      pair.far.destroy();
    };
    const pass = (from: net.Socket, to: net.Socket) =>
      from
        .on('data', (bytes) => !isHanging && !silent.has(pair) && to.write(bytes))
        .on('error', () => undefined)
        .on('close', () => {
          // The end of a connection does not get through either.
          if (!isHanging && !silent.has(pair)) end();
        });
    pass(near, pair.far);
    pass(pair.far, near);
  };
  const server = net.createServer(join);
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = () => new Promise<void>((resolve) => (server.listening ? server.close(() => resolve()) : resolve()));
  await listen(0);
  const { port } = server.address() as net.AddressInfo;
  const reset = (): void => {
    for (const { near, far } of pairs) {
      // A socket that is shutting down already cannot be reset: Node would wait for its handle when the process ends.
      if (near.writableEnded || near.destroyed) near.destroy();
      else near.resetAndDestroy();
      far.destroy();
    }
    pairs.clear();
    silent.clear();
  };
  return {
    port,
    reset,
    hang: () => void (isHanging = true),
    leaveHalfOpen: () => pairs.forEach((pair) => silent.add(pair)),
    async refuse() {
      const stopped = stop();
      reset();
      await stopped;
    },
    async mend() {
      if (isHanging) reset();
      isHanging = false;
      if (!server.listening) await listen(port);
    },
    async close() {
      const stopped = stop();
      reset();
      await stopped;
    },
  };
}
