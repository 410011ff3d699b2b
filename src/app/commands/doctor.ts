// `galley doctor`: whether everything that Galley stands on is in order, and how to mend what is not.
import { readArguments, UsageError } from './usage.ts';

const USAGE = `galley doctor [options]

  --json   the same as JSON

Looks at the program, its settings, data directory and disk, the database, the object store, the browser and other
engines, DNS, port 25 outward, reverse DNS of the addresses that mail leaves from, spam filters and the clock. Each is
ok, a warning (it works, and something is missing) or a fault, with the way to mend it. What could not be found out is a
warning that says so. Nothing is changed; the embedded database is not opened, so Galley may run meanwhile.

Exit codes: 0 no fault, 1 at least one, 2 wrong usage.`;

/** Returns the exit code; throws {@link UsageError}. */
export async function doctor(args: string[]): Promise<number> {
  const { values, positionals } = readArguments('doctor', args, { json: { type: 'boolean', default: false } });
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  if (positionals.length) throw new UsageError(`galley doctor takes no ${positionals[0]}.\n\n${USAGE}`);
  return (await import('./doctor/run-doctor.ts')).runDoctor({ isJson: values.json });
}
