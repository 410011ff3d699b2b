// `galley backup`: everything that a Galley keeps, in one file, while it runs.
import { readArguments, UsageError } from './usage.ts';

const USAGE = `galley backup FILE

Writes the database, the stored objects, mail that waits and the key for secrets into one tar archive, with the digest
of everything; - writes it to standard output. Galley may run meanwhile: all that it acknowledged before this began is in
the backup, and the database in it is of one moment. Run it as Galley's user with the settings of the service: they say
where the data is.

The file holds messages, addresses and keys. It does not hold settings, certificates that settings name, nor the log of
events where ClickHouse keeps it.

Exit codes: 0 done, 1 failed, 2 wrong usage.`;

/** Returns the exit code; throws {@link UsageError}. */
export async function backup(args: string[]): Promise<number> {
  const { values, positionals } = readArguments('backup', args, {});
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError(USAGE);
  if (more.length > 0) throw new UsageError(`galley backup takes one file; "${more.join(' ')}" is too much.`);
  return (await import('./backup/run-backup.ts')).runBackup(file);
}
