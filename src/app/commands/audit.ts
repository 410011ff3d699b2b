// `galley audit`: who changed what, and from where; and the same as a file.
import type { Client, Reply } from '@galley/sdk';
import { connect, KEY_USAGE, orRefused, plain, SERVICE_OPTIONS, SERVICE_USAGE } from './service/connect.ts';
import { readArguments, suggestionFor, UsageError } from './usage.ts';

const VERBS = ['list', 'export'];
const FORMATS = ['csv', 'jsonl'] as const;
const SEPARATORS = ['comma', 'semicolon', 'tab'] as const;
const USAGE = `galley audit [list | export] [options]

\`list\`, or no word: the newest entries, newest first. \`export\`: all that match, oldest first, at most 100,000, on
standard output.

  --who TEXT         whose key, user or requestor contains this
  --operation TEXT   whose operation contains this, such as deleteDomain
  --path TEXT        whose method and path contain this
  --text TEXT        anything of which contains this
  --since WHEN       from then on, a date such as 2026-05-01T08:00Z
  --until WHEN       until then
  --subaccounts      the subaccounts' entries, too
  --limit N          with list: at most so many, 1 to 1000; default: 50
  --format NAME      with export: csv (default) or jsonl
  --separator NAME   with export, of csv: comma (default), semicolon or tab
${SERVICE_USAGE}

It needs a key with the role admin. ${KEY_USAGE}
Exit codes: 0 done, 1 failed, 2 wrong usage.`;

type Entry = Reply<'GET /v1/audit'>['items'][number];

function oneOf<Value extends string>(name: string, values: readonly Value[], given: string | undefined): Value {
  const found = values.find((value) => value === (given ?? values[0]));
  if (found === undefined) throw new UsageError(`--${name} must be one of ${values.join(', ')}; it is "${given}".`);
  return found;
}

function readGiven(args: string[]) {
  const { values, positionals } = readArguments('audit', args, {
    ...SERVICE_OPTIONS,
    who: { type: 'string' },
    operation: { type: 'string' },
    path: { type: 'string' },
    text: { type: 'string' },
    since: { type: 'string' },
    until: { type: 'string' },
    subaccounts: { type: 'boolean', default: false },
    limit: { type: 'string' },
    format: { type: 'string' },
    separator: { type: 'string' },
  });
  const [verb = 'list', ...more] = positionals;
  if (!VERBS.includes(verb))
    throw new UsageError(`Unknown command "audit ${verb}".${suggestionFor(verb, VERBS)}\n\n${USAGE}`);
  if (more.length > 0)
    throw new UsageError(`galley audit ${verb} takes no arguments; it was given "${more.join(' ')}".`);
  const strange = (['limit', 'format', 'separator'] as const).find(
    (name) => values[name] !== undefined && (name === 'limit') === (verb === 'export'),
  );
  if (strange !== undefined) throw new UsageError(`--${strange} does not go with \`galley audit ${verb}\`.`);
  const limit = Number(values.limit ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw new UsageError(`--limit must be a whole number from 1 to 1000; it is "${values.limit}".`);
  return {
    ...values,
    verb,
    limit,
    format: oneOf('format', FORMATS, values.format),
    separator: oneOf('separator', SEPARATORS, values.separator),
  };
}

type Given = ReturnType<typeof readGiven>;

const queryOf = ({ who, operation, path, text, since, until, subaccounts }: Given) => ({
  who,
  operation,
  path,
  text,
  start: since,
  end: until,
  include_subaccounts: subaccounts,
});

const line = (text: string): void => void process.stdout.write(`${text}\n`);

/** When, who, from where, what, and what it was about. */
function lineOf({ at, actor, address, operation, resource, result }: Entry): string {
  const about = Object.entries(resource).map(([name, value]) => `${name}=${value}`);
  return [
    at.slice(0, 19).replace('T', ' '),
    plain(actor.name || actor.id || 'unknown', 60),
    plain(address, 60),
    plain(operation, 60),
    ...(result === 'failure' ? ['failed'] : []),
    plain(about.join(' ')),
  ].join('  ');
}

async function list(client: Client, given: Given): Promise<void> {
  const { items, total } = await client.call('GET /v1/audit', { query: { ...queryOf(given), limit: given.limit } });
  if (given.json) return items.forEach((item) => line(JSON.stringify(item)));
  items.forEach((item) => line(lineOf(item)));
  if (items.length === 0) line('No entries match.');
  else if (total > items.length) line(`These are ${items.length} of ${total}; --limit shows more.`);
}

async function exportAll(client: Client, given: Given): Promise<void> {
  const query = { ...queryOf(given), format: given.format, separator: given.separator };
  const text = String(await client.call('GET /v1/audit/export', { query }));
  // Reading the answer as a text takes the mark away by which spreadsheets know UTF-8.
  process.stdout.write(given.format === 'csv' && !text.startsWith('\ufeff') ? `\ufeff${text}` : text);
}

/** Prints entries. Returns the exit code; throws {@link UsageError}. */
export async function audit(args: string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    line(USAGE);
    return 0;
  }
  const given = readGiven(args);
  const client = connect(given);
  return orRefused((given.verb === 'export' ? exportAll : list)(client, given).then(() => 0));
}
