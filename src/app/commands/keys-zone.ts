// `galley keys-zone`: the lines that the operator's name server holds for domains with keys by CNAME records.
import { connect, KEY_USAGE, orRefused, SERVICE_OPTIONS, SERVICE_USAGE } from './service/connect.ts';
import { tell } from './tell.ts';
import { readArguments, UsageError } from './usage.ts';

const USAGE = `galley keys-zone [options]

Prints the records of the zone GALLEY_KEYS_ZONE as lines of a zone file, for a script that gives them to the name server
every hour. With the key of the deployment's first account.

${SERVICE_USAGE}

${KEY_USAGE}
Exit codes: 0 done, 1 failed, 2 wrong usage.`;

/** Prints the zone. Returns the exit code; throws {@link UsageError}. */
export async function keysZone(args: string[]): Promise<number> {
  const { values, positionals } = readArguments('keys-zone', args, SERVICE_OPTIONS);
  if (values.help) return (process.stdout.write(`${USAGE}\n`), 0);
  if (positionals.length > 0)
    throw new UsageError(`galley keys-zone takes no arguments; "${positionals[0]}" is too much.`);
  const client = connect(values);
  return orRefused(
    client.call('GET /v1/galley/keys_zone', {}).then((reply) => {
      if (values.json) process.stdout.write(`${JSON.stringify(reply)}\n`);
      else process.stdout.write(reply.zone_file);
      // An empty file would take every key out of the zone.
      if (reply.zone === null) tell('The service has no zone for keys: GALLEY_KEYS_ZONE is not set.');
      if (reply.is_bound) tell('There are more keys than the 20,000 that are listed.');
      return reply.zone === null || reply.is_bound ? 1 : 0;
    }),
  );
}
