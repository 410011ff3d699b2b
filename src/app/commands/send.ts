// `galley send mail.html --to bob@example.com`: hands messages to a Galley that runs.
import { KEY_USAGE, SERVICE_OPTIONS, SERVICE_USAGE } from './service/connect.ts';
import { oneKind } from './message-file.ts';
import { readArguments, UsageError } from './usage.ts';

const USAGE = `galley send <mail.html | mail.eml | folder> … [options]

  --to ADDRESS       a recipient; may be repeated; all of them see each other
  --list FILE        recipients of a CSV, XLS or XLSX file: a column email, and others that fill %recipient.column%;
                     each recipient gets a copy of their own
  --from ADDRESS     the sender, of an HTML file; "Ann <ann@example.com>"
  --subject TEXT     the subject, of an HTML file; default: its title
  --tag TAG          names it in logs and statistics; may be repeated
  --at WHEN          when it goes: a date, at most seven days ahead
  --test             makes events, delivers nothing
  --domain NAME      the sending domain; default: that of the sender
  --type html|eml    what the file is, where it cannot be told; a file named - is standard input
  --data FILE        JSON with a value for each merge tag, which are filled in first
${SERVICE_USAGE}

A folder stands for every .html, .htm and .eml file in it and below: each is a message. Pictures beside an HTML file are
not sent: give them a URL that starts with https://.
${KEY_USAGE}
Exit codes: 0 Galley took every message, 1 it did not, 2 wrong usage, 130 after Ctrl-C.`;

export type SendOptions = NonNullable<ReturnType<typeof readOptions>>;

/** Unix seconds. Throws {@link UsageError}. */
function readTime(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const at = /^\d{9,11}$/.test(given) ? Number(given) * 1000 : Date.parse(given);
  if (Number.isNaN(at)) throw new UsageError(`--at must be a date such as 2026-05-01T08:00Z; it is "${given}".`);
  return String(Math.floor(at / 1000));
}

function readOptions(args: string[]) {
  const { values, positionals: sources } = readArguments('send', args, {
    ...SERVICE_OPTIONS,
    to: { type: 'string', multiple: true },
    list: { type: 'string' },
    from: { type: 'string' },
    subject: { type: 'string' },
    tag: { type: 'string', multiple: true },
    at: { type: 'string' },
    test: { type: 'boolean', default: false },
    domain: { type: 'string' },
    type: { type: 'string' },
    data: { type: 'string' },
  });
  if (values.help) return undefined;
  if (sources.length === 0) throw new UsageError(`Name a message.\n\n${USAGE}`);
  if (values.to === undefined && values.list === undefined)
    throw new UsageError('Name the recipients: --to bob@example.com, or --list recipients.csv.');
  if (values.to !== undefined && values.list !== undefined)
    throw new UsageError('--to and --list do not go together: give one of them.');
  return { ...values, sources, type: oneKind(values.type), at: readTime(values.at) };
}

/** Returns the exit code; throws {@link UsageError}. What reads messages is loaded when the command line can be read. */
export async function send(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (!options) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  return (await import('./send/run-send.ts')).runSend(options);
}
