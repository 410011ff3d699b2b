import { Alert, SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { calendarDay, count, figure } from '../../../ground/words.ts';
import { DayChart } from '../../../shared/monitor/day-chart.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import tableClasses from '../../../shared/send/send.module.css';
import classes from './health.module.css';
import { groupsQuery, totalQuery, type GroupName, type HealthGroup, type HealthTotal } from './health-api.ts';

const exactly = (share: number): string => `${Number((share * 100).toFixed(3))} %`;
const between = ({ low, high }: { low: number; high: number }): string =>
  low === high ? '' : `, between ${low} and ${high} at 95 %`;
/** Where a list ends that goes on. */
const NOTE_OF_BOUND = 'There was more than could be counted: the numbers are lower bounds.';

function Total({ total }: { total: HealthTotal }) {
  const { score, interval, counters, components } = total;
  return (
    <section aria-label="Health score">
      <p className={classes.score}>
        <span className={classes.number}>{score}</span>
        <span className={classes.note}>
          of 100 in the last 30 days{between(interval)}; {count(counters.delivered, 'message')} delivered of{' '}
          {figure(counters.sent)} sent
        </span>
      </p>
      {total.is_small_sample && <p className={classes.note}>Few messages: the interval says more than the score.</p>}
      {total.is_bound && <p className={classes.note}>{NOTE_OF_BOUND}</p>}
      <ul className={classes.parts}>
        {components.map(({ name, words, count: found, of, interval: sure, is_measured: isMeasured }) => (
          <li key={name}>
            {words}
            {isMeasured && (
              <span>
                {figure(found)} of {figure(of)}
                {sure && `, ${exactly(sure.low)} to ${exactly(sure.high)} (95 %)`}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const KEYS: Readonly<Record<Exclude<GroupName, 'timestamp'>, string>> = {
  domain: 'Domain',
  ip: 'IP',
  subaccount: 'Subaccount',
};

/** What costs the most of a score; nothing where nothing does. */
function worstOf({ components }: HealthGroup): string {
  const worst = components.toSorted((one, other) => other.lost - one.lost)[0];
  return worst && worst.lost > 0 ? worst.words : 'Within every limit.';
}

function Table({
  label,
  groups,
  keyOf,
}: {
  label: string;
  groups: readonly HealthGroup[];
  keyOf: (key: string) => string;
}) {
  return (
    <Sideways label={`${label}, table`} minWidth={label === 'Day' ? 300 : 640}>
      <table className={tableClasses.table}>
        <thead>
          <tr>
            <th scope="col">{label}</th>
            <th scope="col">Score</th>
            <th scope="col">95 %</th>
            <th scope="col">Delivered</th>
            {label !== 'Day' && <th scope="col">Costs the most</th>}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.group_key}>
              <td>
                <bdi>{keyOf(group.group_key)}</bdi>
              </td>
              <td className={tableClasses.number}>{group.score}</td>
              <td className={tableClasses.number}>
                {group.interval.low}–{group.interval.high}
              </td>
              <td className={tableClasses.number}>{figure(group.counters.delivered)}</td>
              {label !== 'Day' && <td>{worstOf(group)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}

function Days() {
  const { data, error } = useQuery(groupsQuery('timestamp'));
  if (error) return <Alert color="red">{sentenceOf(error)}</Alert>;
  if (!data || data.items.length === 0) return null;
  const points = data.items.map(({ group_key: date, score, interval }) => ({ date, value: score, ...interval }));
  return (
    <section aria-labelledby="health-days">
      <h2 id="health-days" className={reportClasses.sectionTitle}>
        By day<span className={reportClasses.sectionNote}>thin lines: how sure the score is, at 95 %</span>
      </h2>
      <DayChart points={points} label="Health score by day" kind="line" top={100}>
        <Table label="Day" groups={data.items.toReversed()} keyOf={calendarDay} />
      </DayChart>
    </section>
  );
}

function Groups() {
  const [group, setGroup] = useState<Exclude<GroupName, 'timestamp'>>('domain');
  const { data, error, isPending } = useQuery(groupsQuery(group));
  return (
    <section aria-labelledby="health-groups">
      <h2 id="health-groups" className={reportClasses.sectionTitle}>
        By {group === 'ip' ? 'IP' : group}
      </h2>
      <SegmentedControl
        className={classes.choice ?? ''}
        aria-label="Group"
        size="xs"
        value={group}
        data={Object.entries(KEYS).map(([value, label]) => ({ value, label }))}
        onChange={(value) => setGroup(value as typeof group)}
      />
      {error && <Alert color="red">{sentenceOf(error)}</Alert>}
      {isPending && <Skeleton height={90} />}
      {data?.items.length === 0 && (
        <p className={classes.note}>
          {group === 'ip'
            ? 'No IP is known: only mail that Galley delivered itself has one.'
            : 'Nothing was sent in the last 30 days.'}
        </p>
      )}
      {data && data.items.length > 0 && <Table label={KEYS[group]} groups={data.items} keyOf={(key) => key} />}
      {data && data.meta.count > data.items.length && (
        <p className={classes.note}>
          The {data.items.length} that delivered the most, of {figure(data.meta.count)}.
        </p>
      )}
      {data?.is_bound && <p className={classes.note}>{NOTE_OF_BOUND}</p>}
    </section>
  );
}

/** How sending goes: the health score, what costs how much of it, and where. */
export function ReputationPage() {
  const { data, error, isPending } = useQuery(totalQuery);
  return (
    <>
      <PageHead
        title="Reputation"
        lead="A score from your own events: bounces, complaints, trap hits, full mailboxes and refusals."
      />
      {error && (
        <Alert color="red" title="The score could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={180} />}
      {data && data.counters.sent > 0 && <Total total={data} />}
      {data?.counters.sent === 0 && (
        <Notice title="Nothing was sent in the last 30 days">
          The score is counted from what became of messages that you send.
        </Notice>
      )}
      {data && data.counters.sent > 0 && (
        <>
          <Days />
          <Groups />
        </>
      )}
      <p className={classes.note}>
        What Google, Microsoft and Yahoo count of your mail: <Link to="/postmaster">Postmaster data</Link>
      </p>
    </>
  );
}
