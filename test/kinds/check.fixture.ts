// `galley check` with one kind more: what its words are, it prints and ends with as the program does.
import { check } from '../../src/app/commands/check.ts';
import { UsageError } from '../../src/app/commands/usage.ts';
import { FEATURES } from '../../src/app/features.ts';
import shouting from './shouting/index.ts';

try {
  process.exitCode = await check(process.argv.slice(2), [...FEATURES, shouting]);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
