// `galley preview mail.html`: pictures of a message in email clients, without a server.
import { oneKind } from './message-file.ts';
import { readArguments, UsageError } from './usage.ts';

const USAGE = `galley preview <mail.html | mail.eml | URL> [options]

  --clients a,b,c   client ids; default: the default clients (\`--list\` shows all)
  --no-images       a picture with images blocked too
  --pane-width N    CSS pixels of the reading pane in programs and webmail, 320 to 1600
  --out DIR         where the pictures and index.html go (default ./previews)
  --subject TEXT    subject, when the file has none
  --type html|eml   what the file is, where it cannot be told; a file named - is standard input
  --data FILE       JSON with a value for each merge tag, which are filled in first
  --json            the report as JSON on standard output, rows of inboxes included
  --list            print the clients and stop

Exit codes: 0 every picture was made, 1 some were not, 2 wrong usage, 130 after Ctrl-C.
Images on private hosts are refused unless GALLEY_ALLOW_HOSTS names them; files beside an HTML file are read.`;

export type PreviewOptions = ReturnType<typeof readOptions>;

function readOptions(args: string[]) {
  const { values, positionals } = readArguments('preview', args, {
    clients: { type: 'string' },
    'no-images': { type: 'boolean', default: false },
    'pane-width': { type: 'string' },
    out: { type: 'string', default: 'previews' },
    subject: { type: 'string' },
    type: { type: 'string' },
    data: { type: 'string' },
    json: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  });
  return { ...values, type: oneKind(values.type), source: positionals[0], isTooMany: positionals.length > 1 };
}

/** Returns the exit code; throws {@link UsageError}. What draws is loaded when the command line can be read. */
export async function preview(args: string[]): Promise<number> {
  const given = readOptions(args);
  if (given.help) return process.stdout.write(`${USAGE}\n`) ? 0 : 1;
  const { source } = given;
  if (!given.list) {
    if (!source) throw new UsageError(USAGE);
    if (given.isTooMany) throw new UsageError('galley preview takes one message at a time.');
  }
  const { listClients, runPreview } = await import('./preview/run-preview.ts');
  if (given.list || !source) return listClients();
  return runPreview(source, given);
}
