import {
  featureViews,
  findingsOf,
  scoreFor,
  supportAggregates,
  unpackAnalysis,
  type CodeAnalysis,
  type CodeScore,
  type ResultFilter,
} from '../../../engines/code-analysis/index.ts';
import type { Inspection, InspectionStatus } from '../_inspections/index.ts';
import { audienceOf, type ChosenAudience } from './audience.ts';
import { inboxView } from './inbox.ts';
import { isOfCode, type CodeResult } from './inspection.ts';

/** The wire's words for the states. */
export function statusView(status: InspectionStatus): 'Processing' | 'Completed' | 'Failed' {
  return status === 'Complete' ? 'Completed' : status;
}

interface Wanted {
  filter: ResultFilter;
  /** Ids of instances. */
  resolved: ReadonlySet<string>;
  /** Instead of the one that the analysis was made for. */
  audience?: ChosenAudience;
}

/** A version of an analysis; one that is not complete has no features. */
export function analysisView(
  { id, version, status, result, findings, error }: Inspection<CodeResult>,
  { filter, resolved, audience: asked }: Wanted,
) {
  const meta = { status: statusView(status), version };
  if (!result) return { meta: { ...meta, ...(error !== null && { error }) }, items: { id, version, features: [] } };
  const analysis = unpackAnalysis(result.analysis);
  const audience = audienceOf(asked ?? result.audience);
  const features = featuresOf(analysis, filter, resolved);
  const score = scoreFor(analysis, audience);
  return {
    meta: {
      ...meta,
      count: features.length,
      ...supportAggregates(analysis, audience),
      audience: { ...(audience.id !== undefined && { id: audience.id }), name: audience.name },
      ...(filter.groupBy && { grouped_by: filter.groupBy }),
    },
    items: {
      id,
      version,
      features,
      score: scoreView(score),
      suggestions: suggestionsOf(score),
      findings: asked
        ? [...findingsOf(analysis, { audience }), ...findings.filter((finding) => !isOfCode(finding))]
        : findings,
      inbox: result.inbox.map(inboxView),
      not_looked_for: analysis.notLookedFor,
      complete: analysis.complete,
      source_bytes: analysis.sourceBytes,
      data_date: analysis.dataDate,
    },
  };
}

function featuresOf(analysis: CodeAnalysis, filter: ResultFilter, resolved: ReadonlySet<string>) {
  const bySlug = new Map(analysis.features.map((feature) => [feature.slug, feature]));
  return featureViews(analysis, filter, resolved).map((view) => {
    const { instanceCount, suggestion, lastTestDate, url } = bySlug.get(view.slug)!;
    return {
      ...view,
      instance_count: instanceCount,
      ...(suggestion !== undefined && { suggestion }),
      last_test_date: lastTestDate,
      url,
    };
  });
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}

function scoreView({ overall, perClient, breakages, explanation }: CodeScore) {
  return {
    overall,
    per_client: perClient.map((client) => ({ ...client, share: rounded(client.share) })),
    breakages: breakages.map(({ slug, title, instanceCount, share, points, clients }) => ({
      slug,
      name: title,
      instance_count: instanceCount,
      share: rounded(share),
      points,
      clients,
    })),
    explanation,
  };
}

/** Each piece of advice once, the one that brings most first. */
function suggestionsOf({ breakages }: CodeScore) {
  const byText = Map.groupBy(
    breakages.filter(({ suggestion }) => suggestion !== undefined),
    ({ suggestion }) => suggestion!,
  );
  return [...byText]
    .map(([suggestion, meant]) => ({
      suggestion,
      slugs: meant.map(({ slug }) => slug),
      points: Math.round(meant.reduce((sum, { points }) => sum + points, 0) * 100) / 100,
      instance_count: meant.reduce((sum, { instanceCount }) => sum + instanceCount, 0),
    }))
    .sort((a, b) => b.points - a.points);
}
