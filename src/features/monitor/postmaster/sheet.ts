// Exports of Google's and Yahoo's dashboards, and of those of other services, read by the names of their columns.
import { invalid } from '../../../platform/errors/index.ts';
import { canonicalIp } from './addresses.ts';
import { countIn, dayIn, nameOf, orderOf, shareIn, type DayOrder } from './cells.ts';
import { emptyRecord } from './google-metrics.ts';
import type { AddressRecord, DomainRecord, LoopRecord } from './records-store.ts';
import type { Problem } from './snds-report.ts';

export interface SheetRecords {
  domains: DomainRecord[];
  loops: LoopRecord[];
  addresses: AddressRecord[];
  skipped: number;
  problems: Problem[];
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
const PROBLEMS_MAX = 20;
const NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

interface Column {
  field: Field;
  place: number;
  isPercent: boolean;
}

function columnsOf(header: readonly string[]): Column[] {
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
    found.push({ field, place, isPercent: /%|percent/i.test(text) });
  }
  return found;
}

/** Whether a text is a name of a domain; answers it in lower case. */
export function domainIn(text: string): string | undefined {
  const name = text.trim().toLowerCase().replace(/\.$/, '');
  return NAME.test(name) ? name : undefined;
}

type Cells = Partial<Record<Field, { text: string; isPercent: boolean }>>;

class RowFault extends Error {}

function domainOf(cells: Cells, domain: string | undefined): string {
  const text = cells.domain?.text ?? domain ?? '';
  const name = domainIn(text);
  if (name === undefined) throw new RowFault(`"${text.slice(0, 60)}" is no domain.`);
  return name;
}

function reputationIn(cells: Cells): number | null {
  const text = cells.reputation?.text.toLowerCase() ?? '';
  if (text === '' || text === 'unknown' || text === '0') return null;
  const reputation = Object.hasOwn(REPUTATIONS, text) ? REPUTATIONS[text] : undefined;
  if (reputation === undefined)
    throw new RowFault(`The reputation "${text.slice(0, 60)}" is not high, medium, low or bad.`);
  return reputation;
}

function shareOf(cells: Cells, name: Share): number | null {
  const cell = cells[name];
  if (!cell) return null;
  const share = shareIn(cell.text, cell.isPercent);
  if (share === undefined)
    throw new RowFault(`${name}: "${cell.text.slice(0, 60)}" is no share, such as 0.0012 or 0.12 %.`);
  return share;
}

function deliveredOf(cells: Cells): number | null {
  if (!cells.delivered) return null;
  const count = countIn(cells.delivered.text);
  if (count === undefined) throw new RowFault(`"${cells.delivered.text.slice(0, 60)}" is no whole number.`);
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

  /** Throws RowFault. */
  add(cells: Cells): void {
    const domain = domainOf(cells, this.#domain);
    const text = cells.date?.text ?? '';
    const day = dayIn(text, this.#order);
    if (day === undefined) throw new RowFault(`"${text.slice(0, 60)}" is no date.`);
    const key = `${domain} ${day}`;
    if (cells.address) return this.#addAddress(cells, { domain, day });
    if (cells.loop) return this.#addLoop(cells, { domain, day });
    const record = emptyRecord(domain, day);
    for (const name of SHARES) record[name] = shareOf(cells, name);
    record.delivered = deliveredOf(cells);
    record.reputation = reputationIn(cells);
    const said = [...SHARES.map((name) => record[name]), record.delivered, record.reputation];
    if (said.every((one) => one === null)) throw new RowFault('The row has no figure.');
    this.#domains.set(key, record);
  }

  #addAddress(cells: Cells, { domain, day }: { domain: string; day: string }): void {
    const address = canonicalIp(cells.address?.text ?? '');
    if (address === undefined) throw new RowFault(`"${cells.address?.text.slice(0, 60)}" is no IP address.`);
    const reputation = reputationIn(cells);
    if (reputation === null) throw new RowFault('The row has no reputation.');
    this.#addresses.set(`${domain} ${address} ${day}`, { domain, address, day, reputation });
  }

  #addLoop(cells: Cells, { domain, day }: { domain: string; day: string }): void {
    const id = cells.loop?.text.slice(0, 200) ?? '';
    const ratio = shareOf(cells, 'spam');
    if (ratio === null) throw new RowFault('The row has no share of spam reports.');
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
  const top = rows.findIndex((row) => row.some((cell) => cell.trim() !== ''));
  const header = rows[top] ?? [];
  const columns = columnsOf(header);
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
  const reading = new Reading(orderOf(rows.slice(top + 1).map((row) => row[datePlace] ?? '')), domain);
  const problems: Problem[] = [];
  let skipped = 0;
  for (let place = top + 1; place < rows.length; place += 1) {
    const cells: Cells = {};
    for (const { field, place: column, isPercent } of columns) {
      const text = rows[place]?.[column]?.trim() ?? '';
      if (text !== '') cells[field] = { text, isPercent };
    }
    if (Object.keys(cells).length === 0) continue;
    try {
      reading.add(cells);
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      skipped += 1;
      if (problems.length < PROBLEMS_MAX) problems.push({ row: place + 1, message: error.message });
    }
  }
  return { ...reading.end(), skipped, problems };
}
