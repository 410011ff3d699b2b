// `galley dmarc report.xml.gz`: what reports say about a domain's mail, without a server.
import { readArguments, UsageError } from './usage.ts';

const USAGE = `galley dmarc <report.xml.gz | report.eml | folder …> [options]

  --offline   ask no DNS for the names of addresses
  --json      everything, as JSON

Reads aggregate reports of DMARC (RFC 7489, RFC 9990), failure reports (RFC 6591) and reports of TLS (RFC 8460): plain,
packed by gzip or zip, or mails that carry them; in a folder, files ending in .xml, .gz, .zip, .json, .eml. A report
that comes twice counts once. It says who sends in the name of each domain, what passes, and what p=reject would refuse.
Exit codes: 0 every file was read, 1 some were not (each is named), 2 wrong usage, or nothing could be read.`;

export type DmarcOptions = ReturnType<typeof readOptions>['values'];

function readOptions(args: string[]) {
  return readArguments('dmarc', args, {
    offline: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
}

/** Returns the exit code; throws {@link UsageError}. What reads is loaded when the command line can be read. */
export async function dmarc(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args);
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  if (positionals.length === 0) throw new UsageError(`Name a report, or a folder of them.\n\n${USAGE}`);
  return (await import('./dmarc/run-dmarc.ts')).runDmarc(positionals, values);
}
