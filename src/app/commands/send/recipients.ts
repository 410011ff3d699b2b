// The recipients of a call: those of the command line, or those of a spreadsheet with what is said of each.
import { readFile } from 'node:fs/promises';
import { AppError, messageOf } from '../../../platform/errors/index.ts';
import { readSpreadsheet } from '../../../platform/spreadsheets/index.ts';
import { UsageError } from '../usage.ts';

/** What one call takes: at most {@link RECIPIENTS_MAX} recipients. */
export interface Batch {
  to: string[];
  /** By address; undefined: everybody gets the same. */
  variables: Record<string, Record<string, string>> | undefined;
}

const RECIPIENTS_MAX = 1000;
const ADDRESS_COLUMNS = ['email', 'e-mail', 'address', 'recipient', 'to'];

function cut<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / RECIPIENTS_MAX) }, (_, place) =>
    items.slice(place * RECIPIENTS_MAX, (place + 1) * RECIPIENTS_MAX),
  );
}

async function rowsOf(path: string): Promise<string[][]> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new UsageError(`--list ${path} cannot be read: ${messageOf(error)}`);
  });
  try {
    return await readSpreadsheet(bytes, { field: `--list ${path}` });
  } catch (error) {
    throw error instanceof AppError && error.code === 'invalid_request' ? new UsageError(error.message) : error;
  }
}

/** The people of a spreadsheet: its first row names the columns. Throws {@link UsageError} naming the row. */
export async function readList(path: string): Promise<Batch[]> {
  const [head = [], ...rows] = await rowsOf(path);
  const names = head.map((name) => name.trim());
  const column = names.findIndex((name) => ADDRESS_COLUMNS.includes(name.toLowerCase()));
  if (column < 0)
    throw new UsageError(
      `--list ${path}: its first row must name the columns, and one of them must be email; ` +
        `it names ${names.filter(Boolean).slice(0, 10).join(', ') || 'nothing'}.`,
    );
  const people = new Map<string, Record<string, string>>();
  rows.forEach((row, place) => {
    if (row.every((cell) => cell.trim() === '')) return;
    const address = (row[column] ?? '').trim();
    if (address === '') throw new UsageError(`--list ${path}: row ${place + 2} has no ${names[column]}.`);
    if (people.has(address.toLowerCase())) throw new UsageError(`--list ${path}: ${address} stands in it twice.`);
    const said = names.flatMap((name, at) => (name === '' || at === column ? [] : [[name, row[at] ?? '']]));
    people.set(address.toLowerCase(), { [names[column]!]: address, ...Object.fromEntries(said) });
  });
  if (people.size === 0) throw new UsageError(`--list ${path} holds no recipients.`);
  return cut([...people.values()]).map((some) => {
    const to = some.map((person) => person[names[column]!]!);
    return { to, variables: Object.fromEntries(some.map((person, place) => [to[place]!, person])) };
  });
}

/** Recipients of the command line. Throws {@link UsageError} for more than a call takes: they would see each other. */
export function readTo(given: readonly string[]): Batch[] {
  if (given.length > RECIPIENTS_MAX)
    throw new UsageError(`--to was given ${given.length} times; a message takes 1,000 recipients. Use --list.`);
  return [{ to: [...given], variables: undefined }];
}
