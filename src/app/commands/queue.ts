// `galley queue`: what waits for delivery, for whom, why and until when.
import type { Client, Reply } from '@galley/sdk';
import { connect, KEY_USAGE, orRefused, plain, SERVICE_OPTIONS, SERVICE_USAGE } from './service/connect.ts';
import { readArguments, suggestionFor, UsageError } from './usage.ts';

const WITH_KEY = ['cancel', 'try', 'release', 'drop'];
const VERBS = ['list', 'held', ...WITH_KEY];
const USAGE = `galley queue [list | held | cancel KEY | try KEY | release KEY | drop KEY] [options]

Without a word: how much waits, by the domain of the recipients. \`list\`: each delivery, those whose turn comes first
first. \`cancel\`: what waits of one message goes. \`try\`: deferred deliveries of one message are tried now. \`held\`:
messages that the gate checks or holds; \`release\` lets one go, \`drop\` does not. KEY is the storage key that \`list\` and
\`held\` show.

  --domain NAME      of this sending domain
  --to DOMAIN        with list: to this domain
  --recipient TEXT   with list: whose address contains this
  --message ID       with list: of this message
  --limit N          with list and held: at most so many, 1 to 1000; default: 50
${SERVICE_USAGE}

${KEY_USAGE}
Exit codes: 0 done, 1 failed, 2 wrong usage.`;

type Delivery = Reply<'GET /v1/galley/queue/deliveries'>['items'][number];

const line = (text: string): void => void process.stdout.write(`${text}\n`);
const minute = (at: string): string => at.slice(0, 16).replace('T', ' ');
const CAPTURED = 'Nothing leaves this machine: messages are captured.';

function readGiven(args: string[]) {
  const { values, positionals } = readArguments('queue', args, {
    ...SERVICE_OPTIONS,
    domain: { type: 'string' },
    to: { type: 'string' },
    recipient: { type: 'string' },
    message: { type: 'string' },
    limit: { type: 'string' },
  });
  const [verb, key, ...more] = positionals;
  if (values.help) return { ...values, verb, key, limit: undefined };
  if (verb !== undefined && !VERBS.includes(verb))
    throw new UsageError(`Unknown command "queue ${verb}".${suggestionFor(verb, VERBS)}\n\n${USAGE}`);
  const takesKey = verb !== undefined && WITH_KEY.includes(verb);
  if (takesKey && key === undefined)
    throw new UsageError(`Name the storage key of the message to ${verb}; \`galley queue list\` shows them.`);
  if (more.length > 0 || (!takesKey && key !== undefined))
    throw new UsageError(`galley queue ${verb ?? ''} takes ${takesKey ? 'one key' : 'no arguments'}.`);
  const strange = (['to', 'recipient', 'message', 'limit'] as const).find(
    (name) => verb !== 'list' && !(verb === 'held' && name === 'limit') && values[name] !== undefined,
  );
  if (strange !== undefined) throw new UsageError(`--${strange} goes with \`galley queue list\` only.`);
  if (takesKey && values.domain !== undefined)
    throw new UsageError(`--domain does not go with \`galley queue ${verb}\`.`);
  const limit = Number(values.limit ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw new UsageError(`--limit must be a whole number from 1 to 1000; it is "${values.limit}".`);
  return { ...values, verb, key, limit };
}

type Given = ReturnType<typeof readGiven>;

async function showSummary(client: Client, { domain, json }: Given): Promise<void> {
  const queue = await client.call('GET /v1/galley/queue', { query: { domain } });
  if (json) return line(JSON.stringify(queue));
  if (queue.delivery === 'capture') line(CAPTURED);
  if (queue.waiting === 0) return line('Nothing waits.');
  line(`${queue.is_bound ? 'At least ' : ''}${queue.waiting} wait, ${queue.in_delivery} are being delivered.`);
  for (const { destination, waiting, due, next_attempt_at: next, reason } of queue.destinations)
    line(`${String(waiting).padStart(7)}  ${destination}  ${due} due, next ${minute(next)} UTC  ${plain(reason)}`);
}

function showDelivery({ recipient, state, attempts, message, ...delivery }: Delivery): void {
  line(`${message.storage_key}  ${plain(recipient)}  ${state}, ${attempts} tried  “${plain(message.subject, 80)}”`);
  line(
    `    ${plain(delivery.reason)} Next attempt ${minute(delivery.next_attempt_at)} UTC, ` +
      `given up ${minute(delivery.give_up_at)} UTC.`,
  );
}

async function showList(client: Client, { domain, to, recipient, message, limit, json }: Given): Promise<void> {
  const query = { domain, destination: to, recipient, message, limit };
  const { items, meta } = await client.call('GET /v1/galley/queue/deliveries', { query });
  if (json) return items.forEach((item) => line(JSON.stringify(item)));
  items.forEach(showDelivery);
  if (items.length === 0) line('Nothing waits that fits.');
  else if (meta.count > items.length)
    line(`These are ${items.length} of ${meta.is_bound ? 'at least ' : ''}${meta.count}; --limit shows more.`);
}

async function showHeld(client: Client, { domain, limit, json }: Given): Promise<void> {
  const query = { domain, state: 'waiting', limit } as const;
  const { items, meta } = await client.call('GET /v1/galley/gate/messages', { query });
  if (json) return items.forEach((item) => line(JSON.stringify(item)));
  for (const { message, state, waiting, reason, held_until: until } of items) {
    line(`${message.storage_key}  ${state}, ${waiting} waiting  “${plain(message.subject, 80)}”`);
    line(`    ${plain(reason)}${until === null ? '' : ` Dropped ${minute(until)} UTC if nobody decides.`}`);
  }
  if (items.length === 0) line('The gate holds nothing.');
  else if (meta.count > items.length) line(`These are ${items.length} of ${meta.count}; --limit shows more.`);
}

const CHANGES = {
  cancel: 'DELETE /v1/galley/queue/messages/{storage_key}',
  try: 'POST /v1/galley/queue/messages/{storage_key}/attempts',
  release: 'POST /v1/galley/gate/messages/{storage_key}/release',
  drop: 'POST /v1/galley/gate/messages/{storage_key}/drop',
} as const;

async function change(client: Client, verb: string, { key = '', json }: Given): Promise<void> {
  const reply = await client.call(CHANGES[verb as keyof typeof CHANGES], { path: { storage_key: key } });
  line(json ? JSON.stringify(reply) : reply.message);
}

/** Prints what waits, or what was done. Returns the exit code; throws {@link UsageError}. */
export async function queue(args: string[]): Promise<number> {
  const given = readGiven(args);
  if (given.help) return (line(USAGE), 0);
  const client = connect(given);
  const { verb } = given;
  const work =
    verb === undefined
      ? showSummary(client, given)
      : verb === 'list'
        ? showList(client, given)
        : verb === 'held'
          ? showHeld(client, given)
          : change(client, verb, given);
  return orRefused(work.then(() => 0));
}
