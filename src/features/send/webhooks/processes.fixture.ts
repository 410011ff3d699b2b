// The real program with webhooks, in one process or several, and a receiver that counts.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, KEY, kill, start, type Running } from '../../../../test/harness/crash.ts';
import { startReceiver, type Receiver } from '../../../../test/harness/webhook-receiver.ts';
import { FREE_PORTS } from '../../../../test/harness/program.ts';

export const PATH = '/hook';

interface Fleet extends AsyncDisposable {
  receiver: Receiver;
  /** Starts one more process with these roles. */
  start(roles: string): Promise<Running>;
  kill(one: Running): Promise<void>;
  /** Sends one message to so many recipients, each of which takes it: a `delivered` event for each. */
  send(url: string, count: number): Promise<void>;
  /** Has these events of the account posted to a path. */
  hook(url: string, path: string): Promise<void>;
  /** How often each event came to a path. */
  countsAt(path: string): Map<string, number>;
  /** The states of all deliveries of the log, when so many are there and none waits. */
  ended(url: string, count: number): Promise<string[]>;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The states of the whole log. */
async function statesOf(url: string): Promise<string[]> {
  const states: string[] = [];
  let path = '/v1/galley/webhooks/deliveries?limit=1000';
  for (;;) {
    const { items, paging } = await call(url, 'GET', path);
    if (items.length === 0) return states;
    states.push(...items.map(({ state }: { state: string }) => state));
    const next = new URL(paging.next);
    path = next.pathname + next.search;
  }
}

/** `database` are its settings. */
export async function startFleet(database: Record<string, string>): Promise<Fleet> {
  const dataDir = await mkdtemp(join(tmpdir(), 'galley-webhooks-'));
  const receiver = await startReceiver();
  const running = new Set<Running>();
  let sent = 0;
  return {
    receiver,
    async start(roles) {
      const one = await start({
        ...FREE_PORTS,
        GALLEY_DATA_DIR: dataDir,
        GALLEY_API_KEY: KEY,
        GALLEY_OPTIONAL_ENGINES: 'off',
        GALLEY_LOG_LEVEL: 'silent',
        GALLEY_ALLOW_HOSTS: receiver.host,
        GALLEY_ROLES: roles,
        ...database,
      });
      running.add(one);
      return one;
    },
    async kill(one) {
      running.delete(one);
      await kill(one);
    },
    async send(url, count) {
      const [{ name }] = (await call(url, 'GET', '/v4/domains?search=sandbox')).items;
      const to = Array.from({ length: count }, () => `delivered+${sent++}@${name}`);
      const letter = { from: `ann@${name}`, to, subject: 'Hello', text: 'Hello', 'recipient-variables': '{}' };
      await call(url, 'POST', `/v3/${name}/messages`, letter);
    },
    async hook(url, path) {
      await call(url, 'POST', '/v1/webhooks', { url: receiver.url + path, event_types: ['delivered'] });
    },
    countsAt(path) {
      const counts = new Map<string, number>();
      for (const { event } of receiver.at(path)) counts.set(event['id'], (counts.get(event['id']) ?? 0) + 1);
      return counts;
    },
    async ended(url, count) {
      for (;;) {
        const states = await statesOf(url);
        if (states.length === count && !states.includes('waiting')) return states;
        await pause(100);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const one of running) await kill(one);
      await receiver.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
