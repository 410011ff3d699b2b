// `galley message`: what happened to a message, for each recipient, with what was said to servers.
import type { Reply } from '@galley/sdk';
import { connect, KEY_USAGE, orRefused, plain, SERVICE_OPTIONS, SERVICE_USAGE } from './service/connect.ts';
import { readArguments, UsageError } from './usage.ts';

const USAGE = `galley message ID [options]

What happened to a message, for each recipient, oldest first; for who still waits, why and until when. ID is the id that
sending answered, or the storage key that \`galley queue list\` shows.

  --recipient TEXT   of recipients whose address contains this
  --smtp             with what was said to servers at each attempt
  --limit N          of at most so many recipients, 1 to 50; default: 20
  --skip N           from the recipient after the first N on
${SERVICE_USAGE}

Events are shown two seconds after they happened. --json always holds what was said.
${KEY_USAGE}
Exit codes: 0 done, 1 failed, 2 wrong usage.`;

type Timeline = Reply<'GET /v1/galley/messages/{message}/timeline'>;
type Recipient = Timeline['items'][number];
type Step = Recipient['steps'][number];
type Talk = NonNullable<Step['conversation']>;

const line = (text: string): void => void process.stdout.write(`${text}\n`);
const second = (at: string): string => `${at.slice(0, 19).replace('T', ' ')} UTC`;
const SHOWN = 400;

function numberOf(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < min || number > max)
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}; it is "${text}".`);
  return number;
}

function readGiven(args: string[]) {
  const { values, positionals } = readArguments('message', args, {
    ...SERVICE_OPTIONS,
    recipient: { type: 'string' },
    smtp: { type: 'boolean' },
    limit: { type: 'string' },
    skip: { type: 'string' },
  });
  const [id = '', ...more] = positionals;
  if (values.help) return { ...values, id, limit: 20, skip: 0 };
  if (id === '' || more.length > 0)
    throw new UsageError('Name one message: galley message ID. `galley message --help` says more.');
  return {
    ...values,
    id,
    limit: numberOf('limit', values.limit ?? '20', { min: 1, max: 50 }),
    skip: numberOf('skip', values.skip ?? '0', { min: 0, max: 1_000_000 }),
  };
}

function showExchange({ said, reply, took_ms: took }: Talk['connections'][number]['exchanges'][number]): void {
  if (said !== '') line(`        > ${plain(said, SHOWN)}`);
  for (const part of (reply ?? 'no answer came').split('\n')) line(`        < ${plain(part, SHOWN)}`);
  if (took !== null && took >= 1000) line(`          after ${took} ms`);
}

function showTalk({ took_ms: took, connections, ...left }: Talk): void {
  line(`      The attempt took ${took} ms.`);
  if (left.connections_left_off > 0) line(`      ${left.connections_left_off} connections before these are left off.`);
  if (left.exchanges_left_off > 0) line(`      ${left.exchanges_left_off} exchanges before these are left off.`);
  for (const { host, address, tls, ...connection } of connections) {
    const way = tls ? `${tls.protocol} ${tls.cipher}` : 'not encrypted';
    const verdict = tls ? `, certificate ${tls.certificate_verified ? 'verified' : 'not verified'}` : '';
    const from = connection.local_address === null ? '' : ` from ${connection.local_address}`;
    line(`      ${plain(host)}${address === null ? '' : ` [${address}]`}${from}: ${way}${verdict}`);
    if (connection.is_reused) line('        (the connection was opened earlier, for another message:)');
    connection.opening.forEach(showExchange);
    if (connection.is_reused) line('        (for this message:)');
    connection.exchanges.forEach(showExchange);
    line(`        ${plain(connection.result, SHOWN)}`);
  }
}

function showStep(step: Step, hasSmtp: boolean): void {
  const attempt = step.attempt === undefined ? '' : ` (attempt ${step.attempt})`;
  const reply = step.reply === undefined || step.event === 'accepted' ? '' : ` “${plain(step.reply, SHOWN)}”`;
  line(`    ${second(step.at)}  ${plain(step.text)}${attempt}${step.event === 'failed' ? reply : ''}`);
  for (const { host, state, attempts } of step.webhooks)
    line(`      webhook to ${plain(host)}: ${state}, ${attempts} tried`);
  if (hasSmtp && step.conversation) showTalk(step.conversation);
  if (hasSmtp && step.no_conversation !== undefined) line(`      ${step.no_conversation}`);
}

function showRecipient({ recipient, state, waiting, steps, ...item }: Recipient, hasSmtp: boolean): void {
  const manner = item.delivery === 'live' ? '' : ` (${item.delivery})`;
  line(`  ${plain(recipient)}  ${waiting?.state ?? state}${manner}`);
  steps.forEach((step) => showStep(step, hasSmtp));
  if (item.steps_left_off > 0) line(`    ${item.steps_left_off} steps between these are left off.`);
  if (!waiting) return;
  const until = waiting.until === null ? '' : ` Until ${second(waiting.until)}.`;
  line(`    ${plain(waiting.reason, SHOWN)}${until} Given up ${second(waiting.give_up_at)}.`);
}

function showArchive({ url, state, attempts, next_attempt_at: next }: NonNullable<Timeline['archive']>): void {
  const last = attempts.at(-1)?.message;
  const tried = last === undefined ? '' : `, ${attempts.length} tried: ${plain(last, SHOWN)}`;
  const again = next === undefined ? '' : ` Next attempt ${second(next)}.`;
  line(`  archive at ${plain(new URL(url).host)}: ${state}${tried}${again}`);
}

function show({ message, gate, archive, meta, items }: Timeline, hasSmtp: boolean): void {
  line(`“${plain(message.subject, 80)}” from ${plain(message.from, 80)}, accepted ${second(message.accepted_at)}`);
  if (gate) line(`  ${plain(gate.reason, SHOWN)}`);
  if (archive) showArchive(archive);
  items.forEach((item) => showRecipient(item, hasSmtp));
  if (items.length === 0) line('No recipient fits.');
  else if (meta.count > items.length)
    line(`These are ${items.length} of ${meta.count} recipients; --skip shows others.`);
  if (meta.is_bound) line('More happened to these recipients than is shown; --limit 1 shows more of each.');
}

/** Prints the timeline. Returns the exit code; throws {@link UsageError}. */
export async function message(args: string[]): Promise<number> {
  const given = readGiven(args);
  if (given.help) return (line(USAGE), 0);
  const { id, recipient, limit, skip, json, smtp } = given;
  const work = async (): Promise<number> => {
    const query = { recipient, limit, skip };
    const found = await connect(given).call('GET /v1/galley/messages/{message}/timeline', {
      path: { message: id },
      query,
    });
    if (json) line(JSON.stringify(found));
    else show(found, smtp === true);
    return 0;
  };
  return orRefused(work());
}
