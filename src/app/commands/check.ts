// `galley check mail.html`: every check of an email and one verdict, without a server.
import { readOptions, USAGE } from './check/options.ts';

/** Returns the exit code; throws `UsageError`. What checks need is loaded when the command line is right. */
export async function check(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (options) return (await import('./check/run-check.ts')).runCheck(options);
  process.stdout.write(`${USAGE}\n`);
  return 0;
}
