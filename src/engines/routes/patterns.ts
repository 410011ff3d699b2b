// Regular expressions that users write, in the syntax of RE2: they match in a time that is linear in the text.
import { RE2JS } from 're2js';
import { RouteFault } from './fault.ts';

const PATTERN_LENGTH_MAX = 500;
/** Steps of the machine that a pattern becomes: `(a|b){200}` has several hundred. */
const COST_MAX = 2000;
/** Machines that are kept for the next message. */
const KEPT_MAX = 500;

const kept = new Map<string, RE2JS>();

/** Throws `RouteFault` for what is no regular expression of RE2, or too large. */
export function patternOf(source: string, isCaseless: boolean): RE2JS {
  const name = `${isCaseless ? 'i' : 'c'}${source}`;
  const known = kept.get(name);
  if (known) return known;
  if (source.length > PATTERN_LENGTH_MAX)
    throw new RouteFault(`a regular expression has at most ${PATTERN_LENGTH_MAX} characters`);
  const pattern = compiled(source, isCaseless);
  if (pattern.programSize() > COST_MAX)
    throw new RouteFault(`"${source.slice(0, 80)}" is too large: its repetitions come to more than ${COST_MAX} steps`);
  if (kept.size >= KEPT_MAX) kept.delete(kept.keys().next().value as string);
  kept.set(name, pattern);
  return pattern;
}

function compiled(source: string, isCaseless: boolean): RE2JS {
  try {
    return RE2JS.compile(source, isCaseless ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
    throw new RouteFault(
      `"${source.slice(0, 80)}" is no regular expression of RE2 (${reason}); look-around and references within an ` +
        'expression are not part of it',
    );
  }
}
