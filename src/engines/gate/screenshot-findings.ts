// The comparison of pictures with their baselines, as findings.
import type { Finding } from '../findings/index.ts';
import type { Band } from '../pictures/index.ts';
import type { Policy } from './policy.ts';

type ScreenshotOutcome = 'unchanged' | 'changed' | 'no_baseline' | 'not_made';

export interface Comparison {
  client: string;
  /** `Gmail in Chrome`. */
  name: string;
  outcome: ScreenshotOutcome;
  /** Share of pixels that differ, 0 to 1; null where nothing was compared. */
  difference: number | null;
  bands: Band[];
  /** Pixels, as bands are rows of. */
  width?: number;
  /** The baseline was made by another version of the engine, which is named. */
  baselineEngine?: string;
  engine?: string;
  /** The message is longer than the pictures: only their height was compared. */
  isCut?: boolean;
  /** Why there is no picture. */
  error?: string;
}

const BANDS_NAMED = 3;

/** `0.35 %`; never `0 %` for something. */
export function percent(share: number): string {
  const value = share * 100;
  return `${value === 0 ? '0' : value < 0.01 ? '<0.01' : value.toFixed(value < 1 ? 2 : 1)} %`;
}

function rowsOf(bands: readonly Band[]): string {
  const named = bands
    .slice(0, BANDS_NAMED)
    .map(({ top, bottom }) => (top === bottom ? `${top}` : `${top}–${bottom}`))
    .join(', ');
  return bands.length > BANDS_NAMED ? `${named} and ${bands.length - BANDS_NAMED} more places` : named;
}

function findingOf(
  { name, client, outcome, difference, bands, baselineEngine, engine, isCut, error }: Comparison,
  policy: Policy['screenshots'],
): Finding {
  const about = {
    clients: [name],
    details: {
      client,
      outcome,
      difference,
      ...(bands.length > 0 && { bands: bands.slice(0, 50) }),
      ...(engine && { engine }),
      ...(baselineEngine && { baseline_engine: baselineEngine }),
    },
  };
  if (outcome === 'not_made')
    return {
      rule: 'screenshots/not-made',
      severity: 'error',
      message: `There is no picture of ${name}: ${error ?? 'the engine failed.'}`,
      fix: 'Run the check again.',
      ...about,
    };
  if (outcome === 'no_baseline') {
    const severity = ({ fail: 'error', warn: 'warning', ignore: 'info' } as const)[policy.missingBaseline];
    return {
      rule: 'screenshots/no-baseline',
      severity,
      message: `${name} has no baseline to be compared with.`,
      fix: 'Look at the picture, and approve it as the baseline.',
      ...about,
    };
  }
  const cut = isCut ? ' The message is longer than the picture, and what comes after it was not compared.' : '';
  const other =
    baselineEngine && baselineEngine !== engine
      ? ` The baseline was made by ${baselineEngine}, this picture by ${engine}.${cut}`
      : cut;
  if (outcome === 'changed') {
    return {
      rule: 'screenshots/changed',
      severity: 'error',
      message:
        `${name} differs from its baseline in ${percent(difference ?? 1)} of the picture ` +
        `(${percent(policy.differenceMax)} may), in rows ${rowsOf(bands)}.${other}`,
      fix: 'Look at the picture of the difference; approve it if it is meant.',
      ...about,
    };
  }
  return {
    rule: 'screenshots/unchanged',
    severity: 'pass',
    message: `${name} looks as approved${difference ? ` (${percent(difference)} differs)` : ''}.${other}`,
    ...about,
  };
}

/** One finding for each picture; passes are findings too. */
export function screenshotFindings(comparisons: readonly Comparison[], policy: Policy['screenshots']): Finding[] {
  return comparisons.map((comparison) => findingOf(comparison, policy));
}
