// `galley sandbox`: inboxes that programs under development send to, and what came into them.
import { KEY_USAGE, SERVICE_OPTIONS, SERVICE_USAGE } from './service/connect.ts';
import { checkVerb, readArguments, UsageError } from './usage.ts';

const PARTS = ['text', 'html', 'headers'];
const CONDITIONS = ['search', 'to', 'from', 'subject', 'text', 'header', 'tag', 'since', 'after'] as const;
const NUMBERS = {
  limit: [1, 1000],
  wait: [0, 60],
  after: [0, 2_147_483_647],
  'messages-max': [1, 5000],
  'retention-days': [1, 90],
} as const;

/** What follows each word, and the options that go with it. */
const VERBS: Record<string, { words: readonly string[]; options: readonly string[] }> = {
  list: { words: [], options: ['limit'] },
  create: { words: ['NAME'], options: ['messages-max', 'retention-days'] },
  messages: { words: ['INBOX'], options: [...CONDITIONS, 'limit'] },
  latest: { words: ['INBOX'], options: [...CONDITIONS, 'wait', 'part'] },
  show: { words: ['INBOX', 'ID'], options: ['part'] },
  clear: { words: ['INBOX'], options: [] },
  release: { words: ['INBOX', 'ID'], options: ['domain', 'to'] },
};

const USAGE = `galley sandbox <command> [options]

  list                 the inboxes, newest first
  create NAME          makes one; its password is shown this once
  messages INBOX       what came, newest first
  latest INBOX         the newest message, or the next one that comes
  show INBOX ID        one message; \`messages\` shows the ids
  clear INBOX          deletes all messages of an inbox
  release INBOX ID     sends a message to real addresses

  --to ADDRESS         with messages, latest: to this whole address; with release: where it goes,
                       up to 20 addresses with commas between them
  --from, --subject, --text, --header, --search TEXT
                       with messages, latest: a part of this; --search: of the text, the header or an address
  --tag TAG            with messages, latest: that has this tag
  --since WHEN         with messages, latest: that came then or later, such as 2026-05-01T08:00:00Z
  --after N            with messages, latest: that came after the message with this number, or this revision of the inbox
  --wait SECONDS       with latest: waits so long for a message, 0 to 60; default: 0
  --part NAME          with latest, show: only its ${PARTS.join(', ')}
  --domain NAME        with release: the sending domain
  --messages-max N     with create: where there are more, the oldest go; 1 to 5000, default: 1000
  --retention-days N   with create: how long messages are kept; 1 to 90, default: 14
  --limit N            with list, messages: at most so many, 1 to 1000; default: 50
${SERVICE_USAGE}

INBOX is the name or the id of an inbox. ${KEY_USAGE}
Exit codes: 0 done, 1 failed, or no message came, 2 wrong usage, 130 after Ctrl-C.`;

/** Throws {@link UsageError}. */
function readNumber(name: keyof typeof NUMBERS, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const [min, max] = NUMBERS[name];
  const value = given === '' ? NaN : Number(given);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}; it is "${given}".`);
  return value;
}

function readGiven(args: string[]) {
  const { values, positionals } = readArguments('sandbox', args, {
    ...SERVICE_OPTIONS,
    to: { type: 'string' },
    from: { type: 'string' },
    subject: { type: 'string' },
    text: { type: 'string' },
    header: { type: 'string' },
    search: { type: 'string' },
    tag: { type: 'string' },
    since: { type: 'string' },
    after: { type: 'string' },
    wait: { type: 'string' },
    part: { type: 'string' },
    domain: { type: 'string' },
    'messages-max': { type: 'string' },
    'retention-days': { type: 'string' },
    limit: { type: 'string' },
  });
  if (values.help) return undefined;
  const [verb = '', ...words] = positionals;
  checkVerb('sandbox', positionals, { verbs: VERBS, usage: USAGE });
  const everywhere = ['help', ...Object.keys(SERVICE_OPTIONS)];
  const strange = Object.keys(values).find((name) => ![...everywhere, ...VERBS[verb]!.options].includes(name));
  if (strange !== undefined) throw new UsageError(`--${strange} does not go with \`galley sandbox ${verb}\`.`);
  const { part, domain, to, json, url } = values;
  if (part !== undefined && !PARTS.includes(part))
    throw new UsageError(`--part must be one of ${PARTS.join(', ')}; it is "${part}".`);
  if (part !== undefined && json) throw new UsageError('--part does not go with --json, which shows all of it.');
  if (verb === 'release' && (domain === undefined || to === undefined))
    throw new UsageError('Name the sending domain and the address: --domain mail.example.com --to you@example.com.');
  const { from, subject, text, header, search, tag, since } = values;
  return {
    verb,
    words,
    part,
    domain,
    to,
    json,
    url,
    conditions: { to, from, subject, text, header, search, tag, since, after: readNumber('after', values.after) },
    wait: readNumber('wait', values.wait),
    limit: readNumber('limit', values.limit) ?? 50,
    messagesMax: readNumber('messages-max', values['messages-max']),
    retentionDays: readNumber('retention-days', values['retention-days']),
  };
}

export type SandboxGiven = NonNullable<ReturnType<typeof readGiven>>;

/** Prints what is asked for, or what was done. Returns the exit code; throws {@link UsageError}. */
export async function sandbox(args: string[]): Promise<number> {
  const given = readGiven(args);
  if (given) return (await import('./sandbox/run-sandbox.ts')).runSandbox(given);
  process.stdout.write(`${USAGE}\n`);
  return 0;
}
