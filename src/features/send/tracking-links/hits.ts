// Opens and clicks on their way into the events: gathered for a moment, written in one transaction.
import { clientInfoOf, type ClientInfo } from '../../../engines/tracking/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { messageOf } from '../../../platform/errors/index.ts';
import type { NewEvent } from '../../../platform/event-log/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { Places } from '../../../platform/places/index.ts';
import { Recent } from '../../../platform/recent/index.ts';
import { listFacts, type MessageFacts } from '../messages/index.ts';
import { addReads } from './store.ts';

interface Hit {
  kind: 'opened' | 'clicked';
  accountId: string;
  domain: string;
  messageId: string;
  position: number;
  link: number;
  /** Of clicks. */
  url: string;
  ip: string;
  userAgent: string;
}

const WAIT_MS = 500;
const AGAIN_MS = 1000;
const BATCH = 1000;
/** More wait for the database than it can be long: the rest is not counted, and said in the log. */
const WAITING_MAX = 20_000;
const ACCOUNT_MAX = 5000;
/** So many links of one copy within so long are followed by a program. */
const BURST_LINKS = 3;
const BURST_MS = 10_000;
const COPIES_MAX = 20_000;

interface Hits {
  add(hit: Hit): void;
  close(): Promise<void>;
}

const queues = new WeakMap<Db, Hits>();

/** Counts a hit; it is in the events a moment later. */
export function countHit({ db }: Pick<Outside, 'db'>, hit: Hit): void {
  queues.get(db)?.add(hit);
}

type Doors = Pick<Outside, 'db' | 'events' | 'clock' | 'log'>;

const copyOf = ({ messageId, position }: Pick<Hit, 'messageId' | 'position'>): string => `${messageId} ${position}`;

/** Tells who follows every link at once. */
function createBursts() {
  const copies = new Recent<{ from: number; links: Set<number> }>(COPIES_MAX);
  return (hits: readonly Hit[], now: number): ((hit: Hit) => boolean) => {
    for (const hit of hits) {
      if (hit.kind !== 'clicked') continue;
      const seen = copies.get(copyOf(hit));
      if (seen && now - seen.from < BURST_MS) seen.links.add(hit.link);
      else copies.set(copyOf(hit), { from: now, links: new Set([hit.link]) });
    }
    return (hit) => hit.kind === 'clicked' && (copies.get(copyOf(hit))?.links.size ?? 0) >= BURST_LINKS;
  };
}

/** As the group's documents have it: what is not known is `Unknown`. */
function geolocationOf(places: Places | undefined, ip: string) {
  const { country = 'Unknown', region = 'Unknown', city = 'Unknown' } = places?.placeOf(ip) ?? {};
  return { country, region, city };
}

interface Read {
  hit: Hit;
  recipient: string;
  client: ClientInfo;
}

function readsOf(hits: readonly Hit[], facts: readonly MessageFacts[], isBurst: (hit: Hit) => boolean): Read[] {
  const messages = new Map(facts.map((message) => [message.id, message]));
  return hits.flatMap((hit) => {
    const message = messages.get(hit.messageId);
    const recipient = message?.recipients[hit.position];
    // The message is gone, or is none of the domain's.
    if (recipient === undefined || message?.accountId !== hit.accountId || message.domain !== hit.domain) return [];
    const said = clientInfoOf(hit.userAgent);
    const client = said.bot === '' && isBurst(hit) ? { ...said, bot: 'scanner' as const } : said;
    return [{ hit, recipient: recipient.toLowerCase(), client }];
  });
}

/** Each kind once for a copy. */
function peopleOf(reads: readonly Read[], at: Date) {
  const once = new Map(
    reads
      .filter(({ client }) => client.bot === '')
      .map(({ hit }) => [`${copyOf(hit)} ${hit.kind}`, { ...pick(hit), at }] as const),
  );
  // In one order, so that processes that write the same wait for each other and not in a circle.
  return [...once.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, read]) => read);
}

const pick = ({ messageId, position, kind }: Hit) => ({ messageId, position, kind });

async function write(
  { db, events, clock }: Doors,
  hits: readonly Hit[],
  { isBurst, places }: { isBurst: (hit: Hit) => boolean; places: Places | undefined },
): Promise<void> {
  const facts = await listFacts(db, [...new Set(hits.map(({ messageId }) => messageId))]);
  const reads = readsOf(hits, facts, isBurst);
  if (reads.length === 0) return;
  await db.tx(async (tx) => {
    const at = clock.now();
    const first = new Set((await addReads(tx, peopleOf(reads, at))).map((one) => `${copyOf(one)} ${one.kind}`));
    const told = reads.map(({ hit, recipient, client }): NewEvent => {
      const { kind, accountId, domain, messageId, position, url, ip } = hit;
      const isUnique = client.bot === '' && first.delete(`${copyOf(hit)} ${kind}`);
      const about = {
        ip,
        'client-info': client,
        geolocation: geolocationOf(places, ip),
        ...(kind === 'clicked' && { url }),
        'is-unique': isUnique,
      };
      return { event: kind, at, accountId, domain, recipient, messageId, position, about };
    });
    await events.append(tx, told);
  });
}

/** Starts to write what is counted in this process. */
export function openHits(outside: Doors, places?: Places): Hits {
  const { db, clock, log } = outside;
  const bursts = createBursts();
  let waiting: Hit[] = [];
  const byAccount = new Map<string, number>();
  let left = 0;
  let isClosing = false;
  let running: Promise<void> | undefined;
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      if (!isClosing) await pause(WAIT_MS);
      const batch = waiting.slice(0, BATCH);
      try {
        await write(outside, batch, { isBurst: bursts(batch, clock.now().getTime()), places });
      } catch (error) {
        log.warn({ message: messageOf(error) }, 'opens and clicks could not be written; it is tried again');
        if (isClosing) return;
        await pause(AGAIN_MS);
        continue;
      }
      waiting = waiting.slice(batch.length);
      for (const { accountId } of batch) byAccount.set(accountId, (byAccount.get(accountId) ?? 1) - 1);
      for (const [accountId, count] of byAccount) if (count <= 0) byAccount.delete(accountId);
      if (left > 0) log.warn({ left }, 'opens and clicks were not counted: too many came at once');
      left = 0;
    }
  };
  const hits: Hits = {
    add(hit) {
      const own = byAccount.get(hit.accountId) ?? 0;
      if (waiting.length >= WAITING_MAX || own >= ACCOUNT_MAX) {
        left++;
        return;
      }
      byAccount.set(hit.accountId, own + 1);
      waiting.push(hit);
      running ??= run().finally(() => (running = undefined));
    },
    async close() {
      isClosing = true;
      queues.delete(db);
      await running;
      if (waiting.length > 0) await run();
    },
  };
  queues.set(db, hits);
  return hits;
}
