// `galley logs --follow`: what happened to messages.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, Reply } from '@galley/sdk';
import { untilSignal } from './interrupt.ts';
import {
  connect,
  jsonOf,
  KEY_USAGE,
  orRefused,
  persistently,
  plain,
  SERVICE_OPTIONS,
  SERVICE_USAGE,
} from './service/connect.ts';
import { readArguments, UsageError } from './usage.ts';

/** Events that the query of logs knows by these names and that can be there. */
const EVENTS = [
  'accepted',
  'delivered',
  'failed',
  'opened',
  'clicked',
  'unsubscribed',
  'complained',
  'rejected',
  'stored',
];
const PAGE = 100;
const FOLLOW_MS = 1000;
const USAGE = `galley logs [options]

  --follow           go on: print what happens from now on, until Ctrl-C
  --since WHEN       from then on: 2h, 3d, or a date; default: one day ago, with --follow: now
  --limit N          without --follow: the newest N, 1 to 10000; default: 100
  --event NAME       only these: ${EVENTS.join(', ').replace(', unsub', ',\n                     unsub')}; may be repeated
  --recipient TEXT   whose address contains this
  --domain NAME      of this sending domain
  --subject TEXT     whose subject contains this
  --tag TAG          with this tag
  --message ID       of this message
  --severity NAME    of failures: temporary or permanent
${SERVICE_USAGE}

Oldest first. Events are shown two seconds after they happened. When the connection is lost, it goes on where it was.
${KEY_USAGE}
Exit codes: 0 done, 1 failed, 2 wrong usage, 130 after Ctrl-C.`;

type Logs = Reply<'POST /v1/analytics/logs'>;

/** What kinds of events have beside what all have. */
interface OfKinds {
  message?: { headers?: { subject?: string } };
  severity?: string;
  'delivery-status'?: { code?: number; message?: string };
  reject?: { reason?: string };
}
type Event = Logs['items'][number] & OfKinds;

const UNITS: Record<string, number> = { m: 60, h: 3600, d: 86_400 };

/** When events begin, as RFC 2822 has it. Throws {@link UsageError}. */
function startOf(since: string | undefined, otherwise: Date): string {
  if (since === undefined) return otherwise.toUTCString();
  const [, number = '', unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(since) ?? [];
  const at = unit ? new Date(Date.now() - Number(number) * UNITS[unit]! * 1000) : new Date(since);
  if (Number.isNaN(at.getTime()))
    throw new UsageError(`--since must be 30m, 2h, 3d or a date such as 2026-05-01T08:00Z; it is "${since}".`);
  return at.toUTCString();
}

function readOptions(args: string[]) {
  const { values, positionals } = readArguments('logs', args, {
    ...SERVICE_OPTIONS,
    follow: { type: 'boolean', short: 'f', default: false },
    since: { type: 'string' },
    limit: { type: 'string' },
    event: { type: 'string', multiple: true },
    recipient: { type: 'string' },
    domain: { type: 'string' },
    subject: { type: 'string' },
    tag: { type: 'string' },
    message: { type: 'string' },
    severity: { type: 'string' },
  });
  if (values.help) return { ...values, count: 0 };
  if (positionals.length > 0)
    throw new UsageError(`galley logs takes no arguments; it was given "${positionals.join(' ')}".`);
  const strange = values.event?.find((name) => !EVENTS.includes(name));
  if (strange !== undefined) throw new UsageError(`--event must be one of ${EVENTS.join(', ')}; it is "${strange}".`);
  if (values.severity !== undefined && values.severity !== 'temporary' && values.severity !== 'permanent')
    throw new UsageError(`--severity must be temporary or permanent; it is "${values.severity}".`);
  if (values.follow && values.limit !== undefined) throw new UsageError('--limit does not go with --follow.');
  const count = Number(values.limit ?? 100);
  if (!Number.isInteger(count) || count < 1 || count > 10_000)
    throw new UsageError(`--limit must be a whole number from 1 to 10000; it is "${values.limit}".`);
  return { ...values, count };
}

type Options = ReturnType<typeof readOptions>;

/** What is asked for, but for the page. */
function queryOf({ event, recipient, domain, subject, tag, message, severity, since, follow }: Options) {
  const now = new Date();
  const condition = (attribute: string, value: string | undefined, comparator: '=' | 'contains' = '=') =>
    value === undefined ? [] : [{ attribute, comparator, values: [{ value }] }];
  return {
    start: startOf(since, follow ? now : new Date(now.getTime() - 86_400_000)),
    ...(event && { events: event as never[] }),
    filter: {
      AND: [
        ...condition('recipient', recipient?.toLowerCase(), 'contains'),
        ...condition('domain', domain?.toLowerCase()),
        ...condition('subject', subject, 'contains'),
        ...condition('tag', tag),
        ...condition('message_id', message?.replace(/^<(.*)>$/, '$1')),
        ...condition('severity', severity),
      ],
    },
    include_subaccounts: false,
    include_totals: false,
  };
}

/** Replies begin with their code, as a rule. */
function replyOf(code: number, message = ''): string {
  const words = plain(message, 200);
  return words.startsWith(String(code)) ? words : `${code} ${words}`.trim();
}

/** An event as a line: when, what, to whom, as whom, about what, and what the receiver said. */
function lineOf(event: Event): string {
  const { code, message } = event['delivery-status'] ?? {};
  const subject = event.message?.headers?.subject;
  const reason = event.reject?.reason;
  const isCaptured = event.event === 'delivered' && event['delivery-mode'] === 'capture';
  const more = event.event === 'failed' ? (event.severity ?? 'permanent') : isCaptured ? 'captured' : '';
  const kind = more === '' ? event.event : `${event.event} (${more})`;
  return [
    event['@timestamp'].replace('T', ' '),
    plain(kind).padEnd(20),
    plain(event.recipient ?? '–'),
    plain(event.domain.name),
    ...(subject ? [`“${plain(subject, 80)}”`] : []),
    ...(code === undefined ? [] : [replyOf(code, message)]),
    ...(reason === undefined ? [] : [plain(reason)]),
  ].join('  ');
}

function print(events: readonly Event[], { json }: Options): void {
  for (const event of events) process.stdout.write(`${json ? jsonOf(event) : lineOf(event)}\n`);
}

/** The newest events, oldest first. */
async function showNewest(client: Client, options: Options, signal: AbortSignal): Promise<void> {
  const query = queryOf(options);
  const found: Event[] = [];
  for (let token: string | undefined; found.length < options.count;) {
    const pagination = { sort: 'timestamp:desc' as const, limit: PAGE, ...(token !== undefined && { token }) };
    const page: Logs = await client.call('POST /v1/analytics/logs', { body: { ...query, pagination } }, { signal });
    found.push(...page.items);
    // The end answers its own place again; a page that ended early answers where it goes on.
    if (page.items.length === 0 && page.pagination.next === token) break;
    token = page.pagination.next;
  }
  print(found.slice(0, options.count).reverse(), options);
}

/** What happens from now on. Ends only by the signal, or when Galley refuses. */
async function follow(client: Client, options: Options, signal: AbortSignal): Promise<void> {
  const query = queryOf(options);
  for (let token: string | undefined; !signal.aborted;) {
    const pagination = { sort: 'timestamp:asc' as const, limit: PAGE, ...(token !== undefined && { token }) };
    const page: Logs = await persistently(
      () => client.call('POST /v1/analytics/logs', { body: { ...query, pagination } }, { signal }),
      { signal },
    );
    print(page.items, options);
    token = page.pagination.next;
    if (page.items.length < PAGE) await pause(FOLLOW_MS, undefined, { signal });
  }
}

/** Prints events. Returns the exit code; throws {@link UsageError}. */
export async function logs(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (options.help) return process.stdout.write(`${USAGE}\n`) ? 0 : 1;
  const client = connect(options);
  // A reader such as `head` that has seen enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  queryOf(options);
  return untilSignal(
    (signal) => orRefused((options.follow ? follow : showNewest)(client, options, signal).then(() => 0)),
    async () => undefined,
  );
}
