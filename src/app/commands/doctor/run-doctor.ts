// What `galley doctor` does when its command line can be read.
import { ConfigError, readConfig, type Config } from '../../../platform/config/index.ts';
import { messageOf } from '../../../platform/errors/index.ts';
import { EXAMINATIONS, type Examined } from './examinations.ts';

interface Named extends Examined {
  name: string;
}

/** Longer than every bound of what is asked; what hangs all the same is said to. */
const EXAMINATION_MS_MAX = 60_000;

const MARKS = { ok: 'ok     ', warning: 'WARNING', fault: 'FAULT  ' } as const;

async function within(name: string, work: Promise<Examined>): Promise<Named> {
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<Examined>((resolve) => {
    limit = setTimeout(
      () => resolve({ state: 'fault', message: `It did not answer within ${EXAMINATION_MS_MAX / 1000} s.` }),
      EXAMINATION_MS_MAX,
    );
  });
  try {
    return { name, ...(await Promise.race([work, late])) };
  } catch (error) {
    return { name, state: 'fault', message: messageOf(error) };
  } finally {
    clearTimeout(limit);
  }
}

function readSettings(): Config | Named {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      name: 'settings',
      state: 'fault',
      message: error.message,
      fix: 'Mend these environment variables; docs/configuration.md lists all. Nothing else was looked at.',
    };
  }
}

function show(all: readonly Named[]): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  return all
    .flatMap(({ name, state, message, fix }) => [
      `${MARKS[state]}  ${name.padEnd(width)}  ${message}`,
      ...(fix === undefined ? [] : [`${' '.repeat(11 + width)}→ ${fix}`]),
    ])
    .join('\n');
}

/** Prints what was found. Returns the exit code. */
export async function runDoctor({ isJson }: { isJson: boolean }): Promise<number> {
  const config = readSettings();
  const all =
    'state' in config
      ? [config]
      : await Promise.all(Object.entries(EXAMINATIONS).map(([name, examine]) => within(name, examine(config))));
  const hasFault = all.some(({ state }) => state === 'fault');
  const checks = all.map(({ name, state, message, fix }) => ({ name, state, message, fix: fix ?? null }));
  process.stdout.write(isJson ? `${JSON.stringify({ healthy: !hasFault, checks }, null, 2)}\n` : `${show(all)}\n`);
  return hasFault ? 1 : 0;
}
