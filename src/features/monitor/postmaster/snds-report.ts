// Reports of Microsoft's SNDS: CSV with a header or without one (the automated access of sendersupport.olc.protection
// .outlook.com/snds, whose links end after 30 days), and what its REST interface of June 2026 answers. Microsoft
// publishes no names for the latter's fields, so that columns and fields are known by every name seen so far.
import { AppError, invalid } from '../../../platform/errors/index.ts';
import { countIn, dayIn, nameOf, orderOf, whyNoDay, type DayOrder } from '../../../platform/spreadsheets/cells.ts';
import { findHeader, readRowsFrom, type SheetProblem } from '../../../platform/spreadsheets/rows.ts';
import { canonicalIp } from './addresses.ts';
import type { SndsRange, SndsRecord } from './records-store.ts';

/** Of JSON, `row` is the place in its list. */
export type Problem = SheetProblem;

export interface SndsReport {
  records: SndsRecord[];
  ranges: SndsRange[];
  skipped: number;
  problems: Problem[];
}

type Field =
  | 'ip'
  | 'last'
  | 'start'
  | 'recipients'
  | 'result'
  | 'complaints'
  | 'trapStart'
  | 'trapEnd'
  | 'traps'
  | 'blocked'
  | 'reason';
type Cells = Partial<Record<Field, string>>;

const ALIASES: Readonly<Record<Field, readonly string[]>> = {
  ip: [
    'ip',
    'ip address',
    'address',
    'beginning ip address',
    'first ip',
    'start ip',
    'starting ip address',
    'ip start',
  ],
  last: ['ending ip address', 'last ip', 'end ip', 'ending ip', 'ip end'],
  start: ['activity start', 'activity period', 'activity period start', 'date', 'day', 'report date', 'activity date'],
  recipients: ['message recipients', 'recipients'],
  result: ['filter result', 'overall status', 'status', 'ip status', 'result'],
  complaints: ['complaint rate', 'complaints', 'complaint percent'],
  trapStart: ['trap message period', 'trap period start', 'trap message period start', 'trap start'],
  trapEnd: ['trap period end', 'trap message period end', 'trap end'],
  traps: ['trap hits', 'spam trap hits', 'trap count'],
  blocked: ['blocked', 'is blocked'],
  reason: ['reason', 'details', 'description', 'block reason', 'comments'],
};

/** The columns of files without a header. */
const DATA_COLUMNS: readonly (Field | undefined)[] = [
  ...(['ip', 'start', undefined, undefined, undefined, 'recipients', 'result', 'complaints'] as const),
  ...(['trapStart', 'trapEnd', 'traps'] as const),
];
const STATUS_COLUMNS: readonly Field[] = ['ip', 'last', 'blocked', 'reason'];
const DATA_WIDTH_MIN = 8;
const TEXT_MAX = 500;

function fieldOf(name: string): Field | undefined {
  const plain = nameOf(name);
  return (Object.keys(ALIASES) as Field[]).find((field) => ALIASES[field].includes(plain));
}

/** The columns by their place, and the row behind the header, if there is one. */
function columnsOf(rows: readonly (readonly string[])[], top: number) {
  const first = rows[top] ?? [];
  if (canonicalIp(first[0] ?? '') !== undefined)
    return { columns: first.length >= DATA_WIDTH_MIN ? DATA_COLUMNS : STATUS_COLUMNS, from: top };
  return { columns: first.map(fieldOf), from: top + 1 };
}

function yesOrNo(text: string): boolean | undefined {
  if (/^(yes|true|1|blocked)$/i.test(text)) return true;
  return /^(no|false|0|not blocked)$/i.test(text) ? false : undefined;
}

/** What providers write where there is no number. */
const NO_NUMBER = /^(?:[-–—]|n\/?a|none)?$/i;

/** Throws `invalid_request` for what is neither a number nor a sign of none. */
function countOf(cells: Cells, field: 'recipients' | 'traps'): number | null {
  const text = cells[field] ?? '';
  const count = countIn(text);
  if (count === undefined && !NO_NUMBER.test(text))
    throw invalid(ALIASES[field][0] as string, `"${text.slice(0, 60)}" is no whole number, such as 1234.`);
  return count ?? null;
}

/** `< 0,1%` is written for `< 0.1%` by spreadsheets of much of Europe. */
const complaintsOf = (text: string): string => {
  const plain = text.slice(0, TEXT_MAX);
  return /^[<>]?\s*\d{1,3},\d{1,9}\s*%?$/.test(plain) ? plain.replace(',', '.') : plain;
};

const noAddress = (text: string): AppError =>
  invalid('ip address', `"${text.slice(0, 60)}" is no IP address, such as 192.0.2.1.`);

class Reading {
  readonly #records = new Map<string, SndsRecord>();
  readonly #ranges = new Map<string, SndsRange>();
  readonly #order: DayOrder;
  readonly #day: string | undefined;

  /** Microsoft's own reports, of which a day was asked for, have the month first. */
  constructor(dates: readonly string[], day: string | undefined) {
    const order = orderOf(dates);
    this.#order = order === 'unknown' && day !== undefined ? 'month first' : order;
    this.#day = day;
  }

  /** Throws `invalid_request`. */
  add(cells: Cells): void {
    const address = canonicalIp(cells.ip ?? '');
    if (address === undefined) throw noAddress(cells.ip ?? '');
    if (cells.blocked !== undefined) return this.#addRange(cells, address);
    const day = dayIn(cells.start ?? '', this.#order) ?? this.#day;
    if (day === undefined) throw invalid('date', whyNoDay(cells.start ?? '', this.#order));
    const result = (cells.result ?? '').toUpperCase();
    const isResult = result === 'GREEN' || result === 'YELLOW' || result === 'RED';
    if (result !== '' && !isResult)
      throw invalid('filter result', `"${result.slice(0, 60)}" is not GREEN, YELLOW or RED.`);
    const period = [cells.trapStart, cells.trapEnd].filter(Boolean).join(' - ').slice(0, TEXT_MAX);
    this.#records.set(`${address} ${day}`, {
      address,
      day,
      recipients: countOf(cells, 'recipients'),
      result: isResult ? result : null,
      complaints: complaintsOf(cells.complaints ?? '') || null,
      traps: countOf(cells, 'traps'),
      period: period || null,
    });
  }

  #addRange(cells: Cells, first: string): void {
    const last = canonicalIp(cells.last || first);
    const blocked = yesOrNo(cells.blocked ?? '');
    if (last === undefined) throw noAddress(cells.last ?? '');
    if (blocked === undefined)
      throw invalid('blocked', `"${(cells.blocked ?? '').slice(0, 60)}" is neither yes nor no.`);
    this.#ranges.set(`${first} ${last}`, { first, last, blocked, reason: (cells.reason ?? '').slice(0, TEXT_MAX) });
  }

  end(): Pick<SndsReport, 'records' | 'ranges'> {
    return { records: [...this.#records.values()], ranges: [...this.#ranges.values()] };
  }
}

/**
 * Records and ranges of the rows of a file; `day` is that of records which name none. A row that says nothing is left
 * out and named. An empty file is a report of nothing.
 */
export function readSndsRows(rows: readonly (readonly string[])[], day?: string): SndsReport {
  const { columns, from } = columnsOf(rows, Math.max(0, findHeader(rows)));
  const place = columns.indexOf('start');
  const reading = new Reading(
    rows.slice(from).map((row) => row[place] ?? ''),
    day,
  );
  const { skipped, problems } = readRowsFrom(rows, from, (row) => {
    if (row.every((cell) => cell.trim() === '')) return undefined;
    const cells: Cells = {};
    for (const [column, field] of columns.entries()) if (field) cells[field] ??= (row[column] ?? '').trim();
    reading.add(cells);
    return undefined;
  });
  return { ...reading.end(), skipped, problems };
}

const LISTS = ['value', 'items', 'data', 'results', 'records'];

/** The same of JSON: a list of objects, or an object that holds one. Undefined for what is neither. */
export function readSndsJson(value: unknown, day?: string): SndsReport | undefined {
  const inside = (value ?? {}) as Record<string, unknown>;
  const list = Array.isArray(value) ? value : LISTS.map((name) => inside[name]).find(Array.isArray);
  if (!list) return undefined;
  const all = list.map((one) => {
    const cells: Cells = {};
    for (const [name, given] of Object.entries((one ?? {}) as Record<string, unknown>)) {
      const field = fieldOf(name);
      const isPlain = typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean';
      if (field && isPlain) cells[field] ??= String(given).trim();
    }
    return cells;
  });
  const reading = new Reading(
    all.map(({ start = '' }) => start),
    day,
  );
  const { skipped, problems } = readRowsFrom(all, 0, (cells) => {
    reading.add(cells);
    return undefined;
  });
  return { ...reading.end(), skipped, problems };
}
