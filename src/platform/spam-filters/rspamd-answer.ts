import { FilterFailure } from './failure.ts';
import type { FilterReport, FilterRule, FilterVerdict } from './types.ts';

function broken(why: string): FilterFailure {
  return new FilterFailure('broken', `Rspamd's answer cannot be read: ${why}.`);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Rspamd's actions, from its least to its most severe. */
const VERDICTS: Readonly<Record<string, FilterVerdict>> = {
  'no action': 'nothing_found',
  greylist: 'soft',
  'soft reject': 'soft',
  'add header': 'spam',
  'rewrite subject': 'spam',
  quarantine: 'spam',
  discard: 'spam',
  reject: 'spam',
};

/** The JSON of `/checkv2`. Throws FilterFailure. */
export function readRspamdAnswer(body: Buffer, rulesMax: number): Omit<FilterReport, 'version' | 'tookMs'> {
  let answer: unknown;
  try {
    answer = JSON.parse(body.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw broken('it is not JSON');
    throw error;
  }
  if (!isObject(answer)) throw broken('it is not an object');
  const { score, required_score: threshold, action, symbols } = answer;
  if (!isNumber(score) || !isNumber(threshold) || typeof action !== 'string') throw broken('it holds no score');
  const rules = Object.values(isObject(symbols) ? symbols : {})
    .flatMap(ruleOf)
    .sort((a, b) => b.points - a.points || (a.name < b.name ? -1 : 1));
  // A symbol that decides alone (GTUBE, a forced action) has no points of its own.
  const forced =
    answer['is_skipped'] === true && rules.length === 1 && rules[0]!.points === 0
      ? [{ ...rules[0]!, points: score }]
      : rules;
  return {
    score,
    threshold,
    verdict: VERDICTS[action] ?? (score >= threshold ? 'spam' : 'nothing_found'),
    action,
    rules: forced.slice(0, rulesMax),
  };
}

function ruleOf(symbol: unknown): FilterRule[] {
  if (!isObject(symbol) || typeof symbol['name'] !== 'string') return [];
  const { name, score, description, options } = symbol;
  const texts = (Array.isArray(options) ? options : [])
    .filter((option) => typeof option === 'string')
    .slice(0, 20)
    .map((option) => option.slice(0, 200));
  return [
    {
      name: name.slice(0, 100),
      points: isNumber(score) ? score : 0,
      description: typeof description === 'string' ? description.slice(0, 500) : '',
      ...(texts.length > 0 && { options: texts }),
    },
  ];
}
