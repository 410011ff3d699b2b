// Reports of Microsoft's SNDS: CSV with a header or without one (the automated access of sendersupport.olc.protection
// .outlook.com/snds, whose links end after 30 days), and what its REST interface of June 2026 answers. Microsoft
// publishes no names for the latter's fields, so that columns and fields are known by every name seen so far.
import { canonicalIp } from './addresses.ts';
import { countIn, dayIn, nameOf, orderOf, type DayOrder } from './cells.ts';
import type { SndsRange, SndsRecord } from './records-store.ts';

export interface Problem {
  /** As programs for spreadsheets number them; of JSON, the place in its list. */
  row: number;
  message: string;
}

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
const PROBLEMS_MAX = 20;
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

class Reading {
  readonly #records = new Map<string, SndsRecord>();
  readonly #ranges = new Map<string, SndsRange>();
  readonly #problems: Problem[] = [];
  #skipped = 0;
  readonly #order: DayOrder;
  readonly #day: string | undefined;

  constructor(order: DayOrder, day: string | undefined) {
    this.#order = order;
    this.#day = day;
  }

  #skip(row: number, message: string): void {
    this.#skipped += 1;
    if (this.#problems.length < PROBLEMS_MAX) this.#problems.push({ row, message });
  }

  add(cells: Cells, row: number): void {
    const address = canonicalIp(cells.ip ?? '');
    if (address === undefined) return this.#skip(row, `"${(cells.ip ?? '').slice(0, 60)}" is no IP address.`);
    if (cells.blocked !== undefined) return this.#addRange(cells, address, row);
    const day = dayIn(cells.start ?? '', this.#order) ?? this.#day;
    if (day === undefined) return this.#skip(row, `"${(cells.start ?? '').slice(0, 60)}" is no date.`);
    const result = (cells.result ?? '').toUpperCase();
    const isResult = result === 'GREEN' || result === 'YELLOW' || result === 'RED';
    if (result !== '' && !isResult) return this.#skip(row, `The result "${result.slice(0, 60)}" is not known.`);
    const recipients = countIn(cells.recipients ?? '') ?? null;
    const period = [cells.trapStart, cells.trapEnd].filter(Boolean).join(' - ').slice(0, TEXT_MAX);
    this.#records.set(`${address} ${day}`, {
      address,
      day,
      recipients,
      result: isResult ? result : null,
      complaints: cells.complaints?.slice(0, TEXT_MAX) || null,
      traps: countIn(cells.traps ?? '') ?? null,
      period: period || null,
    });
  }

  #addRange(cells: Cells, first: string, row: number): void {
    const last = canonicalIp(cells.last || first);
    const blocked = yesOrNo(cells.blocked ?? '');
    if (last === undefined) return this.#skip(row, `"${(cells.last ?? '').slice(0, 60)}" is no IP address.`);
    if (blocked === undefined) return this.#skip(row, `"${(cells.blocked ?? '').slice(0, 60)}" is neither yes nor no.`);
    this.#ranges.set(`${first} ${last}`, { first, last, blocked, reason: (cells.reason ?? '').slice(0, TEXT_MAX) });
  }

  end(): SndsReport {
    return {
      records: [...this.#records.values()],
      ranges: [...this.#ranges.values()],
      skipped: this.#skipped,
      problems: this.#problems,
    };
  }
}

/**
 * Records and ranges of the rows of a file; `day` is that of records which name none. A row that says nothing is left
 * out and named. An empty file is a report of nothing.
 */
export function readSndsRows(rows: readonly (readonly string[])[], day?: string): SndsReport {
  const top = Math.max(
    0,
    rows.findIndex((row) => row.some((cell) => cell.trim() !== '')),
  );
  const { columns, from } = columnsOf(rows, top);
  const dates = rows.slice(from).map((row) => row[columns.indexOf('start')] ?? '');
  const reading = new Reading(orderOf(dates), day);
  for (let place = from; place < rows.length; place += 1) {
    const row = rows[place] as readonly string[];
    if (row.every((cell) => cell.trim() === '')) continue;
    const cells: Cells = {};
    for (const [column, field] of columns.entries()) if (field) cells[field] ??= (row[column] ?? '').trim();
    reading.add(cells, place + 1);
  }
  return reading.end();
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
  const reading = new Reading(orderOf(all.map(({ start = '' }) => start)), day);
  for (const [place, cells] of all.entries()) reading.add(cells, place + 1);
  return reading.end();
}
