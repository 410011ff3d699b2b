import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useProof } from '../../../shared/proof/proof.ts';
import { CheckGate, Checking, NotLoaded } from '../../../shared/report/check-gate.tsx';
import { everyPlace } from '../../../shared/report/every-place.ts';
import {
  accessibilityQuery,
  inspectionQuery,
  type AccessibilityReport,
  type Finding,
} from '../../../shared/report/report-api.ts';
import reportClasses from '../../../shared/report/report.module.css';
import { Split, useChoice } from '../../../shared/report/split.tsx';
import { Notice } from '../../../ground/shell/page.tsx';
import { Contrasts } from './contrasts.tsx';
import { Repair } from './repair.tsx';
import { RuleCard } from './rule-card.tsx';
import { contrastsOf, rulesOf, type Outcome } from './rules.ts';
import { ScorePanel } from './score-panel.tsx';

interface ReportProps {
  testId: string;
  id: string;
  report: AccessibilityReport;
  findings: Finding[];
}

function Report({ testId, id, report, findings: told }: ReportProps) {
  const findings = useMemo(() => told.flatMap(everyPlace), [told]);
  const { title } = useProof();
  const [outcome, setOutcome] = useState<Outcome>('failures');
  const chooser = useChoice();
  const { selected } = chooser.choice;
  const rules = useMemo(() => rulesOf(report, findings, outcome), [report, findings, outcome]);
  const contrasts = useMemo(() => contrastsOf(findings), [findings]);
  const fixable = findings.filter(
    ({ details }) => details?.['fixable'] === true && details['outcome'] === 'failure',
  ).length;
  const choose = (number: number): void => chooser.choose(selected === number ? undefined : number);
  const pick = (numbers: number[]): void => {
    const visible = rules
      .flatMap(({ places }) => places.map(({ number }) => number))
      .filter((number) => numbers.includes(number));
    const next = visible[(visible.indexOf(selected ?? -1) + 1) % visible.length];
    if (next === undefined) return;
    chooser.choose(next);
    requestAnimationFrame(() => document.getElementById(`finding-${next}`)?.scrollIntoView({ block: 'center' }));
  };
  return (
    <Split testId={testId} placed={findings} chooser={chooser} onPick={pick}>
      <h2 className="visually-hidden">Accessibility</h2>
      <ScorePanel report={report} />
      <Repair id={id} subject={title} fixable={fixable} />
      <Contrasts contrasts={contrasts} selected={selected} onChoose={choose} />
      <h3 className={reportClasses.sectionTitle}>Rules</h3>
      <div className={reportClasses.filters}>
        <SegmentedControl
          aria-label="Outcome"
          value={outcome}
          onChange={(value) => setOutcome(value as Outcome)}
          data={[
            { value: 'failures', label: `Failures ${report.failures.length}` },
            { value: 'needs_review', label: `Needs review ${report.needs_review.length}` },
            { value: 'passes', label: `Passes ${report.passes.length}` },
          ]}
        />
      </div>
      {rules.map((shown) => (
        <RuleCard key={`${shown.outcome} ${shown.rule.rule}`} shown={shown} selected={selected} onChoose={choose} />
      ))}
      {rules.length === 0 && (
        <Notice
          title={
            outcome === 'failures'
              ? 'No failures'
              : outcome === 'needs_review'
                ? 'Nothing needs review'
                : 'No rule passed'
          }
        />
      )}
    </Split>
  );
}

function AccessibilityTest({ testId, id }: { testId: string; id: string }) {
  const test = useQuery(accessibilityQuery(id));
  const inspection = useQuery(inspectionQuery(id));
  const error = test.error ?? inspection.error;
  if (error && !(test.data && inspection.data))
    return <NotLoaded error={error} retry={() => void Promise.all([test.refetch(), inspection.refetch()])} />;
  const report = test.data?.items[0];
  if (!report || !inspection.data) return <Checking name="accessibility" />;
  return <Report testId={testId} id={id} report={report} findings={inspection.data.findings} />;
}

/** How accessible a message is, where it fails, and how it is repaired. */
export function AccessibilityPage() {
  const { testId = '' } = useProof();
  return (
    <div className={reportClasses.body}>
      <CheckGate testId={testId} name="accessibility">
        {(id) => <AccessibilityTest testId={testId} id={id} />}
      </CheckGate>
    </div>
  );
}
