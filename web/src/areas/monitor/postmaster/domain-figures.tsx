import { Alert, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sentenceOf } from '../../../ground/api.ts';
import { percent } from '../../../ground/words.ts';
import { Compliance } from './compliance.tsx';
import { DaysChart, type Series } from './days-chart.tsx';
import { daysUntil, ownComplaints, ownErrors, reputationWords } from './figure-words.ts';
import { FiguresTable } from './figures-table.tsx';
import { figuresQuery, type DomainProvider, type Figures } from './postmaster-api.ts';
import classes from './postmaster.module.css';
import { PROVIDER_LABELS } from './postmaster-search.ts';

/** From this share of spam reports on, Google and Yahoo act against a sender. */
const SPAM_LIMIT = 0.003;
const number = (value: number): string => Math.round(value).toLocaleString('en');
const shareOrNull = (share: number | null): string | null => (share === null ? null : percent(share));
const numberOrNull = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : number(value);

/** Google does not say how many. */
const DELIVERED: [string, (row: Figures) => string | null] = ['Delivered', (row) => numberOrNull(row.delivered)];

interface ChartsProps {
  provider: DomainProvider;
  days: readonly string[];
  rows: ReadonlyMap<string, Figures>;
}

function Charts({ provider, days, rows }: ChartsProps) {
  const label = PROVIDER_LABELS[provider];
  const series = (name: string, line: Series['line'], figure: (row: Figures) => number | null): Series => ({
    label: name,
    line,
    values: days.map((day) => {
      const row = rows.get(day);
      return row === undefined ? null : figure(row);
    }),
  });
  const delivered = series('Galley', 'dashed', ({ own }) => own?.delivered ?? null);
  return (
    <div className={classes.charts}>
      <DaysChart
        title="Spam reports"
        about={`By ${label}, of what it put into the inbox; beside, complaints that came back to Galley.`}
        days={days}
        series={[series(label, 'solid', (row) => row.spam_ratio), series('Galley', 'dashed', ownComplaints)]}
        limit={SPAM_LIMIT}
        format={percent}
      />
      <DaysChart
        title="Delivery errors"
        about={`Messages that ${label} refused or put off; beside, tries of Galley that ended so.`}
        days={days}
        series={[series(label, 'solid', (row) => row.delivery_error_ratio), series('Galley', 'dashed', ownErrors)]}
        format={percent}
      />
      <DaysChart
        title="Authentication"
        about="Share of messages that passed."
        days={days}
        series={[
          series('SPF', 'dashed', (row) => row.spf_ratio),
          series('DKIM', 'solid', (row) => row.dkim_ratio),
          series('DMARC', 'dotted', (row) => row.dmarc_ratio),
        ]}
        low={0.9}
        high={1}
        format={percent}
      />
      {provider === 'yahoo' ? (
        <DaysChart
          title="Delivered"
          about="Messages; Yahoo counts those that it put into the inbox."
          days={days}
          series={[series(label, 'solid', (row) => row.delivered), delivered]}
          format={number}
        />
      ) : (
        <DaysChart
          title="Delivered"
          about="Messages, by Galley: Google does not say how many it took."
          days={days}
          series={[delivered]}
          format={number}
        />
      )}
    </div>
  );
}

/** What a provider says of a domain, day by day, beside what Galley saw of the same mail. */
export function DomainFigures({
  provider,
  domain,
  range,
}: {
  provider: DomainProvider;
  domain: string;
  range: number;
}) {
  const { data, error } = useQuery(figuresQuery(provider, domain, range));
  if (error)
    return (
      <Alert color="red" title="The figures could not be loaded">
        {sentenceOf(error)}
      </Alert>
    );
  if (!data) return <Skeleton height={400} />;
  const days = daysUntil(new Date(), range);
  const rows = new Map(data.map((row) => [row.date, row]));
  return (
    <div className={classes.parts}>
      <Charts provider={provider} days={days} rows={rows} />
      {provider === 'google' && <Compliance domain={domain} />}
      <FiguresTable
        days={days}
        rows={rows}
        columns={[
          ['Spam reports', (row) => shareOrNull(row.spam_ratio)],
          ['Own complaints', (row) => shareOrNull(ownComplaints(row))],
          ['Errors', (row) => shareOrNull(row.delivery_error_ratio)],
          ['Own errors', (row) => shareOrNull(ownErrors(row))],
          ['SPF', (row) => shareOrNull(row.spf_ratio)],
          ['DKIM', (row) => shareOrNull(row.dkim_ratio)],
          ['DMARC', (row) => shareOrNull(row.dmarc_ratio)],
          ['Encrypted', (row) => shareOrNull(row.encryption_ratio)],
          ['Own delivered', (row) => numberOrNull(row.own?.delivered)],
          ['Reputation', reputationWords],
          ...(provider === 'yahoo' ? [DELIVERED] : []),
        ]}
      />
      <p className={classes.text}>
        Google gives no reputation since 2025: “by Galley” follows from spam reports and refusals of the day, where at
        least 100 messages ended. “No data” is no zero: the provider, or Galley, said nothing of that day.
      </p>
    </div>
  );
}
