import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useProof } from '../../../shared/proof/proof.ts';
import { CheckGate, Checking, NotLoaded } from '../../../shared/report/check-gate.tsx';
import { everyPlace } from '../../../shared/report/every-place.ts';
import {
  analysisQuery,
  dictionaryQuery,
  type Analysis,
  type AnalyzedFeature,
  type Severity,
} from '../../../shared/report/report-api.ts';
import reportClasses from '../../../shared/report/report.module.css';
import { Split, useChoice } from '../../../shared/report/split.tsx';
import type { Placed } from '../../../shared/report/viewer.tsx';
import { FeatureTable, type FeatureTableState, type Names } from './feature-table.tsx';
import { Hygiene, type HygieneItem } from './hygiene.tsx';
import { InboxRows } from './inbox-rows.tsx';
import { ScoreSection } from './score-section.tsx';
import { levelOf, supportOf } from './support.ts';

const NO_NAMES: Names = { clients: {}, platforms: {} };

function severityOf(feature: AnalyzedFeature, costs: ReadonlyMap<string, number>): Severity {
  if ((costs.get(feature.slug) ?? 0) >= 1) return 'warning';
  return [...supportOf(feature).values()].some((platforms) => levelOf(platforms) !== 'y') ? 'info' : 'pass';
}

/** The places of all features, and of hygiene, with numbers that the viewer and the lists share. */
function placesOf({ items }: Analysis) {
  const costs = new Map((items.score?.breakages ?? []).map(({ slug, points }) => [slug, points]));
  const placed: Placed[] = [];
  const numbers = new Map<string, number>();
  const features: (string | undefined)[] = [];
  for (const feature of items.features) {
    const severity = severityOf(feature, costs);
    for (const { id, line, column } of feature.instances) {
      numbers.set(id, placed.length);
      placed.push({ severity, where: { line, column } });
      features.push(feature.slug);
    }
  }
  const hygiene: HygieneItem[] = [];
  for (const finding of (items.findings ?? []).flatMap(everyPlace)) {
    if (!finding.rule.startsWith('hygiene/')) continue;
    hygiene.push({ number: placed.length, finding });
    placed.push(finding);
    features.push(undefined);
  }
  return { costs, placed, numbers, features, hygiene };
}

interface CodeProps {
  testId: string;
  analysis: Analysis;
  audience: string | undefined;
  onAudience: (audience: string | undefined) => void;
}

function Code({ testId, analysis, audience, onAudience }: CodeProps) {
  const { title } = useProof();
  const { data: lookups } = useQuery(dictionaryQuery);
  const chooser = useChoice('source');
  const { selected } = chooser.choice;
  const { costs, placed, numbers, features, hygiene } = useMemo(() => placesOf(analysis), [analysis]);
  const [table, setTable] = useState<FeatureTableState>({
    scope: 'problems',
    words: '',
    isWide: false,
    open: new Set(),
  });
  const names: Names = lookups ?? NO_NAMES;
  const choose = (number: number): void => chooser.choose(selected === number ? undefined : number);
  const openFeature = (slug: string): void => {
    setTable((before) => ({ ...before, scope: 'all', words: '', open: new Set([...before.open, slug]) }));
    requestAnimationFrame(() => document.getElementById(`feature-${slug}`)?.scrollIntoView({ block: 'center' }));
  };
  const pick = (picked: number[]): void => {
    const next = picked[(picked.indexOf(selected ?? -1) + 1) % picked.length];
    if (next === undefined) return;
    chooser.choose(next);
    const slug = features[next];
    if (slug) openFeature(slug);
    else requestAnimationFrame(() => document.getElementById(`finding-${next}`)?.scrollIntoView({ block: 'center' }));
  };
  const { score, complete } = analysis.items;
  return (
    <Split testId={testId} placed={placed} chooser={chooser} onPick={pick}>
      <h2 className="visually-hidden">Code</h2>
      {complete === false && (
        <Alert mb="md" title="Only the first part was analyzed">
          The message is larger than the analysis limit.
        </Alert>
      )}
      {score && (
        <ScoreSection
          score={score}
          analysis={analysis}
          audience={audience}
          onAudience={onAudience}
          onFeature={openFeature}
        />
      )}
      <FeatureTable
        features={analysis.items.features}
        names={names}
        numbers={numbers}
        costs={costs}
        selected={selected}
        state={table}
        onState={(changes) => setTable((before) => ({ ...before, ...changes }))}
        onChoose={choose}
      />
      <Hygiene items={hygiene} analysis={analysis} selected={selected} onChoose={choose} />
      <InboxRows rows={analysis.items.inbox ?? []} title={title} />
    </Split>
  );
}

function CodeAnalysis({ testId, id }: { testId: string; id: string }) {
  const [audience, setAudience] = useState<string>();
  const analysis = useQuery(analysisQuery(id, audience));
  if (analysis.error && !analysis.data)
    return <NotLoaded error={analysis.error} retry={() => void analysis.refetch()} />;
  if (!analysis.data || analysis.data.meta.status === 'Processing') return <Checking name="code_analysis" />;
  return <Code testId={testId} analysis={analysis.data} audience={audience} onAudience={setAudience} />;
}

/** Which clients support what the message's HTML and CSS use, and what that costs. */
export function CodePage() {
  const { testId = '' } = useProof();
  return (
    <div className={reportClasses.body}>
      <CheckGate testId={testId} name="code_analysis">
        {(id) => <CodeAnalysis testId={testId} id={id} />}
      </CheckGate>
    </div>
  );
}
