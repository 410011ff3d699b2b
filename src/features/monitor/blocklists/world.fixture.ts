// A hundred lists that behave as lists do: most work, others list the world, refuse, fail, are slow or flap.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startListDns, type ListAnswer, type ListDns } from '../../../../test/harness/list-dns.ts';

type Manner =
  | 'good'
  | 'dead'
  | 'refused'
  | 'wildcard'
  | 'servfail'
  | 'silent'
  | 'slow'
  | 'flapping'
  | 'turning'
  | 'untested';

const MANNERS: readonly [Manner, count: number][] = [
  ['good', 66],
  ['dead', 5],
  ['refused', 5],
  ['wildcard', 4],
  ['servfail', 4],
  ['silent', 3],
  ['slow', 4],
  ['flapping', 4],
  ['turning', 2],
  ['untested', 3],
];

export interface WorldList {
  zone: string;
  manner: Manner;
  kinds: ('ip4' | 'ip6' | 'domain' | 'email')[];
}

/** `l000.lists.test` and so on; every fourth is for domains, too, every fifth for IPv6. */
export const WORLD: readonly WorldList[] = MANNERS.flatMap(([manner, count]) =>
  Array.from({ length: count }, () => manner),
).map((manner, place) => ({
  zone: `l${String(place).padStart(3, '0')}.lists.test`,
  manner,
  kinds: [
    'ip4',
    ...(place % 5 === 0 ? (['ip6'] as const) : []),
    ...(place % 4 === 0 ? (['domain'] as const) : []),
    ...(place % 10 === 0 ? (['email'] as const) : []),
  ],
}));

/** The last nibbles of ::FFFF:7F00:2 and ::FFFF:7F00:1, and the other entries of RFC 5782. */
const TESTS = ['2.0.0.127', 'test', '2.0.0.0.0.0.f.7.f.f.f.f', 'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3'];
const COUNTER_TESTS = ['1.0.0.127', 'invalid', '1.0.0.0.0.0.f.7.f.f.f.f'];

const SLOW_MS = 120;

/** A running world. `isOn` says what the lists that work hold: a list's number and what stands before its zone. */
export async function startWorld(
  isOn: (list: WorldList, name: string) => boolean,
  isFlappedOn: () => boolean,
): Promise<{
  dns: ListDns;
  /** The path for GALLEY_BLOCKLISTS. */
  path: string;
  close(): Promise<void>;
}> {
  const byZone = new Map(WORLD.map((list) => [list.zone, list]));
  const looks = new Map<string, number>();
  const listed = { addresses: ['127.0.0.2'], words: 'Seen in our traps' };

  function answer(full: string, type: string): ListAnswer | undefined {
    const list = byZone.get(full.split('.').slice(-3).join('.'));
    if (!list) return undefined;
    const name = full.slice(0, -list.zone.length - 1);
    const isTest = TESTS.some((test) => name.startsWith(test));
    const isCounterTest = COUNTER_TESTS.some((test) => name.startsWith(test));
    const own = isTest || (!isCounterTest && isOn(list, name)) ? listed : undefined;
    switch (list.manner) {
      case 'dead':
        return listed;
      case 'refused':
        return { addresses: ['127.255.255.254'], words: 'Error: open resolver' };
      case 'wildcard':
        return own ?? { addresses: ['203.0.113.80'] };
      case 'servfail':
        return { code: 2 };
      case 'silent':
        return { isSilent: true };
      case 'slow':
        return own && { ...own, afterMs: SLOW_MS };
      case 'untested':
        return isTest ? undefined : own;
      case 'flapping': {
        if (isTest || isCounterTest || type !== 'A') return own;
        return isFlappedOn() ? listed : undefined;
      }
      case 'turning': {
        // It passes its test, then lists the world.
        const look = (looks.get(list.zone) ?? 0) + 1;
        if (isCounterTest) looks.set(list.zone, look);
        return isTest || (isCounterTest && look === 1) ? own : listed;
      }
      default:
        return own;
    }
  }

  const dns = await startListDns(answer);
  const folder = await mkdtemp(join(tmpdir(), 'galley-lists-'));
  const path = join(folder, 'lists.json');
  const lists = WORLD.map(({ zone, kinds }) => ({ zone, kinds, name: zone.slice(0, 4).toUpperCase() }));
  await writeFile(path, JSON.stringify({ catalog: false, lists }));
  return {
    dns,
    path,
    async close() {
      await dns.close();
      await rm(folder, { recursive: true });
    },
  };
}
