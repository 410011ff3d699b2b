// What the checks find in an email, as the page lists it.
import { atEachPlace } from '../../../engines/findings/index.ts';
import type { Policy } from '../../../engines/gate/index.ts';
import type { MergeData } from '../../../engines/mail-template/index.ts';
import { placeName, worstFirst } from '../../../engines/reports/index.ts';
import type { GateDoors } from '../../../features/proof/gate/index.ts';
import { checkAll } from '../check/check-all.ts';
import { readOptions } from '../check/options.ts';
import { UsageError } from '../usage.ts';

export interface Found {
  rule: string;
  severity: string;
  message: string;
  fix: string | null;
  fails: boolean;
  /** Where it stands: `12`, or `parts/footer.tsx:4` in another file; at most so many as a page can show. */
  places: string[];
  /** In how many places. */
  count: number;
}

const PLACES_SHOWN = 12;

/** The findings that somebody can do something about, worst first. Throws what `galley check` does. */
export async function findingsOf(
  outside: GateDoors,
  source: string,
  given: { policy: Policy; data: MergeData | undefined; signal: AbortSignal },
): Promise<Found[]> {
  const options = readOptions(['--', source]);
  if (!options) throw new UsageError('The checks could not be asked for.');
  const [checked] = await checkAll(outside, [source], { options, ...given });
  const findings = checked!.report.checks.flatMap((check) => check.findings);
  return worstFirst(findings)
    .filter(({ severity, ignored }) => severity !== 'pass' && ignored === undefined)
    .map((finding) => {
      const lines = atEachPlace(finding).flatMap(
        ({ where }) => placeName({ file: where?.file, line: where?.line }) ?? [],
      );
      const { rule, severity, message, fix = null, fails, count = 1 } = finding;
      return { rule, severity, message, fix, fails, places: [...new Set(lines)].slice(0, PLACES_SHOWN), count };
    });
}
