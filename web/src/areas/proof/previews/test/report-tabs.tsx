import { useQueries } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { TestInfo } from '../../../../ground/api.ts';
import { useProof } from '../../../../shared/proof/proof.ts';
import { checkOf, CHECK_NAMES, CHECKS, isChecking, type CheckName } from '../../../../ground/checks.ts';
import { inspectionQuery, type Inspection, type Severity } from '../../../../shared/report/report-api.ts';
import classes from '../../../../shared/report/report.module.css';
import { TabNav } from '../../../../shared/report/tab-nav.tsx';
import { count } from '../../../../ground/words.ts';

interface Tally {
  severity: Severity;
  number: number;
}

/** How many errors, or warnings where there are none. */
function tallyOf(inspections: readonly Inspection[]): Tally {
  const findings = inspections.flatMap((inspection) => inspection.findings);
  for (const severity of ['error', 'warning'] as const) {
    const number = findings.filter((finding) => finding.severity === severity).length;
    if (number > 0) return { severity, number };
  }
  return { severity: 'pass', number: 0 };
}

function TallyMark({ tally }: { tally: Tally }) {
  if (tally.severity === 'pass')
    return (
      <span className={classes.tally} data-severity="pass" role="img" aria-label="no problems">
        ✓
      </span>
    );
  return (
    <span className={classes.tally} data-severity={tally.severity} title={count(tally.number, tally.severity)}>
      {tally.number}
      <span className="visually-hidden"> {tally.number === 1 ? tally.severity : `${tally.severity}s`}</span>
    </span>
  );
}

/** The inspections of a test that are done, by check. */
export function useInspections(test: TestInfo): Map<CheckName, Inspection> {
  const done = CHECK_NAMES.flatMap((name) => {
    const check = checkOf(test, name);
    return check.state === 'done' ? [{ name, id: check.id }] : [];
  });
  const found = useQueries({ queries: done.map(({ id }) => inspectionQuery(id)) });
  return new Map(
    done.flatMap(({ name }, place) => {
      const data = found[place]?.data;
      return data ? [[name, data] as const] : [];
    }),
  );
}

const pageOf = (name: CheckName): string | null => (CHECKS[name] as { page: string | null }).page;

/** The pages of a test's report. */
export function ReportTabs({ testId, test }: { testId: string; test: TestInfo }) {
  const { clients } = useProof();
  const inspections = useInspections(test);
  const { check: filter } = useSearch({ strict: false }) as { check?: CheckName };
  // A check without a page of its own has the findings that are filtered by it.
  const isOneByItsFilter = filter !== undefined && pageOf(filter) === null;
  const tab = (
    { path, check }: { path: string; check?: CheckName },
    name: string,
    { tally, isRunning }: { tally: Tally | undefined; isRunning: boolean },
  ) => (
    <Link
      key={check ?? path}
      to={`/previews/$testId/${path}` as '/previews/$testId/findings'}
      params={{ testId }}
      search={check && { check }}
      className={classes.tab}
      activeOptions={{ exact: true, includeSearch: check !== undefined || isOneByItsFilter }}
      activeProps={{ 'aria-current': 'page' }}
      resetScroll={false}
    >
      {name}
      {isRunning ? (
        <span className={classes.tally} role="img" aria-label="check in progress">
          …
        </span>
      ) : (
        tally && <TallyMark tally={tally} />
      )}
    </Link>
  );
  return (
    <TabNav label="Report">
      <Link
        to="/previews/$testId"
        params={{ testId }}
        className={classes.tab}
        activeOptions={{ exact: true, includeSearch: false }}
        activeProps={{ 'aria-current': 'page' }}
        resetScroll={false}
      >
        Screenshots <span className={classes.tally}>{clients.length}</span>
      </Link>
      {tab({ path: 'inbox' }, 'Inbox', { tally: undefined, isRunning: false })}
      {tab({ path: 'findings' }, 'Findings', {
        tally: inspections.size > 0 ? tallyOf([...inspections.values()]) : undefined,
        isRunning: isChecking(test),
      })}
      {CHECK_NAMES.map((name) => {
        const inspection = inspections.get(name);
        const page = pageOf(name);
        return tab(page === null ? { path: 'findings', check: name } : { path: page }, CHECKS[name].name, {
          tally: inspection && tallyOf([inspection]),
          isRunning: checkOf(test, name).state === 'running',
        });
      })}
    </TabNav>
  );
}
