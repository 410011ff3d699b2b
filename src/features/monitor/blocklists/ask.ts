// Asks lists over DNS: a bounded number at once, and no list so many that a slow one holds up the others.
import {
  isOnList,
  namesFor,
  readAnswer,
  readFailure,
  testNames,
  type Asset,
  type AssetKind,
  type Blocklist,
  type Verdict,
} from '../../../engines/blocklists/index.ts';
import { DnsError, lookUp as askDns, type Dns } from '../../../platform/dns/index.ts';

/** At once, of all lists and of one. A burst of UDP makes routers drop answers; the resolver has 64 places. */
const AT_ONCE = 60;
const OF_A_LIST = 8;
/** Questions in a row without an answer after which a list is not asked on in this sweep. */
const SILENCES_MAX = 8;
const REASON_LENGTH_MAX = 500;

type Doors = { dns: Dns };

/** What the test of a list found. */
export interface Probe {
  isLive: boolean;
  /** Why it is not believed; otherwise empty. */
  why: string;
  /** It did not answer in time, and may when it is asked again. */
  isLate?: boolean;
}

function verdictOf({ dns }: Doors, list: Blocklist, name: string): Promise<Verdict> {
  return askDns(dns, name, 'A').then((heard) =>
    'records' in heard ? readAnswer(list, heard.records) : readFailure(heard.failure),
  );
}

const RANK = ['listed', 'allowed', 'unknown', 'clean'] as const;

/** What a list says of an asset. Of two names that are asked for it, the one that says more counts. */
function lookUp(doors: Doors, list: Blocklist, asset: Asset): Promise<Verdict> {
  const names = namesFor(list, asset);
  if (names.length === 1) return verdictOf(doors, list, names[0]!);
  return Promise.all(names.map((name) => verdictOf(doors, list, name))).then(
    (verdicts) => verdicts.toSorted((a, b) => RANK.indexOf(a.state) - RANK.indexOf(b.state))[0]!,
  );
}

const notBelieved = (why: string, isLate = false): Probe => ({ isLive: false, why, isLate });

/** The counter-test alone: what must be clean is clean. A list may have begun to list the world since its test. */
export async function probeAgain(doors: Doors, list: Blocklist, kind: AssetKind): Promise<Probe> {
  const control = await verdictOf(doors, list, testNames(list, kind).clean);
  if (control.state === 'clean') return { isLive: true, why: '' };
  if (control.state === 'unknown') return notBelieved(control.why, control.isLate);
  return notBelieved(
    'lists its counter-test, which no list may hold: it lists everything, or a resolver makes answers up',
  );
}

/** Tests a list as RFC 5782 §5 says: an entry that must be there, one that must not. */
export async function probe(doors: Doors, list: Blocklist, kind: AssetKind): Promise<Probe> {
  const [control, ...verdicts] = await Promise.all([
    probeAgain(doors, list, kind),
    ...testNames(list, kind).listed.map((name) => verdictOf(doors, list, name)),
  ]);
  if (!control.isLive || verdicts.some((verdict) => isOnList(verdict))) return control;
  const silent = verdicts.find((verdict) => verdict.state === 'unknown');
  return silent?.state === 'unknown'
    ? notBelieved(silent.why, silent.isLate)
    : notBelieved('does not list its own test entry');
}

/** What a list says in words of an asset that is on it; null when it says nothing. */
export async function reasonOf({ dns }: Doors, list: Blocklist, asset: Asset): Promise<string | null> {
  for (const name of namesFor(list, asset)) {
    try {
      const [record = []] = await dns.resolve(name, 'TXT');
      return record
        .join('')
        .replaceAll(/\p{Cc}/gu, ' ')
        .slice(0, REASON_LENGTH_MAX);
    } catch (error) {
      if (!(error instanceof DnsError)) throw error;
    }
  }
  return null;
}

/** One list's questions in a sweep. */
interface Line {
  list: Blocklist;
  assets: readonly Asset[];
  next: number;
  running: number;
  silences: number;
}

export interface Asking {
  list: Blocklist;
  assets: readonly Asset[];
}

/**
 * Asks every list about its assets, in their order. `found` hears each verdict. What is not asked, because the list
 * fell silent or `signal` ended the sweep, is unknown.
 */
export async function askAll(
  doors: Doors,
  askings: readonly Asking[],
  { found, signal }: { found: (list: Blocklist, asset: Asset, verdict: Verdict) => void; signal?: AbortSignal },
): Promise<void> {
  const lines: Line[] = askings.map((asking) => ({ ...asking, next: 0, running: 0, silences: 0 }));
  let turn = 0;

  /** The next list that has a question and room for it. */
  function nextLine(): Line | undefined {
    for (let step = 0; step < lines.length; step += 1) {
      const line = lines[(turn + step) % lines.length]!;
      if (line.next < line.assets.length && line.running < OF_A_LIST) {
        turn = (turn + step + 1) % lines.length;
        return line;
      }
    }
    return undefined;
  }

  /** Asks about the next asset. False where it is not asked any more: what it says is known at once. */
  function ask(line: Line, { done, failed }: { done: () => void; failed: (error: unknown) => void }): boolean {
    const asset = line.assets[line.next++]!;
    if (line.silences >= SILENCES_MAX || signal?.aborted) {
      const why = signal?.aborted
        ? 'was not asked: the service stopped'
        : `did not answer ${SILENCES_MAX} times in a row`;
      found(line.list, asset, { state: 'unknown', why });
      return false;
    }
    line.running += 1;
    lookUp(doors, line.list, asset).then((verdict) => {
      line.running -= 1;
      line.silences = verdict.state === 'unknown' ? line.silences + 1 : 0;
      try {
        found(line.list, asset, verdict);
        done();
      } catch (error) {
        failed(error);
      }
    }, failed);
    return true;
  }

  await new Promise<void>((resolve, failed) => {
    let running = 0;
    const heard = { done, failed };

    function done(): void {
      running -= 1;
      pump();
    }

    function pump(): void {
      for (let line = nextLine(); line; line = nextLine()) {
        if (!ask(line, heard)) continue;
        running += 1;
        if (running >= AT_ONCE) return;
      }
      if (running === 0) resolve();
    }
    pump();
  });
}
