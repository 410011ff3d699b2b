// Failures become sums: each is classified once, when it is counted.
import { createHash } from 'node:crypto';
import { classifyBounce, sampleOf } from '../../../engines/bounce-classes/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { UncountedEvent } from '../../../platform/event-log/index.ts';
import { addFigures, GROUPINGS, keepSamples, type Figure, type Sample } from './store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** So many samples are kept of a rule and a receiver at most; replies are spread over them. */
const PLACES = 8;

interface Tagged {
  event: UncountedEvent;
  tags: readonly string[];
}

interface Classified extends Tagged {
  rule: string;
  entity: string;
}

/** What receivers or their servers said or did; not what was held back here by a list of suppressions. */
const isOfReceiver = ({ event, reason, isCallback }: UncountedEvent): boolean =>
  event === 'failed' && !isCallback && !(reason ?? '').startsWith('suppress-');

type Reply = Pick<UncountedEvent, 'reason' | 'code' | 'enhancedCode' | 'reply' | 'provider'>;

const classOf = ({ reason, code, enhancedCode: enhanced, reply, provider }: Reply) =>
  classifyBounce({ reason, code, enhanced, text: reply ?? '', provider });

/** Classified, equal replies once. */
function classified(counted: readonly Tagged[]): Classified[] {
  const known = new Map<string, ReturnType<typeof classOf>>();
  return counted
    .filter(({ event }) => isOfReceiver(event))
    .map((one) => {
      const { reason, code, enhancedCode, reply, provider } = one.event;
      const key = JSON.stringify([reason, code, enhancedCode, reply, provider]);
      const found = known.get(key) ?? classOf(one.event);
      known.set(key, found);
      return { ...one, ...found };
    });
}

function rowsOf({ event, tags, rule, entity }: Classified): Omit<Figure, 'n'>[] {
  const row = (ms: number, grouping: number, detail: string) => ({
    accountId: event.accountId,
    isHourly: ms === HOUR_MS,
    grouping,
    at: new Date(Math.floor(event.at.getTime() / ms) * ms).toISOString(),
    rule,
    entity,
    isPermanent: event.severity === 'permanent',
    domain: event.domain,
    provider: event.provider,
    ip: event.sendingIp,
    ipPool: event.ipPool,
    detail,
  });
  return [
    ...[HOUR_MS, DAY_MS].flatMap((ms) => [
      row(ms, GROUPINGS.plain, ''),
      ...tags.map((tag) => row(ms, GROUPINGS.tags, tag)),
    ]),
    row(DAY_MS, GROUPINGS.recipients, event.recipientDomain),
  ];
}

function figuresOf(all: readonly Classified[]): Figure[] {
  const sums = new Map<string, Figure>();
  for (const row of all.flatMap(rowsOf)) {
    const key = JSON.stringify(row);
    const sum = sums.get(key);
    if (sum) sum.n += 1;
    else sums.set(key, { ...row, n: 1 });
  }
  return [...sums.values()];
}

/** Replies that differ in more than numbers have places of their own, as far as there are places. */
const placeOf = (reply: string): number =>
  createHash('sha256').update(reply.replaceAll(/\d+/g, '')).digest().readUInt16BE() % PLACES;

function samplesOf(all: readonly Classified[]): Sample[] {
  const samples = new Map<string, Sample>();
  for (const { event, rule, entity } of all) {
    const reply = sampleOf(event.reply ?? '');
    if (reply === '') continue;
    const sample = {
      accountId: event.accountId,
      rule,
      entity,
      place: placeOf(reply),
      reply,
      at: event.at.toISOString(),
    };
    const key = JSON.stringify([sample.accountId, rule, entity, sample.place]);
    const before = samples.get(key);
    if (!before || before.at < sample.at) samples.set(key, sample);
  }
  return [...samples].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sample]) => sample);
}

/** Adds failures to the sums, in the transaction that counts them. */
export async function addFailures(tx: Sql, counted: readonly Tagged[]): Promise<void> {
  const all = classified(counted);
  await addFigures(tx, figuresOf(all));
  await keepSamples(tx, samplesOf(all));
}

/** The rule and the receiver of an event that is shown. */
export const classOfEvent = (event: Omit<Reply, 'enhancedCode' | 'reply'> & Pick<{ about: unknown }, 'about'>) => {
  const status = (event.about as { 'delivery-status'?: Record<string, string> } | null)?.['delivery-status'] ?? {};
  return classOf({ ...event, enhancedCode: status['enhanced-code'] ?? null, reply: status['message'] ?? null });
};
