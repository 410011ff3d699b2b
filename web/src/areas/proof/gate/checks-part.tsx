import { Alert, Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { everyPlace } from '../../../shared/report/every-place.ts';
import reportClasses from '../../../shared/report/report.module.css';
import { Split, useChoice } from '../../../shared/report/split.tsx';
import { Notice } from '../../../ground/shell/page.tsx';
import { SidewaysBar } from '../../../ground/shell/sideways.tsx';
import { FindingCard } from '../../../shared/findings/finding-card.tsx';
import {
  findingsIn,
  groupFindings,
  numbered,
  type FindingGroup,
  type Numbered,
} from '../../../shared/findings/finding-groups.ts';
import { useFindingSteps } from '../../../shared/findings/use-finding-steps.ts';
import type { GateCheck, GateItems, JudgedFinding } from './gate-api.ts';
import type { Shown } from './gate-search.ts';
import classes from './gate.module.css';

const FITS: Record<Shown, (finding: JudgedFinding) => boolean> = {
  failing: ({ fails }) => fails,
  problems: ({ severity, ignored }) => severity !== 'pass' && ignored === undefined,
  ignored: ({ ignored }) => ignored !== undefined,
  passed: ({ severity }) => severity === 'pass',
};
const NAMES: Record<Shown, string> = {
  failing: 'Failing',
  problems: 'All problems',
  ignored: 'Ignored',
  passed: 'Passed',
};

/** The first of a group: the policy makes the same of all. */
function judged({ items }: FindingGroup): JudgedFinding | undefined {
  return items.map(({ finding }) => finding as JudgedFinding)[0];
}

function About({ group }: { group: FindingGroup }) {
  const { fails, ignored } = judged(group) ?? {};
  if (fails) return <Chip tone="bad">fails</Chip>;
  return ignored === undefined ? null : <span className={classes.ignored}>ignored: {ignored}</span>;
}

interface Listed {
  check: GateCheck;
  groups: FindingGroup[];
}

/** The findings of each check that are shown. Findings that are ignored for different reasons stay apart. */
function listedOf(checks: readonly GateCheck[], all: readonly Numbered[], shown: Shown): Listed[] {
  let at = 0;
  return checks.map((check) => {
    const own = all
      .slice(at, (at += check.findings.flatMap(everyPlace).length))
      .filter(({ finding }) => FITS[shown](finding as JudgedFinding));
    return {
      check,
      groups: [...Map.groupBy(own, ({ finding }) => (finding as JudgedFinding).ignored).values()].flatMap(
        groupFindings,
      ),
    };
  });
}

function Check({
  listed: { check, groups },
  selected,
  onChoose,
}: {
  listed: Listed;
  selected: number | undefined;
  onChoose: (number: number) => void;
}) {
  if (check.status === 'complete' && groups.length === 0) return null;
  return (
    <section aria-label={check.title}>
      <h2 className={classes.checkTitle}>{check.title}</h2>
      {check.status === 'failed' && (
        <Alert color="red" title="This check could not run">
          {check.error}
        </Alert>
      )}
      {groups.map((group) => (
        <FindingCard
          key={`${group.severity} ${group.rule} ${judged(group)?.ignored ?? ''}`}
          group={group}
          about={<About group={group} />}
          selected={selected}
          onChoose={onChoose}
        />
      ))}
    </section>
  );
}

/** The findings of each check, how the policy judges them, and the message next to them. */
export function ChecksPart({ gate: { id, checks } }: { gate: GateItems }) {
  const search = useSearch({ from: '/shell/gate/$gateId' });
  const navigate = useNavigate();
  const [only, setOnly] = useState('');
  const all = useMemo(() => numbered(checks.flatMap(({ findings }) => findings)), [checks]);
  const placed = useMemo(() => all.map(({ finding }) => finding), [all]);
  const number = (one: Shown): number => findingsIn(all.filter(({ finding }) => FITS[one](finding as JudgedFinding)));
  const standard: Shown = number('failing') > 0 ? 'failing' : 'problems';
  const shown = search.show ?? standard;
  const show = (one: Shown): void =>
    void navigate({ to: '.', search: one === standard ? {} : { show: one }, replace: true, resetScroll: false });
  const listed = useMemo(
    () => listedOf(checks, all, shown).filter(({ check }) => only === '' || check.check === only),
    [checks, all, shown, only],
  );
  const chooser = useChoice();
  const { choose, pick } = useFindingSteps(
    listed.flatMap(({ groups }) => groups),
    chooser,
  );
  const isEmpty = listed.every(({ check, groups }) => check.status === 'complete' && groups.length === 0);
  const offered = (Object.keys(NAMES) as Shown[]).filter(
    (one) => one === shown || one === 'problems' || number(one) > 0,
  );
  return (
    <Split gateId={id} placed={placed} chooser={chooser} onPick={pick}>
      <div className={reportClasses.filters} role="search" aria-label="Filters">
        <SidewaysBar>
          <SegmentedControl
            aria-label="Show"
            value={shown}
            onChange={(value) => show(value as Shown)}
            data={offered.map((value) => ({ value, label: `${NAMES[value]} ${number(value)}` }))}
          />
        </SidewaysBar>
        <NativeSelect
          aria-label="Check"
          value={only}
          onChange={(event) => setOnly(event.currentTarget.value)}
          data={[
            { value: '', label: 'All checks' },
            ...checks.map(({ check, title }) => ({ value: check, label: title })),
          ]}
        />
      </div>
      {listed.map((one) => (
        <Check key={one.check.check} listed={one} selected={chooser.choice.selected} onChoose={choose} />
      ))}
      {isEmpty && (
        <Notice
          title={shown === 'problems' && only === '' ? 'No problems found' : 'No findings match this filter'}
          action={
            only && (
              <Button variant="default" onClick={() => setOnly('')}>
                All checks
              </Button>
            )
          }
        />
      )}
    </Split>
  );
}
