// `galley blocklists 192.0.2.1 example.com`: which lists hold an address or a domain, without a server.
import { readArguments, UsageError } from './usage.ts';

const USAGE = `galley blocklists <IP address | domain | email address>... [options]

  --all          also name the lists that gave no answer, and those on which being is good
  --json         everything as JSON

Asks the lists that the service asks, through GALLEY_DNS_SERVERS or the name servers of the system; GALLEY_BLOCKLISTS
and GALLEY_BLOCKLIST_KEYS count too. Every list is tested first (RFC 5782), and a list that fails its test is not
believed. One look is no proof: lists flap, and the service tells a listing only when it has seen it twice. Exit codes:
0 no list holds any of them, 1 at least one does, 2 wrong usage, or no list could be asked.`;

const ASSETS_MAX = 100;

export type BlocklistOptions = ReturnType<typeof readOptions>['values'];

function readOptions(args: string[]) {
  return readArguments('blocklists', args, {
    all: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
}

/** Returns the exit code; throws {@link UsageError}. */
export async function blocklists(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args);
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  if (positionals.length === 0) throw new UsageError(`Name an IP address or a domain.\n\n${USAGE}`);
  if (positionals.length > ASSETS_MAX)
    throw new UsageError(`Name at most ${ASSETS_MAX} at once; these are ${positionals.length}.`);
  return (await import('./blocklists/run-blocklists.ts')).runBlocklists(positionals, values);
}
