// Exports of Google's and Yahoo's dashboards, and of those of other services, read by the names of their columns.
import { AppError, invalid } from '../../../platform/errors/index.ts';
import {
  countIn,
  dayIn,
  nameOf,
  orderOf,
  shareIn,
  whyNoDay,
  type DayOrder,
} from '../../../platform/spreadsheets/cells.ts';
import { findHeader, readRows, type SheetProblem } from '../../../platform/spreadsheets/rows.ts';
import { canonicalIp } from './addresses.ts';
import { emptyRecord } from './google-metrics.ts';
import type { AddressRecord, DomainRecord, LoopRecord } from './records-store.ts';

export interface SheetRecords {
  domains: DomainRecord[];
  loops: LoopRecord[];
  addresses: AddressRecord[];
  skipped: number;
  problems: SheetProblem[];
}

const SHARES = ['spam', 'spf', 'dkim', 'dmarc', 'encryption', 'error'] as const;
type Share = (typeof SHARES)[number];
type Field = Share | 'date' | 'domain' | 'address' | 'delivered' | 'reputation' | 'loop';

/** Names of columns without the words that say nothing. */
const ALIASES: Readonly<Record<Field, readonly string[]>> = {
  date: ['date', 'day'],
  domain: ['domain', 'domain name', 'name', 'sender domain', 'dkim domain', 'signing domain'],
  address: ['ip', 'ip address', 'address'],
  spam: ['spam', 'feedback loop spam', 'complaint', 'complaints', 'spam complaint', 'spam complaints'],
  spf: ['spf'],
  dkim: ['dkim'],
  dmarc: ['dmarc'],
  encryption: ['tls', 'encryption', 'tls encryption', 'encrypted'],
  error: ['error', 'errors', 'delivery error', 'delivery errors'],
  delivered: ['delivered', 'inbox delivered', 'delivered volume', 'volume', 'delivery volume', 'messages'],
  reputation: ['reputation', 'domain reputation', 'ip reputation'],
  loop: ['loop', 'loop id', 'feedback loop', 'feedback loop id', 'identifier'],
};
const NOISE = /\b(?:rate|ratio|percent|percentage|success|user|reported|inbound|traffic|authenticated)\b/g;
const REPUTATIONS: Readonly<Record<string, number>> = { bad: 1, low: 2, medium: 3, high: 4, 1: 1, 2: 2, 3: 3, 4: 4 };
const NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

interface Column {
  field: Field;
  /** As the file names it. */
  name: string;
  place: number;
  isPercent: boolean;
  /** It holds a number above 1 without a sign, so that a smaller one may be a percentage, too. */
  isDoubtful: boolean;
}

const isShare = (field: Field): field is Share => SHARES.some((one) => one === field);
/** A bare number that is no share from 0 to 1. */
const BARE_PERCENTAGE = /^\d{1,3}(?:[.,]\d{1,20})?$/;
const isBarePercentage = (text: string): boolean => BARE_PERCENTAGE.test(text) && Number(text.replace(',', '.')) > 1;

function columnsOf(header: readonly string[], below: readonly (readonly string[])[]): Column[] {
  const found: Column[] = [];
  for (const [place, text] of header.entries()) {
    const name = nameOf(text);
    const plain = name.replace(NOISE, ' ').replace(/ +/g, ' ').trim();
    const field = (Object.keys(ALIASES) as Field[]).find((one) =>
      ALIASES[one].some((alias) => alias === name || alias === plain),
    );
    if (field === undefined) continue;
    if (found.some((column) => column.field === field))
      throw invalid('file', `names the column ${field} twice in its first row.`);
    const isPercent = /%|percent/i.test(text);
    const isDoubtful = isShare(field) && !isPercent && below.some((row) => isBarePercentage((row[place] ?? '').trim()));
    found.push({ field, name: text.trim().slice(0, 60), place, isPercent, isDoubtful });
  }
  return found;
}

/** Whether a text is a name of a domain; answers it in lower case. */
export function domainIn(text: string): string | undefined {
  const name = text.trim().toLowerCase().replace(/\.$/, '');
  return NAME.test(name) ? name : undefined;
}

type Cells = Partial<Record<Field, { text: string; column: Column }>>;

/** A fault of a cell, with the name that its column has in the file. Throws `invalid_request`. */
function refuse(cell: Cells[Field], why: string): never {
  const words = cell ? `column "${cell.column.name}": "${cell.text.slice(0, 60)}"` : 'The row';
  throw new AppError('invalid_request', `${words} ${why}`);
}

function domainOf(cells: Cells, domain: string | undefined): string {
  const name = domainIn(cells.domain?.text ?? domain ?? '');
  if (name === undefined) refuse(cells.domain, cells.domain ? 'is no domain, such as example.com.' : 'has no domain.');
  return name;
}

function reputationIn(cells: Cells): number | null {
  const text = cells.reputation?.text.toLowerCase() ?? '';
  if (text === '' || text === 'unknown' || text === '0') return null;
  const reputation = Object.hasOwn(REPUTATIONS, text) ? REPUTATIONS[text] : undefined;
  if (reputation === undefined) refuse(cells.reputation, 'is not high, medium, low or bad.');
  return reputation;
}

function shareOf(cells: Cells, name: Share): number | null {
  const cell = cells[name];
  if (!cell) return null;
  const share = shareIn(cell.text, cell.column.isPercent);
  if (share === undefined) refuse(cell, 'is no share, such as 0.0012 or 0.12 %.');
  const isBare = !cell.text.includes('%');
  if (cell.column.isDoubtful && isBare && share > 0)
    refuse(cell, 'may be a share or a percentage, as the column holds numbers above 1 too; write 0.12 %.');
  return share;
}

function deliveredOf(cells: Cells): number | null {
  if (!cells.delivered) return null;
  const count = countIn(cells.delivered.text);
  if (count === undefined) refuse(cells.delivered, 'is no whole number, such as 1234.');
  return count;
}

class Reading {
  readonly #domains = new Map<string, DomainRecord>();
  readonly #loops = new Map<string, LoopRecord>();
  readonly #addresses = new Map<string, AddressRecord>();
  readonly #order: DayOrder;
  readonly #domain: string | undefined;

  constructor(order: DayOrder, domain: string | undefined) {
    this.#order = order;
    this.#domain = domain;
  }

  /** Throws `invalid_request`. */
  add(cells: Cells): void {
    const domain = domainOf(cells, this.#domain);
    const text = cells.date?.text ?? '';
    const day = dayIn(text, this.#order);
    if (day === undefined) throw invalid('date', whyNoDay(text, this.#order));
    const key = `${domain} ${day}`;
    if (cells.address) return this.#addAddress(cells, { domain, day });
    if (cells.loop) return this.#addLoop(cells, { domain, day });
    const record = emptyRecord(domain, day);
    for (const name of SHARES) record[name] = shareOf(cells, name);
    record.delivered = deliveredOf(cells);
    record.reputation = reputationIn(cells);
    const said = [...SHARES.map((name) => record[name]), record.delivered, record.reputation];
    if (said.every((one) => one === null)) refuse(undefined, 'has no figure.');
    this.#domains.set(key, record);
  }

  #addAddress(cells: Cells, { domain, day }: { domain: string; day: string }): void {
    const address = canonicalIp(cells.address?.text ?? '');
    if (address === undefined) refuse(cells.address, 'is no IP address, such as 192.0.2.1.');
    const reputation = reputationIn(cells);
    if (reputation === null) refuse(undefined, 'has no reputation.');
    this.#addresses.set(`${domain} ${address} ${day}`, { domain, address, day, reputation });
  }

  #addLoop(cells: Cells, { domain, day }: { domain: string; day: string }): void {
    const id = cells.loop?.text.slice(0, 200) ?? '';
    const ratio = shareOf(cells, 'spam');
    if (ratio === null) refuse(undefined, 'has no share of spam reports.');
    this.#loops.set(`${domain} ${id} ${day}`, { domain, day, id, ratio });
  }

  end(): Pick<SheetRecords, 'domains' | 'loops' | 'addresses'> {
    return {
      domains: [...this.#domains.values()],
      loops: [...this.#loops.values()],
      addresses: [...this.#addresses.values()],
    };
  }
}

/**
 * Reads rows, the first of which names the columns; `domain` is that of a file without a column for it. A row that says
 * nothing is left out and named. Throws `invalid_request` for a header that says nothing.
 */
export function readSheet(rows: readonly (readonly string[])[], domain: string | undefined): SheetRecords {
  const top = findHeader(rows);
  const header = rows[top] ?? [];
  const below = rows.slice(top + 1);
  const columns = columnsOf(header, below);
  const has = (field: Field): boolean => columns.some((column) => column.field === field);
  if (!has('date'))
    throw invalid(
      'file',
      `must name a column date in its first row, which reads "${header.join(', ').slice(0, 200)}".`,
    );
  if (!has('domain') && domain === undefined)
    throw invalid('domain', 'is required: the file has no column domain that says whose figures these are.');
  if (columns.every(({ field }) => field === 'date' || field === 'domain'))
    throw invalid('file', `names no figure in its first row (columns: ${Object.keys(ALIASES).join(', ')}).`);
  const datePlace = columns.find(({ field }) => field === 'date')?.place ?? 0;
  const reading = new Reading(orderOf(below.map((row) => row[datePlace] ?? '')), domain);
  const { skipped, problems } = readRows(rows, (row) => {
    const cells: Cells = {};
    for (const column of columns) {
      const text = row[column.place]?.trim() ?? '';
      if (text !== '') cells[column.field] = { text, column };
    }
    if (Object.keys(cells).length > 0) reading.add(cells);
    return undefined;
  });
  return { ...reading.end(), skipped, problems };
}
