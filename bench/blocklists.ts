// A whole sweep of 100 lists × 1,000 IP addresses through a service that runs, with its database, beside the same questions
// asked by Node's resolver alone, as many at once; and whether a daily budget holds.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Resolver } from 'node:dns/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listsOf } from '../src/engines/blocklists/index.ts';
import { askAll } from '../src/features/monitor/blocklists/ask.ts';
import { sweepAll } from '../src/features/monitor/blocklists/sweep.ts';
import { createDns } from '../src/platform/dns/index.ts';
import { startApp, type App } from '../test/harness/start-app.ts';
import { median } from './measure.ts';

const LISTS = 100;
const IPS = 1000;
const AT_ONCE = 60;
const ROUNDS = 9;
const BUDGET = 500;

const zones = Array.from({ length: LISTS }, (_, place) => `l${String(place).padStart(3, '0')}.lists.test`);
const ips = Array.from({ length: IPS }, (_, place) => `198.18.${place >> 8}.${place & 255}`);

interface Told {
  most: number;
  perList: number;
}

async function tell(server: ChildProcess): Promise<Told> {
  server.send('tell');
  const [told] = await once(server, 'message');
  return told as Told;
}

/** Questions a second of the resolver alone. */
async function alone(address: string): Promise<number> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  resolver.setServers([address]);
  const names = ips.flatMap((ip) => zones.map((zone) => `${ip.split('.').reverse().join('.')}.${zone}`)).values();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const name of names) await resolver.resolve4(name).catch(() => undefined);
    }),
  );
  return (LISTS * IPS * 1000) / (performance.now() - start);
}

/** A service that watches the addresses; `perDay` is the budget of each list. */
async function watching(address: string, path: string, perDay: number): Promise<App> {
  const app = await startApp(
    { GALLEY_ROLES: 'api', GALLEY_BLOCKLISTS: path, GALLEY_BLOCKLIST_QUESTIONS_PER_DAY: String(perDay) },
    { dns: createDns({ servers: [address] }) },
  );
  const { db } = app.galley.outside;
  const { id: account } = await db.ofAnyone.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const now = app.clock.now();
  const rows = ips.map((name) => ({
    id: `target-${name}`,
    kind: 'ip4' as const,
    name,
    createdAt: now,
    checkedAt: null,
    dueAt: now,
    nextAt: now,
    result: {},
  }));
  await db.of(account).insert('blocklistTargets', rows).execute();
  return app;
}

/** Questions a second of a whole sweep. */
async function swept({ galley: { outside }, clock }: App): Promise<number> {
  const now = clock.now();
  await outside.db.ofAnyone.updateTable('blocklistTargets').set({ dueAt: now, nextAt: now }).execute();
  const start = performance.now();
  await sweepAll(outside, new AbortController().signal);
  return (LISTS * IPS * 1000) / (performance.now() - start);
}

/** Questions that are open at the server at once, when it takes its time: it reads 32 at a time at most. */
async function mostAtOnce(server: ChildProcess, address: string): Promise<number> {
  server.send('slow');
  await once(server, 'message');
  const dns = createDns({ servers: [address] });
  const assets = ips.slice(0, 50).map((name) => ({ kind: 'ip4' as const, name }));
  const lists = listsOf({ isOwnOnly: true, own: zones.map((zone) => ({ zone })) });
  await askAll(
    { dns },
    lists.map((list) => ({ list, assets })),
    { found: () => undefined },
  );
  const { most } = await tell(server);
  server.send('fast');
  await once(server, 'message');
  return most;
}

/** Prints the figures. */
export async function run(): Promise<void> {
  const server = fork(new URL('./blocklists-dns.ts', import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), 'galley-bench-lists-'));
  try {
    const [{ address }] = (await once(server, 'message')) as [{ address: string }];
    const path = join(folder, 'lists.json');
    await writeFile(path, JSON.stringify({ catalog: false, lists: zones.map((zone) => ({ zone })) }));
    const rates: { alone: number; swept: number }[] = [];
    // One service for all rounds: what a database compiles in its first seconds is not the sweep's.
    const app = await watching(address, path, 1_000_000);
    await swept(app);
    let before = await alone(address);
    for (let round = 0; round < ROUNDS; round += 1) {
      const rate = await swept(app);
      const after = await alone(address);
      // What else the machine does changes while this runs: a sweep is held against what was measured around it.
      rates.push({ alone: 2 / (1 / before + 1 / after), swept: rate });
      before = after;
    }
    await app.close();
    const most = await mostAtOnce(server, address);
    const ratio = median(rates.map((rate) => rate.swept / rate.alone));
    for (const rate of rates)
      console.log(`resolver alone ${Math.round(rate.alone)}/s, sweep ${Math.round(rate.swept)}/s`);
    console.log(
      `sweep of ${LISTS} lists × ${IPS} addresses: ${ratio.toFixed(2)} × the resolver's own rate (at least 0.8)`,
    );
    console.log(`at most ${most} questions at once (64)`);
    const thrifty = await watching(address, path, BUDGET);
    await tell(server);
    await swept(thrifty);
    const { perList } = await tell(server);
    await thrifty.close();
    console.log(`budget of ${BUDGET} a day: the list that was asked most got ${perList} questions`);
    if (ratio < 0.8 || most > 64 || perList > BUDGET) process.exitCode = 1;
  } finally {
    server.kill();
    await rm(folder, { recursive: true });
  }
}
