export interface PoliteQueue {
  /** Runs the work when its turn has come. Settles as the work does. */
  run<Result>(host: string, work: () => Promise<Result>): Promise<Result>;
  /** Starts nothing at this host for a while; what runs there goes on. */
  pause(host: string, durationMs: number): void;
  /** Ends all pauses. */
  hurry(): void;
}

interface Host {
  /** Those before `next` had their turn: taking the first of thousands out of a list would move all others. */
  waiting: (() => void)[];
  next: number;
  running: number;
  pause: NodeJS.Timeout | undefined;
}

const isWaiting = ({ waiting, next }: Host): boolean => next < waiting.length;

function takeFirst(host: Host): () => void {
  const first = host.waiting[host.next++] as () => void;
  if (isWaiting(host)) return first;
  host.waiting = [];
  host.next = 0;
  return first;
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
      const isFree = isWaiting(host) && host.running < limits.perHostMax && host.pause === undefined;
      if (!isFree) continue;
      host.running++;
      running++;
      // The loop comes by again when the others had their turn.
      toTheEnd(name, host);
      takeFirst(host)();
      asked = 0;
    }
  };
  const end = (name: string, host: Host) => {
    host.running--;
    running--;
    if (host.running === 0 && !isWaiting(host) && host.pause === undefined) hosts.delete(name);
    else toTheEnd(name, host);
    start();
  };
  const hostOf = (name: string): Host => {
    const host = hosts.get(name) ?? { waiting: [], next: 0, running: 0, pause: undefined };
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
