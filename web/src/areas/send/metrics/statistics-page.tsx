import { Alert, Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { ModeNote } from '../../../shared/send/mode-note.tsx';
import tables from '../../../shared/send/send.module.css';
import { About, TrackingNote } from './about.tsx';
import { Breakdown } from './breakdown.tsx';
import { Filters, type Change } from './filters.tsx';
import { COUNTS, DIMENSION_NAMES, measureOf, measuresOf, sumOf } from './measures.ts';
import { bucketKey, periodBefore, periodName, periodOf, type Period } from './period.ts';
import { Series, Unmeasured, type Figures } from './series.tsx';
import { filtersOf, seriesQuery } from './statistics-api.ts';
import { isFiltered, type StatisticsSearch } from './statistics-search.ts';
import classes from './statistics.module.css';
import { useTracked, type Tracked } from './use-tracked.ts';

const UNTRACKED = {
  open: 'No domain here tracks opens, so nobody knows how many there were.',
  click: 'No domain here tracks clicks, so nobody knows how many there were.',
};

function Charts({
  figures,
  search,
  tracked,
  file,
}: {
  figures: Figures;
  search: StatisticsSearch;
  tracked: Tracked;
  file: string;
}) {
  const filtered = DIMENSION_NAMES.filter((name) => search[name] !== undefined);
  const total = sumOf([...figures.now, ...(figures.before ?? [])]);
  return (
    <div className={classes.charts}>
      {measuresOf(filtered).map((name) => {
        const { needs } = measureOf(name);
        return needs && !tracked.isMeasured(name, { domain: search.domain, now: total }) ? (
          <Unmeasured key={name} name={name} why={UNTRACKED[needs]} />
        ) : (
          <Series key={name} name={name} figures={figures} file={file} />
        );
      })}
    </div>
  );
}

function Empty({ search }: { search: StatisticsSearch }) {
  if (isFiltered(search))
    return (
      <Notice
        title="No figures match"
        action={
          <Button variant="default" renderRoot={(props) => <Link to="/statistics" search={{}} {...props} />}>
            All figures
          </Button>
        }
      >
        Nothing of this period matches what you chose. Take a filter away, or choose a longer period.
      </Notice>
    );
  return (
    <Notice
      title="No figures in this period"
      action={<Button renderRoot={(props) => <Link to="/messages/new" {...props} />}>Send a test</Button>}
    >
      Nothing was sent in this period. Send a message from here, or from your program with{' '}
      <code>POST /v3/your-domain/messages</code>: its figures are here within seconds. If you have sent before, choose a
      longer period.
    </Notice>
  );
}

function Shown({
  period,
  search,
  now,
  change,
}: {
  period: Period;
  search: StatisticsSearch;
  now: Date;
  change: Change;
}) {
  const isCompared = search.compare !== 'off';
  const filters = filtersOf(search);
  const current = useQuery(seriesQuery(period, filters));
  const earlier = useQuery(seriesQuery(periodBefore(period), filters, isCompared));
  const tracked = useTracked(period, search.domain);
  const error = current.error ?? earlier.error;
  if (error)
    return (
      <Alert color="red" title="The figures could not be loaded">
        {sentenceOf(error)}
      </Alert>
    );
  if (!current.data || (isCompared && !earlier.data)) return <Skeleton height={420} />;
  // An answer of the choice before is shown until the new one is there: never beside other hours or days.
  if (current.data.length !== period.buckets.length) return <Skeleton height={420} />;
  const before = isCompared && earlier.data?.length === period.buckets.length ? earlier.data : undefined;
  const figures: Figures = { period, now: current.data, before, isOpen: period.end > now };
  const isKept = before !== undefined && ![...figures.now, ...before].includes(undefined);
  const total = sumOf([...figures.now, ...(before ?? [])]);
  const file = [period.buckets[0] as Date, period.buckets.at(-1) as Date]
    .map((at) => bucketKey(at, period.resolution).replace(/[ :]/g, '-'))
    .join('-to-');
  return (
    <>
      <p className={classes.said} role="status">
        <span>{periodName(period)}, UTC</span>
        {before && (
          <span>
            <span className={classes.dash} aria-hidden="true" /> before: {periodName(periodBefore(period))}
          </span>
        )}
        {before && !isKept && <span>The period before is not kept in full, so nothing is compared with it.</span>}
        {isKept && figures.isOpen && (
          <span>Differences in the charts leave out the {period.resolution} that is not over.</span>
        )}
      </p>
      {COUNTS.every((name) => total[name] === 0) ? (
        <Empty search={search} />
      ) : (
        <>
          <TrackingNote tracked={tracked} />
          <h2 className={tables.part}>Over time</h2>
          <Charts figures={figures} search={search} tracked={tracked} file={file} />
          <Breakdown
            period={period}
            search={search}
            isOpen={figures.isOpen}
            isComparable={isKept}
            file={file}
            change={change}
            isMeasured={tracked.isMeasured}
          />
        </>
      )}
    </>
  );
}

/** Figures of what was sent: over time, against the period before, and told apart. */
export function StatisticsPage() {
  const search = useSearch({ from: '/shell/statistics' });
  const navigate = useNavigate();
  // One now for as long as the page is open: what is asked for stays the same.
  const [now] = useState(() => new Date());
  const period = periodOf(search, now);
  const change: Change = (changes) => {
    const next = Object.fromEntries(Object.entries({ ...search, ...changes }).filter(([, value]) => value));
    void navigate({ to: '/statistics', search: next, replace: true, resetScroll: false });
  };
  return (
    <>
      <PageHead title="Statistics" lead={<ModeNote />} />
      <Filters search={search} period={period} now={now} change={change} />
      {period ? (
        <Shown period={period} search={search} now={now} change={change} />
      ) : (
        <Notice title="Choose other dates">
          The first date must not be later than the last or than today, and figures are kept for 400 days.
        </Notice>
      )}
      <About />
    </>
  );
}
