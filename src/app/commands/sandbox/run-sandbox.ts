import type { Client, Reply } from '@galley/sdk';
import { untilSignal } from '../interrupt.ts';
import type { SandboxGiven } from '../sandbox.ts';
import { connect, jsonOf, orRefused, plain, plainLines } from '../service/connect.ts';

type Message = Reply<'GET /v1/sandbox/{inbox}/messages/{message_id}'>;

const line = (text: string): void => void process.stdout.write(`${text}\n`);
const minute = (at: string): string => at.slice(0, 16).replace('T', ' ');
const second = (at: string): string => at.slice(0, 19).replace('T', ' ');
const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;

/** Says so where there is more than was shown. */
function tellRest(shown: number, total: number): void {
  if (total > shown) line(`These are ${shown} of ${total}; --limit shows more.`);
}

async function list(client: Client, { limit, json }: SandboxGiven): Promise<void> {
  const { items, total } = await client.call('GET /v1/sandbox', { query: { limit } });
  if (json) return items.forEach((item) => line(jsonOf(item)));
  if (items.length === 0) return line('No inbox. `galley sandbox create NAME` makes one.');
  for (const inbox of items)
    line(
      `${inbox.name}  ${count(inbox.message_count, 'message')}  kept ${count(inbox.retention_days, 'day')}  ` +
        `user ${inbox.smtp_user}  made ${minute(inbox.created_at)} UTC`,
    );
  return tellRest(items.length, total);
}

async function create(client: Client, { words: [name = ''], messagesMax, retentionDays, json }: SandboxGiven) {
  const bounds = {
    ...(messagesMax !== undefined && { messages_max: messagesMax }),
    ...(retentionDays !== undefined && { retention_days: retentionDays }),
  };
  const inbox = await client.call('POST /v1/sandbox', { body: { name, ...bounds } });
  if (json) return line(jsonOf(inbox));
  const { host, port, tls_port: tlsPort } = await client.call('GET /v1/galley/submission', {});
  line(`The inbox ${inbox.name} is there. What comes into it is delivered to nobody.`);
  line(`Host:      ${plain(host)}`);
  line(`Port:      ${port ?? tlsPort ?? 'not fixed; the log of Galley names the one it took'}`);
  line(`User:      ${inbox.smtp_user}`);
  line(`Password:  ${inbox.smtp_password}`);
  return line('The password is shown this once.');
}

async function messages(client: Client, { words: [inbox = ''], conditions, limit, json }: SandboxGiven): Promise<void> {
  const { items, total } = await client.call('GET /v1/sandbox/{inbox}/messages', {
    path: { inbox },
    query: { ...conditions, limit },
  });
  if (json) return items.forEach((item) => line(jsonOf(item)));
  if (items.length === 0) line('No message that fits.');
  for (const { id, received_at: at, subject, recipients } of items)
    line(
      `${id}  ${second(at)}  ${plain(recipients.slice(0, 3).join(', '), 100)}` +
        `${recipients.length > 3 ? ` and ${recipients.length - 3} more` : ''}  “${plain(subject, 80)}”`,
    );
  return tellRest(items.length, total);
}

/** The part that is asked for, or what people read of a message. */
function showMessage(message: Message, { part, json }: SandboxGiven): void {
  if (json) return line(jsonOf(message));
  const { headers, text, html, attachments } = message;
  if (part === 'headers') return headers.forEach(({ name, value }) => line(`${plain(name)}: ${plain(value, 5000)}`));
  if (part === 'html') return line(plainLines(html ?? ''));
  if (part === 'text') return line(plainLines(text ?? ''));
  line(`Id:       ${message.id}`);
  line(`Number:   ${message.number}`);
  line(`Came:     ${second(message.received_at)} UTC, by ${message.method}`);
  line(`From:     ${plain(message.from || message.mail_from)}`);
  line(`To:       ${plain(message.recipients.join(', '))}`);
  line(`Subject:  ${plain(message.subject)}`);
  for (const { number, name, size_bytes: bytes } of attachments)
    line(`File ${number}:   ${plain(name, 200) || 'without a name'}, ${count(bytes, 'byte')}`);
  line('');
  return line(plainLines(text ?? message.excerpt));
}

async function latest(client: Client, given: SandboxGiven, signal: AbortSignal): Promise<void> {
  const { conditions, wait } = given;
  const path = { inbox: given.words[0] ?? '' };
  const query = { ...conditions, ...(wait !== undefined && { wait }) };
  const message = await client.call('GET /v1/sandbox/{inbox}/messages/latest', { path, query }, { signal });
  showMessage(message, given);
}

async function show(client: Client, given: SandboxGiven): Promise<void> {
  const [inbox = '', id = ''] = given.words;
  const path = { inbox, message_id: id };
  showMessage(await client.call('GET /v1/sandbox/{inbox}/messages/{message_id}', { path }), given);
}

async function clear(client: Client, { words: [inbox = ''], json }: SandboxGiven): Promise<void> {
  const reply = await client.call('DELETE /v1/sandbox/{inbox}/messages', { path: { inbox } });
  line(json ? jsonOf(reply) : `Deleted ${count(reply.count, 'message')}.`);
}

async function release(client: Client, { words, domain = '', to = '', json }: SandboxGiven): Promise<void> {
  const [inbox = '', id = ''] = words;
  const addresses = to.split(',').map((address) => address.trim());
  const reply = await client.call('POST /v1/sandbox/{inbox}/messages/{message_id}/release', {
    path: { inbox, message_id: id },
    body: { domain, to: addresses },
  });
  line(json ? jsonOf(reply) : `Queued for ${plain(addresses.join(', '))}: ${plain(reply.id)}`);
}

const WORK: Record<string, (client: Client, given: SandboxGiven, signal: AbortSignal) => Promise<void>> = {
  list,
  create,
  messages,
  latest,
  show,
  clear,
  release,
};

/** Returns the exit code. */
export function runSandbox(given: SandboxGiven): Promise<number> {
  const client = connect(given);
  return untilSignal(
    (signal) => orRefused(WORK[given.verb]!(client, given, signal).then(() => 0)),
    async () => undefined,
  );
}
