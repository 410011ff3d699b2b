import { checkView, countsOf } from '../../engines/findings/reports/index.ts';
import type { Comparison, Judged } from '../../engines/gate/index.ts';

interface GateShown {
  id: string;
  email: string;
  baseline: string | null;
  screenshots: readonly Comparison[];
  path: string;
}

/** A gate that has not ended, or failed. */
export function emptyView(id: string) {
  return { id, email: null, verdict: null, reasons: [], counts: null, limits: [], checks: [], baseline: null, screenshots: [] };
}

export function gateView({ verdict, checks, limits }: Judged, { id, email, baseline, screenshots, path }: GateShown) {
  return {
    id,
    email,
    verdict: verdict.passed ? ('pass' as const) : ('fail' as const),
    reasons: [...verdict.reasons],
    counts: countsOf(checks),
    limits,
    checks: checks.map(checkView),
    baseline,
    screenshots: screenshots.map((shot) => screenshotView(shot, path)),
  };
}

function screenshotView({ client, name, outcome, difference, bands, engine, baselineEngine, isCut = false, error }: Comparison, path: string) {
  const at = (which: string) => ({ [which]: `${path}/pictures/${client}/${which}` });
  const links = outcome === 'not_made' ? {} : { ...at('current'), ...(outcome === 'changed' && { ...at('baseline'), ...at('difference') }) };
  return { client, name, outcome, difference, bands, engine: engine ?? null, baseline_engine: baselineEngine ?? null, is_cut: isCut, ...(error !== undefined && { error }), links };
}
