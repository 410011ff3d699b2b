// `galley spam mail.eml`: what spam filters and receivers would make of a message, without a server.
import { readArguments, UsageError } from './usage.ts';

const USAGE = `galley spam <mail.eml | mail.html> [options]

  --as ip=…,helo=…,rdns=…,from=…   judge the message as if it came over this connection
  --subject TEXT                   subject of an HTML file
  --type html|eml                  what the file is, where it cannot be told; a file named - is standard input
  --data FILE                      JSON with a value for each merge tag, which are filled in first
  --live-unsubscribe               send the POST of RFC 8058; it may really unsubscribe somebody
  --offline                        ask no DNS
  --format pretty|json             default pretty

An HTML file is judged as sent by a fully authenticated stand-in. SpamAssassin and Rspamd are asked besides the built-in
rules when they run on this machine, or when GALLEY_SPAMD and GALLEY_RSPAMD name them; GALLEY_FIND_FILTERS=off asks only
those that are named. Exit codes: 0 every receiver would take it to the inbox, 1 some would not, 2 wrong usage, or
it could not run.`;

export type SpamOptions = ReturnType<typeof readOptions>['values'];

function readOptions(args: string[]) {
  return readArguments('spam', args, {
    as: { type: 'string' },
    subject: { type: 'string' },
    type: { type: 'string' },
    data: { type: 'string' },
    'live-unsubscribe': { type: 'boolean', default: false },
    offline: { type: 'boolean', default: false },
    format: { type: 'string', default: 'pretty' },
  });
}

/** Returns the exit code; throws {@link UsageError}. What judges is loaded when the command line can be read. */
export async function spam(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args);
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const [path, ...more] = positionals;
  if (path === undefined || more.length) throw new UsageError(`Name one message.\n\n${USAGE}`);
  if (values.format !== 'pretty' && values.format !== 'json')
    throw new UsageError(`--format must be pretty or json. It is "${values.format}".`);
  return (await import('./spam/run-spam.ts')).runSpam(path, values);
}
