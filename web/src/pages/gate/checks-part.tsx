import { Alert, Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Chip } from '../../mail/test-state.tsx';
import reportClasses from '../../report/report.module.css';
import { Notice } from '../../shell/page.tsx';
import { FindingCard } from '../findings/finding-card.tsx';
import { groupFindings, numbered, type FindingGroup } from '../findings/finding-groups.ts';
import { findingsOf, type GateCheck, type GateItems, type JudgedFinding } from './gate-api.ts';
import type { Shown } from './gate-search.ts';
import classes from './gate.module.css';

const FITS: Record<Shown, (finding: JudgedFinding) => boolean> = {
  failing: ({ fails }) => fails,
  problems: ({ severity, ignored }) => severity !== 'pass' && ignored === undefined,
  ignored: ({ ignored }) => ignored !== undefined,
  passed: ({ severity }) => severity === 'pass',
};
const NAMES: Record<Shown, string> = { failing: 'Failing', problems: 'All problems', ignored: 'Ignored', passed: 'Passed' };

/** The first of a group: the policy makes the same of all. */
function judged({ items }: FindingGroup): JudgedFinding | undefined {
  return items.map(({ finding }) => finding as JudgedFinding)[0];
}

function About({ group }: { group: FindingGroup }) {
  const { fails, ignored } = judged(group) ?? {};
  if (fails) return <Chip tone="bad">fails</Chip>;
  return ignored === undefined ? null : <span className={classes.ignored}>ignored: {ignored}</span>;
}

function Check({ check, shown }: { check: GateCheck; shown: Shown }) {
  const groups = useMemo(() => {
    const fitting = findingsOf(check).filter(FITS[shown]);
    // Those that are ignored for different reasons are told apart.
    return [...Map.groupBy(fitting, ({ ignored }) => ignored).values()].flatMap((same) => groupFindings(numbered(same)));
  }, [check, shown]);
  if (check.status === 'complete' && groups.length === 0) return null;
  return (
    <section aria-label={check.title}>
      <h2 className={classes.checkTitle}>{check.title}</h2>
      {check.status === 'failed' && <Alert color="red" title="This check could not run">{check.error}</Alert>}
      {groups.map((group) => <FindingCard key={`${group.severity} ${group.rule} ${judged(group)?.ignored ?? ''}`} group={group} about={<About group={group} />} />)}
    </section>
  );
}

/** What each check found, and what the policy makes of it. */
export function ChecksPart({ gate: { checks } }: { gate: GateItems }) {
  const search = useSearch({ from: '/shell/gate/$gateId' });
  const navigate = useNavigate();
  const [only, setOnly] = useState('');
  const all = useMemo(() => checks.flatMap(findingsOf), [checks]);
  const number = (one: Shown): number => all.filter(FITS[one]).length;
  const standard: Shown = number('failing') > 0 ? 'failing' : 'problems';
  const shown = search.show ?? standard;
  const choose = (show: Shown): void => void navigate({ to: '.', search: show === standard ? {} : { show }, replace: true, resetScroll: false });
  const wanted = checks.filter(({ check }) => only === '' || check === only);
  const isEmpty = wanted.every((check) => check.status === 'complete' && !findingsOf(check).some(FITS[shown]));
  const offered = (Object.keys(NAMES) as Shown[]).filter((one) => one === shown || one === 'problems' || number(one) > 0);
  return (
    <div className={classes.checks}>
      <div className={reportClasses.filters} role="search" aria-label="Filters">
        <div className={classes.scroll}>
          <SegmentedControl aria-label="Which findings" value={shown} onChange={(value) => choose(value as Shown)} data={offered.map((value) => ({ value, label: `${NAMES[value]} ${number(value)}` }))} />
        </div>
        <NativeSelect aria-label="Check" value={only} onChange={(event) => setOnly(event.currentTarget.value)} data={[{ value: '', label: 'All checks' }, ...checks.map(({ check, title }) => ({ value: check, label: title }))]} />
      </div>
      {wanted.map((check) => <Check key={check.check} check={check} shown={shown} />)}
      {isEmpty && <Notice title={shown === 'problems' && only === '' ? 'Nothing is wrong' : 'Nothing with this filter'} action={only && <Button variant="default" onClick={() => setOnly('')}>All checks</Button>} />}
    </div>
  );
}
