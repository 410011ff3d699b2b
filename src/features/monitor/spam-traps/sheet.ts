// The hits in the rows of a report, whoever wrote it.
import { invalid } from '../../../platform/errors/index.ts';
import { countIn, orderOf, plainCellTime, whyNoDay, type DayOrder } from '../../../platform/spreadsheets/cells.ts';
import { findHeader, readRows, whyNoRows, type SheetProblem } from '../../../platform/spreadsheets/rows.ts';
import { parseTime } from '../../../platform/times/index.ts';
import { domainOf, fingerprintOf, plain, TYPES } from './hits.ts';
import type { TrapType } from './store.ts';

const ROWS_MAX = 50_000;
const HITS_MAX = 1_000_000;
const COLUMNS = ['date', 'type', 'hits', 'domain', 'subject', 'ip', 'from', 'sender'] as const;
type ColumnName = (typeof COLUMNS)[number];

/** Names that other programs give a column. */
const SYNONYMS: Readonly<Record<string, ColumnName>> = {
  day: 'date',
  datum: 'date',
  time: 'date',
  timestamp: 'date',
  'trap type': 'type',
  trap_type: 'type',
  typ: 'type',
  category: 'type',
  count: 'hits',
  total: 'hits',
  anzahl: 'hits',
  treffer: 'hits',
  'ip address': 'ip',
  ip_address: 'ip',
  'sending ip': 'ip',
  'from domain': 'domain',
  domain_name: 'domain',
  'from address': 'from',
  'mail from': 'sender',
  'return path': 'sender',
  'return-path': 'sender',
  betreff: 'subject',
};

interface SheetHit {
  at: string;
  type: TrapType;
  hits: number;
  domain: string;
  subject: string;
  ip: string;
  headerFrom: string;
  sender: string;
  fingerprint: string;
}

export interface SheetHits {
  hits: SheetHit[];
  /** Rows that are left out; the first of them are among the problems. */
  skipped: number;
  problems: SheetProblem[];
}

function columnOf(cell: string): ColumnName | undefined {
  const name = cell.replace('\uFEFF', '').trim().toLowerCase();
  const known = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : undefined;
  return known ?? COLUMNS.find((column) => column === name);
}

interface HitContext {
  now: Date;
  order: DayOrder;
}

function hitOf(cell: (name: ColumnName) => string, { now, order }: HitContext): Omit<SheetHit, 'fingerprint'> {
  const at = parseTime(plainCellTime(cell('date'), order));
  if (!at) throw invalid('date', whyNoDay(cell('date'), order));
  if (at > now) throw invalid('date', `${cell('date').slice(0, 100)} has not come yet.`);
  const type = TYPES.find((one) => one === cell('type').toLowerCase());
  if (!type) throw invalid('type', `must be one of ${TYPES.join(', ')}; "${cell('type').slice(0, 100)}" is none.`);
  const hits = cell('hits') === '' ? 1 : countIn(cell('hits'));
  if (hits === undefined || hits < 1 || hits > HITS_MAX)
    throw invalid('hits', `must be a whole number from 1 to ${HITS_MAX}; "${cell('hits').slice(0, 60)}" is none.`);
  const from = cell('from').toLowerCase();
  const domain = (cell('domain') || (from.includes('@') ? domainOf(from) : '')).toLowerCase();
  return {
    at: at.toISOString(),
    type,
    hits,
    domain,
    headerFrom: from,
    subject: cell('subject'),
    ip: cell('ip').toLowerCase(),
    sender: cell('sender').toLowerCase(),
  };
}

function readHeader(row: readonly string[]): Map<ColumnName, number> {
  const places = new Map<ColumnName, number>();
  for (const [place, cell] of row.entries()) {
    const name = columnOf(cell);
    if (name === undefined) continue;
    if (places.has(name)) throw invalid('file', `names the column ${name} twice in its first row.`);
    places.set(name, place);
  }
  if (places.has('date') && places.has('type')) return places;
  const said = row.join(', ').slice(0, 200);
  throw invalid(
    'file',
    `must name the columns date and type in its first row (${COLUMNS.join(', ')}); it reads "${said}".`,
  );
}

/**
 * Rows of the same day, type and sender are one hit with their sum, so that a report told again is the same, whatever
 * its file is called then. Rows that say nothing of a mail are told apart by their files.
 */
function merged(found: readonly Omit<SheetHit, 'fingerprint'>[], name: string): SheetHit[] {
  const hits = new Map<string, SheetHit>();
  for (const hit of found) {
    const { at, type, domain, subject, ip, headerFrom, sender } = hit;
    const said = [domain, subject, ip, headerFrom, sender];
    const fingerprint = fingerprintOf('import', said.some((text) => text !== '') ? '' : name, at, type, ...said);
    const before = hits.get(fingerprint)?.hits ?? 0;
    hits.set(fingerprint, { ...hit, hits: Math.min(HITS_MAX, before + hit.hits), fingerprint });
  }
  return [...hits.values()];
}

/**
 * Reads rows, the first of which names the columns. A row that is no hit is left out and named; empty ones do not
 * count. Throws `invalid_request` for a header that says nothing, for too many rows, and when no row is a hit,
 * unless `mayBeEmpty` and there is none.
 */
export function readReport(
  rows: readonly (readonly string[])[],
  { name, now, mayBeEmpty = false }: { name: string; now: Date; mayBeEmpty?: boolean },
): SheetHits {
  const top = findHeader(rows);
  const columns = readHeader(rows[top] ?? []);
  if (rows.length - top - 1 > ROWS_MAX) throw invalid('file', `has more than ${ROWS_MAX} rows; give it in parts.`);
  const order = orderOf(rows.slice(top + 1).map((row) => row[columns.get('date') ?? -1] ?? ''));
  const {
    rows: found,
    skipped,
    problems,
  } = readRows(rows, (row) =>
    row.every((cell) => cell.trim() === '')
      ? undefined
      : hitOf((column) => plain(row[columns.get(column) ?? -1] ?? ''), { now, order }),
  );
  if (found.length === 0 && !(mayBeEmpty && skipped === 0)) throw invalid('file', whyNoRows(problems));
  return { hits: merged(found, name), skipped, problems };
}
