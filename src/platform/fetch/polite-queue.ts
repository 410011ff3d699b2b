export interface PoliteQueue {
  /** Runs the work when its turn has come. Settles as the work does. */
  run<Result>(host: string, work: () => Promise<Result>): Promise<Result>;
  /** Starts nothing at this host for a while; what runs there goes on. */
  pause(host: string, durationMs: number): void;
  /** Ends all pauses. */
  hurry(): void;
}

interface Host {
  waiting: (() => void)[];
  running: number;
  pause: NodeJS.Timeout | undefined;
}

function resume(host: Host): void {
  clearTimeout(host.pause);
  host.pause = undefined;
}

/** Runs at most `concurrency` pieces of work at once and at most `perHostMax` at one host, hosts taking turns. */
export function politeQueue(limits: { concurrency: number; perHostMax: number }): PoliteQueue {
  /** In the order of their turns. */
  const hosts = new Map<string, Host>();
  let running = 0;

  const toTheEnd = (name: string, host: Host) => {
    hosts.delete(name);
    hosts.set(name, host);
  };
  const start = () => {
    let asked = 0;
    for (const [name, host] of hosts) {
      if (running >= limits.concurrency || asked++ > hosts.size) return;
      const isFree = host.waiting.length > 0 && host.running < limits.perHostMax && host.pause === undefined;
      if (!isFree) continue;
      host.running++;
      running++;
      // The loop comes by again when the others had their turn.
      toTheEnd(name, host);
      host.waiting.shift()!();
      asked = 0;
    }
  };
  const end = (name: string, host: Host) => {
    host.running--;
    running--;
    if (host.running === 0 && host.waiting.length === 0 && host.pause === undefined) hosts.delete(name);
    else toTheEnd(name, host);
    start();
  };
  const hostOf = (name: string): Host => {
    const host = hosts.get(name) ?? { waiting: [], running: 0, pause: undefined };
    hosts.set(name, host);
    return host;
  };
  return {
    async run(name, work) {
      const host = hostOf(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      host.waiting.push(resolve);
      start();
      await promise;
      try {
        return await work();
      } finally {
        end(name, host);
      }
    },
    pause(name, durationMs) {
      const host = hostOf(name);
      resume(host);
      host.pause = setTimeout(() => {
        host.pause = undefined;
        start();
      }, durationMs);
    },
    hurry() {
      for (const host of hosts.values()) resume(host);
      start();
    },
  };
}
