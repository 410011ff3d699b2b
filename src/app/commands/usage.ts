// Command lines that are wrong, and the words for what is right.
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** The command line is wrong; the message says what is right. Exit code 2. */
export class UsageError extends Error {}

const DISTANCE_MAX = 2;

/** Letters to insert, delete, replace or swap with their neighbor to get from one word to the other. */
function distanceOf(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        rows[i - 1]![j]! + 1,
        row[j - 1]! + 1,
        rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity,
      );
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

/** ` Did you mean "check"?`, or nothing when no word is close. */
export function suggestionFor(given: string, words: readonly string[]): string {
  const ranked = words
    .map((word) => ({ word, distance: distanceOf(given.toLowerCase(), word) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= Math.min(DISTANCE_MAX, Math.floor(best.word.length / 2))
    ? ` Did you mean "${best.word}"?`
    : '';
}

/** The options and words of a verb; `--help` and `-h` are among them. Throws {@link UsageError}. */
export function readArguments<Options extends ParseArgsOptionsConfig>(verb: string, args: string[], options: Options) {
  const all = { ...options, help: { type: 'boolean', short: 'h', default: false } } as const;
  const where = `\`galley ${verb} --help\` lists the options.`;
  try {
    return parseArgs({ args, allowPositionals: true, options: all });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(-[^']*)'/.exec(message)?.[1] : undefined;
    if (unknown !== undefined)
      throw new UsageError(
        `Unknown option ${unknown}.${suggestionFor(
          unknown,
          Object.keys(all).map((name) => `--${name}`),
        )} ${where}`,
        { cause: error },
      );
    const missing = /^Option '(?:-\w, )?(--[\w-]+)(?: <value>)?' argument (?:missing|is ambiguous)/.exec(message)?.[1];
    throw new UsageError(missing === undefined ? `${message} ${where}` : `${missing} needs a value. ${where}`, {
      cause: error,
    });
  }
}

/** The verb of `galley COMMAND VERB WORDS…` and as many words as it takes. Throws {@link UsageError}. */
export function checkVerb(
  command: string,
  [verb, ...given]: readonly string[],
  { verbs, usage }: { verbs: Record<string, { words: readonly string[] }>; usage: string },
): void {
  if (verb === undefined) throw new UsageError(usage);
  if (!Object.hasOwn(verbs, verb))
    throw new UsageError(`Unknown command "${command} ${verb}".${suggestionFor(verb, Object.keys(verbs))}\n\n${usage}`);
  const { words } = verbs[verb]!;
  const form = [`galley ${command}`, verb, ...words].join(' ');
  if (given.length < words.length) throw new UsageError(`Something is missing: \`${form}\`.`);
  if (given.length > words.length)
    throw new UsageError(`"${given.slice(words.length).join(' ')}" is too much: \`${form}\`.`);
}
