// Weights by logistic regression with bounds: every weight keeps the sign that its rule was written with, is drawn
// toward the points that it was written with, and is found by projected gradient steps. The same input gives the same
// weights.
export interface Example {
  collection: string;
  /** Rules that it hits. */
  hits: readonly string[];
  isSpam: boolean;
  /** What it counts beside others. */
  weight: number;
}

interface FitOptions {
  /** Points that rules were written with. */
  written: ReadonlyMap<string, number>;
  /** How strongly weights are drawn to the written ones, in examples. */
  pull: number;
}

interface Fit {
  /** By rule, in nats. */
  weights: Map<string, number>;
  bias: number;
}

/** So many nats a written point stands for, before scores are brought to the threshold. */
const NATS_PER_POINT = 0.8;
const STEPS = 400;
/** In nats; no rule decides alone. */
const WEIGHT_MAX = 3.5;
const GOOD_MIN = -1;
/** What a rule finds is said with some points always: one that weighs nothing would read like a mistake. */
const WEIGHT_MIN = 0.1;
/** Rules whose points are what they mean. */
const FIXED: ReadonlySet<string> = new Set(['GTUBE']);
/** Less often seen than this, a rule keeps its written points. */
const SEEN_LEAST = 8;

/** Rules that the examples say enough about. */
function fittedRules(examples: readonly Example[], written: ReadonlyMap<string, number>): string[] {
  const seen = new Map<string, number>();
  for (const { hits } of examples) for (const rule of hits) seen.set(rule, (seen.get(rule) ?? 0) + 1);
  return [...written.keys()].filter((rule) => !FIXED.has(rule) && (seen.get(rule) ?? 0) >= SEEN_LEAST).sort();
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** AdaGrad with projection onto the bounds; examples are sparse, so it takes seconds. */
export function fitWeights(examples: readonly Example[], { written, pull }: FitOptions): Fit {
  const rules = fittedRules(examples, written);
  const index = new Map(rules.map((rule, place) => [rule, place]));
  const start = rules.map((rule) => written.get(rule)! * NATS_PER_POINT);
  const weights = [...start];
  const rows = examples.map(({ hits, isSpam, weight }) => ({
    places: hits.flatMap((rule) => index.get(rule) ?? []),
    target: isSpam ? 1 : 0,
    weight,
  }));
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const squares = new Float64Array(rules.length + 1).fill(1e-6);
  let bias = -2;
  for (let step = 0; step < STEPS; step++) {
    const gradient = new Float64Array(rules.length + 1);
    for (const { places, target, weight } of rows) {
      let sum = bias;
      for (const place of places) sum += weights[place]!;
      const error = ((1 / (1 + Math.exp(-sum)) - target) * weight) / total;
      for (const place of places) gradient[place]! += error;
      gradient[rules.length]! += error;
    }
    for (const place of rules.keys()) {
      gradient[place]! += (pull / total) * (weights[place]! - start[place]!);
      squares[place]! += gradient[place]! ** 2;
      const isAgainst = start[place]! > 0;
      weights[place] = clamp(
        weights[place]! - (0.15 * gradient[place]!) / Math.sqrt(squares[place]!),
        isAgainst ? WEIGHT_MIN : GOOD_MIN,
        isAgainst ? WEIGHT_MAX : -WEIGHT_MIN,
      );
    }
    squares[rules.length]! += gradient[rules.length]! ** 2;
    bias -= (0.15 * gradient[rules.length]!) / Math.sqrt(squares[rules.length]!);
  }
  return { weights: new Map(rules.map((rule, place) => [rule, weights[place]!])), bias };
}

/** In nats, without the bias; rules that were not fitted count as written. */
export function scoreOf(
  { hits }: Pick<Example, 'hits'>,
  { weights }: Fit,
  written: ReadonlyMap<string, number>,
): number {
  return hits.reduce((sum, rule) => sum + (weights.get(rule) ?? (written.get(rule) ?? 0) * NATS_PER_POINT), 0);
}

/** Scores of examples by weights that did not see them. */
export function crossScores(examples: readonly Example[], options: FitOptions, folds = 5): number[] {
  const scores = Array.from<number>({ length: examples.length });
  for (let fold = 0; fold < folds; fold++) {
    const fit = fitWeights(
      examples.filter((_, place) => place % folds !== fold),
      options,
    );
    for (const [place, example] of examples.entries())
      if (place % folds === fold) scores[place] = scoreOf(example, fit, options.written);
  }
  return scores;
}

/** The lowest score from which on no collection of wanted mail has more than its share called spam. */
export function thresholdFor(
  examples: readonly Example[],
  scores: readonly number[],
  falsePositivesMax: Readonly<Record<string, number>>,
): number {
  const thresholds = Object.entries(falsePositivesMax).map(([collection, share]) => {
    const good = examples
      .flatMap((example, place) => (!example.isSpam && example.collection === collection ? [scores[place]!] : []))
      .sort((a, b) => b - a);
    const first = good[Math.floor(good.length * share)];
    return first === undefined ? 0 : first + 0.01;
  });
  return Math.max(...thresholds);
}

/** Points, such that the threshold is where the rules have it; one decimal. */
export function pointsOf({ weights }: Fit, threshold: number, pointsAtThreshold: number): Record<string, number> {
  return Object.fromEntries(
    [...weights].map(([rule, weight]) => [
      rule,
      (Math.sign(weight) * Math.max(1, Math.round((Math.abs(weight) / threshold) * pointsAtThreshold * 10))) / 10,
    ]),
  );
}
