// `galley dev`: the emails of a folder on a page of this machine, drawn and checked again at every save.
import { isIP } from 'node:net';
import { readArguments, UsageError } from './usage.ts';

const USAGE = `galley dev [FOLDER | FILE]... [options]

Serves a page with the emails of a folder (default: this one): how clients show the email that is open, and what
checks find in it, at the lines of its source. Both are made again when a file changes.

  --clients a,b,c   client ids (\`galley preview --list\` shows all), or default for the default clients;
                    without it, one of each kind
  --data FILE       JSON with a value for each merge tag; a component takes it as its props
  --port N          default 4455; the next free one where that is taken
  --host ADDRESS    where to listen; default 127.0.0.1. 0.0.0.0 shows the page to a phone on the same network, and to
                    everybody else there: it asks for no password

Exit codes: 2 wrong usage, 130 after Ctrl-C.
What fails is said by ./galley.policy.json where there is one, as in \`galley check\`.
No server and no database are used. Images on private hosts are refused unless GALLEY_ALLOW_HOSTS names them.`;

export interface DevOptions {
  sources: string[];
  clients: string | undefined;
  dataPath: string | undefined;
  /** Undefined: the default, or the next that is free. */
  port: number | undefined;
  host: string;
}

function readPort(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const port = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`--port must be a number from 0 to 65535; it is "${given}".`);
}

function readHost(given: string): string {
  if (given === 'localhost') return '127.0.0.1';
  if (isIP(given)) return given;
  throw new UsageError(`--host must be an IP address of this machine, or 0.0.0.0 for all of them; it is "${given}".`);
}

/** Returns the exit code; throws {@link UsageError}. What draws is loaded when the command line can be read. */
export async function dev(args: string[]): Promise<number> {
  const { values, positionals } = readArguments('dev', args, {
    clients: { type: 'string' },
    data: { type: 'string' },
    port: { type: 'string' },
    host: { type: 'string', default: '127.0.0.1' },
  });
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const options = {
    sources: positionals.length > 0 ? positionals : ['.'],
    clients: values.clients,
    dataPath: values.data,
    port: readPort(values.port),
    host: readHost(values.host),
  };
  const strange = options.sources.find((source) => source === '-' || /^https?:/i.test(source));
  if (strange !== undefined) throw new UsageError(`galley dev watches files and folders; ${strange} is neither.`);
  return (await import('./dev/run-dev.ts')).runDev(options);
}
