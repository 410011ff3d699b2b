// `galley restore`: what `galley backup` wrote, into an empty place.
import { readArguments, UsageError } from './usage.ts';

const USAGE = `galley restore FILE [options]

  --check     only say whether the file is whole, and what it holds
  --replace   delete what the database, the object store and the data directory hold now

Reads the whole file first and compares every digest. Then it fills the database, the object store and the data
directory that the settings name, which may be of other kinds than those that the backup was made of: embedded or
PostgreSQL, directory or S3. Galley must not run there. What is not empty is left alone, unless --replace is given.
A backup of an earlier version is brought up to date at the next start; one of a later version is refused.

Exit codes: 0 done, 1 failed, 2 wrong usage.`;

/** Returns the exit code; throws {@link UsageError}. */
export async function restore(args: string[]): Promise<number> {
  const { values, positionals } = readArguments('restore', args, {
    check: { type: 'boolean', default: false },
    replace: { type: 'boolean', default: false },
  });
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError(USAGE);
  if (more.length > 0) throw new UsageError(`galley restore takes one file; "${more.join(' ')}" is too much.`);
  if (file === '-')
    throw new UsageError('galley restore reads the file twice, first to check it: save it, and name the file.');
  if (values.check && values.replace) throw new UsageError('--check changes nothing; it does not go with --replace.');
  const { runCheck, runRestore } = await import('./backup/run-restore.ts');
  return values.check ? runCheck(file) : runRestore(file, { isReplacing: values.replace });
}
