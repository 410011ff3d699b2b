import { checkView, countsOf } from '../../../engines/reports/index.ts';
import {
  policyAsWritten,
  type Comparison,
  type GateRules,
  type Judged,
  type Policy,
} from '../../../engines/gate/index.ts';
import type { Baseline, BaselinePicture, GateHead } from './store.ts';

interface GateShown {
  id: string;
  name: string;
  email: string;
  baseline: string | null;
  policy: Policy;
  rules: GateRules;
  screenshots: readonly Comparison[];
  /** Names of baselines, by client. */
  approved: ReadonlyMap<string, readonly string[]>;
  path: string;
}

/** A gate that has not ended, or failed. */
export function emptyView({ id, name, rules }: Pick<GateShown, 'id' | 'name' | 'rules'>, head: GateHead | undefined) {
  return {
    id,
    name,
    email: head?.email ?? null,
    verdict: null,
    reasons: [],
    counts: null,
    policy: head ? policyAsWritten(head.policy, rules) : null,
    limits: [],
    checks: [],
    baseline: head?.baseline ?? null,
    screenshots: [],
  };
}

export function gateView(
  { verdict, checks, limits }: Judged,
  { id, name, email, baseline, policy, rules, screenshots, approved, path }: GateShown,
) {
  return {
    id,
    name,
    email,
    verdict: verdict.passed ? ('pass' as const) : ('fail' as const),
    reasons: [...verdict.reasons],
    counts: countsOf(checks),
    policy: policyAsWritten(policy, rules),
    limits,
    checks: checks.map(checkView),
    baseline,
    screenshots: screenshots.map((shot) => screenshotView(shot, { path, approved: approved.get(shot.client) ?? [] })),
  };
}

function screenshotView(
  { client, name, outcome, difference, bands, width, engine, baselineEngine, isCut = false, error }: Comparison,
  { path, approved }: { path: string; approved: readonly string[] },
) {
  const at = (which: string) => ({ [which]: `${path}/pictures/${client}/${which}` });
  const thumbnail = `${path}/pictures/${client}/${outcome === 'changed' ? 'difference' : 'current'}?size=thumbnail`;
  const links =
    outcome === 'not_made'
      ? {}
      : { ...at('current'), ...(outcome === 'changed' && { ...at('baseline'), ...at('difference') }), thumbnail };
  return {
    client,
    name,
    outcome,
    difference,
    bands,
    width: width ?? null,
    engine: engine ?? null,
    baseline_engine: baselineEngine ?? null,
    is_cut: isCut,
    approved_as: [...approved],
    ...(error !== undefined && { error }),
    links,
  };
}

/** `gateIds` are the gates that still exist. */
export function baselineView(
  { name, pictures, approvedAt }: Baseline,
  { path, gateIds }: { path: string; gateIds: ReadonlySet<string> },
) {
  const approvedView = ({ clientId, engine, gateId, approvedAt: at }: BaselinePicture) => {
    const picture = `${path}/${encodeURIComponent(name)}/pictures/${clientId}`;
    return {
      client: clientId,
      engine,
      gate_id: gateIds.has(gateId) ? gateId : null,
      approved_at: at.toISOString(),
      links: { picture, thumbnail: `${picture}?size=thumbnail` },
    };
  };
  return {
    name,
    clients: pictures.map(({ clientId }) => clientId),
    pictures: pictures.map(approvedView),
    approved_at: approvedAt.toISOString(),
  };
}
