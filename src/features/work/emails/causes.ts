// One cause, one finding: what tests of a version found, by rule and by what it is about, with the readers that it
// meets. Pure functions.
import { createHash } from 'node:crypto';
import { defaultAudience, weightedClients } from '../../../engines/code-analysis/index.ts';
import type { Finding, Place } from '../../../engines/findings/index.ts';

/** A share of the default audience, by client of the audience. */
type Readers = ReadonlyMap<string, number>;

/** A finding, and the test that found it. */
export interface Seen {
  kind: string;
  testId: string;
  finding: Finding;
  /** Who meets it, where pictures of clients say so. */
  readers?: Readers;
  /** Id of the client in whose picture it was seen. */
  clientId?: string;
}

export interface Cause {
  id: string;
  kind: string;
  testId: string;
  rule: string;
  severity: 'error' | 'warning';
  message: string;
  /** What else the same rule says, at most ten. */
  further: string[];
  fix: string | null;
  source: string | null;
  clients: string[];
  /** The first of the clients in whose pictures it was seen. */
  clientId: string | null;
  places: Place[];
  count: number;
  /** Of readers who meet it, 0 to 1. */
  share: number;
  /** How much a reader loses who meets it, 0 to 1. */
  gravity: number;
  /** Readers of 100 who gain a whole email by its repair: share × gravity × 100. */
  gain: number;
}

const PLACES_MAX = 50;
const FURTHER_MAX = 10;
const CLIENTS_MAX = 100;

/** What of an email is lost to a reader who meets a fault; our own judgment, by kind and severity. */
const GRAVITY: Record<string, Record<Cause['severity'], number>> = {
  spam: { error: 0.5, warning: 0.05 },
  links: { error: 0.4, warning: 0.05 },
  images: { error: 0.2, warning: 0.03 },
  previews: { error: 0.2, warning: 0.05 },
  code: { error: 0.2, warning: 0.03 },
  accessibility: { error: 0.08, warning: 0.02 },
};
const OTHER_GRAVITY = { error: 0.1, warning: 0.02 };

const AUDIENCE = weightedClients(defaultAudience);

/** Readers of the default audience in a family of clients on a platform. */
export function readersOf(family: string, platform?: string): Readers {
  const met = AUDIENCE.filter((one) => one.family === family && (platform === undefined || one.platform === platform));
  return new Map(met.map(({ key, share }) => [key, share]));
}

/** The address that a rule is about; its message names numbers that change. */
function thingOf({ details = {} }: Finding): string {
  const thing = details['url'] ?? details['href'] ?? details['src'] ?? details['provider'];
  return typeof thing === 'string' ? thing : '';
}

const causeId = (finding: Finding): string =>
  createHash('sha256').update(finding.rule).update('\0').update(thingOf(finding)).digest('hex').slice(0, 20);

/** Where no test says who meets a fault, every reader may. */
function shareOf(same: readonly Seen[]): number {
  const met = new Map(same.flatMap(({ readers }) => [...(readers ?? [])]));
  if (same.some(({ readers }) => readers !== undefined)) return [...met.values()].reduce((sum, one) => sum + one, 0);
  const told = same.map(({ finding }) => finding.details?.['share']).filter((share) => typeof share === 'number');
  if (told.length > 0) return Math.max(...told);
  const isOfGmail = same[0]!.finding.rule.startsWith('hygiene/gmail');
  return isOfGmail ? [...readersOf('gmail').values()].reduce((sum, one) => sum + one, 0) : 1;
}

function causeOf(id: string, same: readonly Seen[]): Cause {
  const worst = same.find(({ finding }) => finding.severity === 'error') ?? same[0]!;
  const { finding, kind, testId } = worst;
  const severity = finding.severity as Cause['severity'];
  const messages = [...new Set(same.map((one) => one.finding.message))].filter((text) => text !== finding.message);
  const places = same.flatMap((one) => one.finding.places ?? one.finding.where ?? []);
  const share = Math.min(1, shareOf(same));
  const gravity = (GRAVITY[kind] ?? OTHER_GRAVITY)[severity];
  return {
    id,
    kind,
    testId,
    rule: finding.rule,
    severity,
    message: finding.message,
    further: messages.slice(0, FURTHER_MAX),
    fix: finding.fix ?? null,
    source: finding.source ?? null,
    clients: [...new Set(same.flatMap((one) => one.finding.clients ?? []))].slice(0, CLIENTS_MAX),
    clientId: worst.clientId ?? null,
    places: places.slice(0, PLACES_MAX),
    count: same.reduce((sum, one) => sum + (one.finding.count ?? 1), 0),
    share,
    gravity,
    gain: Math.round(share * gravity * 10_000) / 100,
  };
}

/** Errors and warnings by cause, those whose repair gains the most readers first. */
export function causesOf(seen: readonly Seen[]): Cause[] {
  const faults = seen.filter(({ finding }) => finding.severity === 'error' || finding.severity === 'warning');
  const same = Map.groupBy(faults, ({ finding }) => causeId(finding));
  return [...same]
    .map(([id, ofCause]) => causeOf(id, ofCause))
    .sort((a, b) => b.gain - a.gain || a.rule.localeCompare(b.rule) || a.id.localeCompare(b.id));
}
