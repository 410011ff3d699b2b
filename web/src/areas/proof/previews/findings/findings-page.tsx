import { Alert, Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, testQuery, type TestInfo } from '../../../../ground/api.ts';
import { useProof } from '../../../../shared/proof/proof.ts';
import { Checking, NotChecked, RunChecks } from '../../../../shared/report/check-gate.tsx';
import { checkOf, CHECK_NAMES, CHECKS } from '../../../../ground/checks.ts';
import { SEVERITIES, SEVERITY_NAMES } from '../../../../shared/report/severity.tsx';
import { Split, useChoice } from '../../../../shared/report/split.tsx';
import { ReportMenu } from '../../../../shared/report/report-menu.tsx';
import reportClasses from '../../../../shared/report/report.module.css';
import { Notice } from '../../../../ground/shell/page.tsx';
import { SidewaysBar } from '../../../../ground/shell/sideways.tsx';
import { count } from '../../../../ground/words.ts';
import { useInspections } from '../test/report-tabs.tsx';
import { FindingCard } from '../../../../shared/findings/finding-card.tsx';
import {
  clientFamilies,
  filterFindings,
  findingsIn,
  groupFindings,
  numbered,
  type Numbered,
} from '../../../../shared/findings/finding-groups.ts';
import classes from '../../../../shared/findings/findings.module.css';
import type { FindingsSearch } from '../../../../shared/findings/findings-search.ts';
import { useFindingSteps } from '../../../../shared/findings/use-finding-steps.ts';

function useFilters(): [
  FindingsSearch,
  (changes: { [Name in keyof FindingsSearch]: FindingsSearch[Name] | undefined }) => void,
] {
  const search = useSearch({ strict: false }) as FindingsSearch;
  const navigate = useNavigate();
  return [
    search,
    (changes) => {
      const next = Object.fromEntries(
        Object.entries({ ...search, ...changes }).filter(([, value]) => value !== undefined),
      );
      void navigate({ to: '.', search: next as never, replace: true, resetScroll: false });
    },
  ];
}

/** Which checks are not done, and why. */
function Missing({ testId, test }: { testId: string; test: TestInfo }) {
  const states = CHECK_NAMES.map((name) => ({ name, check: checkOf(test, name) }));
  const running = states.filter(({ check }) => check.state === 'running');
  const off = states.filter(({ check }) => check.state === 'off');
  return (
    <>
      {running.length > 0 && (
        <p className={classes.running} role="status">
          Checks in progress: {running.map(({ name }) => CHECKS[name].name).join(', ')}.
        </p>
      )}
      {states.map(
        ({ name, check }) =>
          check.state === 'failed' && (
            <Alert key={name} color="red" mb="md" title={`${CHECKS[name].name}: the check could not run`}>
              <p className={classes.failed}>{check.error}</p>
              <RunChecks testId={testId} names={[name]} size="compact-xs" />
            </Alert>
          ),
      )}
      {off.length > 0 && (
        <div className={classes.running}>
          Not checked: {off.map(({ name }) => CHECKS[name].name).join(', ')}.{' '}
          <RunChecks testId={testId} names={off.map(({ name }) => name)} size="compact-xs" />
        </div>
      )}
    </>
  );
}

/** Four filters stand in one row. */
const NARROW = { input: { paddingInlineStart: 9, paddingInlineEnd: 24 }, section: { width: 26 } };

interface FiltersProps {
  inspections: ReturnType<typeof useInspections>;
  all: Numbered[];
  shown: number;
}

function Filters({ inspections, all, shown }: FiltersProps) {
  const [search, change] = useFilters();
  const counted = useMemo(
    () => filterFindings(all, { ...search, severity: undefined } as FindingsSearch),
    [all, search],
  );
  const number = (severity: string): number =>
    findingsIn(counted.filter(({ finding }) => finding.severity === severity));
  const families = useMemo(() => clientFamilies(all), [all]);
  return (
    <div className={reportClasses.filters} role="search" aria-label="Filters">
      <SidewaysBar>
        <SegmentedControl
          aria-label="Severity"
          value={search.severity ?? ''}
          onChange={(severity) => change({ severity: (severity || undefined) as FindingsSearch['severity'] })}
          data={[
            { value: '', label: `Problems ${findingsIn(counted) - number('pass')}` },
            ...SEVERITIES.map((severity) => ({
              value: severity,
              label: `${SEVERITY_NAMES[severity].many} ${number(severity)}`,
            })),
          ]}
        />
      </SidewaysBar>
      <NativeSelect
        aria-label="Check"
        className={classes.select}
        styles={NARROW}
        value={search.check ?? ''}
        onChange={(event) => change({ check: (event.currentTarget.value || undefined) as FindingsSearch['check'] })}
        data={[
          { value: '', label: 'All checks' },
          ...CHECK_NAMES.map((name) => ({ value: name, label: CHECKS[name].name })),
        ]}
      />
      <NativeSelect
        aria-label="Client"
        className={classes.select}
        styles={NARROW}
        value={search.client ?? ''}
        onChange={(event) => change({ client: event.currentTarget.value || undefined })}
      >
        <option value="">All clients</option>
        <optgroup label="Families">
          {families.map(({ family }) => (
            <option key={family} value={family}>
              {family}
            </option>
          ))}
        </optgroup>
        {families
          .filter(({ family, clients }) => clients.length > 1 || clients[0] !== family)
          .map(({ family, clients }) => (
            <optgroup key={family} label={family}>
              {clients
                .filter((client) => client !== family)
                .map((client) => (
                  <option key={client} value={client}>
                    {client}
                  </option>
                ))}
            </optgroup>
          ))}
      </NativeSelect>
      <ReportMenu
        formats={['sarif', 'junit', 'json']}
        reported={[...inspections].map(([check, { id }]) => ({
          name: CHECKS[check].name,
          file: CHECKS[check].gate,
          load: (format) => api.call('GET /v1/inspections/{id}/report', { path: { id }, query: { format } }),
        }))}
      />
      <span className="visually-hidden" role="status">
        {count(shown, 'finding')}
      </span>
    </div>
  );
}

/** All findings of a message, with the message next to them. */
/** `links, images, accessibility and code` */
const LOOKED_AT = new Intl.ListFormat('en-GB').format(CHECK_NAMES.map((name) => CHECKS[name].name.toLowerCase()));

export function FindingsPage() {
  const { testId = '' } = useProof();
  const { data: test } = useSuspenseQuery(testQuery(testId));
  const inspections = useInspections(test);
  const states = CHECK_NAMES.map((name) => checkOf(test, name).state);
  if (states.every((state) => state === 'off'))
    return <NotChecked testId={testId} what={`The checks cover ${LOOKED_AT}.`} />;
  if (inspections.size === 0 && states.some((state) => state === 'running')) return <Checking name="accessibility" />;
  return <Findings testId={testId} test={test} inspections={inspections} />;
}

function Findings({
  testId,
  test,
  inspections,
}: {
  testId: string;
  test: TestInfo;
  inspections: ReturnType<typeof useInspections>;
}) {
  const signature = [...inspections.values()].map(({ id, version, status }) => `${id} ${version} ${status}`).join();
  const all = useMemo(() => numbered([...inspections.values()].flatMap(({ findings }) => findings)), [signature]);
  const [search, change] = useFilters();
  const shown = useMemo(
    () =>
      filterFindings(all, search).filter(({ finding }) => search.severity !== undefined || finding.severity !== 'pass'),
    [all, search],
  );
  const groups = useMemo(() => groupFindings(shown), [shown]);
  const placed = useMemo(() => all.map(({ finding }) => finding), [all]);
  const chooser = useChoice();
  const selected = chooser.choice.selected;
  const { choose, pick } = useFindingSteps(groups, chooser);
  return (
    <div className={reportClasses.body}>
      <Split testId={testId} placed={placed} chooser={chooser} onPick={pick}>
        <h2 className="visually-hidden">Findings</h2>
        <Filters inspections={inspections} all={all} shown={findingsIn(shown)} />
        <Missing testId={testId} test={test} />
        {groups.map((group) => (
          <FindingCard key={`${group.severity} ${group.rule}`} group={group} selected={selected} onChoose={choose} />
        ))}
        {groups.length === 0 && (
          <Notice
            title={
              all.length === 0
                ? 'No findings yet'
                : search.severity || search.check || search.client
                  ? 'No findings match these filters'
                  : 'No problems found'
            }
            action={
              (search.severity || search.check || search.client) && (
                <Button
                  variant="default"
                  onClick={() => change({ severity: undefined, check: undefined, client: undefined })}
                >
                  Clear filters
                </Button>
              )
            }
          >
            {all.length > 0 && !search.severity && !search.check && !search.client && 'Every check passed.'}
          </Notice>
        )}
      </Split>
    </div>
  );
}
