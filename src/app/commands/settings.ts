import { ConfigError, readConfig, type Config } from '../../platform/config/index.ts';
import { UsageError } from './usage.ts';

/** A wrong setting is wrong usage: exit code 1 says something about what was given. Throws {@link UsageError}. */
export function readSettings(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message);
    throw error;
  }
}
