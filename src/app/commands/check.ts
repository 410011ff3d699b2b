// `galley check mail.html`: every check of an email and one verdict, without a server.
import type { Feature } from '../../platform/feature/index.ts';
import { oneOf, readOptions, usageOf } from './check/options.ts';
import { UsageError } from './usage.ts';

/**
 * Returns the exit code; throws `UsageError`. What checks need is loaded when the command line can be read.
 * @param features default: all of Galley's
 */
export async function check(args: string[], features?: readonly Feature[]): Promise<number> {
  const options = readOptions(args);
  const { listsOf } = await import('../../platform/feature/index.ts');
  const { rulesOf } = await import('../../features/proof/gate/index.ts');
  const lists = listsOf(features ?? (await import('../features.ts')).FEATURES);
  const { checks } = rulesOf({ lists });
  if (!options) {
    process.stdout.write(`${usageOf(checks)}\n`);
    return 0;
  }
  if (!options.sources.length) throw new UsageError(usageOf(checks));
  for (const name of options.checks ?? []) oneOf('--checks', checks, name);
  return (await import('./check/run-check.ts')).runCheck(options, lists);
}
