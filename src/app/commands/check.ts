// `galley check mail.html`: every check of an email and one verdict, without a server.
import { oneOf, readOptions, usageOf } from './check/options.ts';
import { UsageError } from './usage.ts';

/** Returns the exit code; throws `UsageError`. What checks need is loaded when the command line is right. */
export async function check(args: string[]): Promise<number> {
  const options = readOptions(args);
  const { RULES } = await import('../../features/proof/gate/index.ts');
  if (!options) {
    process.stdout.write(`${usageOf(RULES.checks)}\n`);
    return 0;
  }
  if (!options.sources.length) throw new UsageError(usageOf(RULES.checks));
  for (const name of options.checks ?? []) oneOf('--checks', RULES.checks, name);
  return (await import('./check/run-check.ts')).runCheck(options);
}
