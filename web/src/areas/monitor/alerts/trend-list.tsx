import { Button } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../../ground/api.ts';
import { figure, percent } from '../../../ground/words.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import classes from './alerts.module.css';
import { SENT_MIN, worsened, type Trend } from './trends.ts';

const DAY_MS = 86_400_000;
const [NOW_DAYS, BEFORE_DAYS] = [7, 28];
const POLL_MS = 300_000;

const trendsQuery = queryOptions({
  queryKey: ['health', 'trends'],
  queryFn: async ({ signal }) => {
    const end = Date.now();
    const [from, start] = [end - NOW_DAYS * DAY_MS, end - (NOW_DAYS + BEFORE_DAYS) * DAY_MS];
    const ask = (first: number, last: number) =>
      api.call(
        'GET /v1/health-score/total',
        { query: { start: new Date(first).toISOString(), end: new Date(last).toISOString() } },
        { signal },
      );
    const [before, now] = await Promise.all([ask(start, from), ask(from, end)]);
    return { before, now, trends: worsened(before, now) };
  },
  refetchInterval: POLL_MS,
});

const WORDS: Record<Trend['name'], { title: string; fix: string; page: string; open: string }> = {
  delivered: {
    title: 'Fewer messages are delivered',
    fix: 'Look at what receivers answered: the commonest reason is the one to mend first.',
    page: '/bounces',
    open: 'Bounces',
  },
  bounce: {
    title: 'More addresses bounce',
    fix: 'Find out which list or form the new addresses come from, and stop sending to it until it is clean.',
    page: '/bounces',
    open: 'Bounces',
  },
  complaint: {
    title: 'More readers complain',
    fix: 'Send only to those who signed up, less often, and make it easy to unsubscribe.',
    page: '/reputation',
    open: 'Reputation',
  },
  trap: {
    title: 'More spam traps are hit',
    fix: 'Stop sending to addresses that nobody opened anything from for a year, and to those that were bought.',
    page: '/traps',
    open: 'Spam traps',
  },
  full_mailbox: {
    title: 'More mailboxes are full',
    fix: 'Nobody reads them any more: stop sending to addresses that answer so for weeks.',
    page: '/bounces',
    open: 'Bounces',
  },
  bad_failure: {
    title: 'More is refused for policy or reputation',
    fix: 'Look at the blocklists and at the records of your domains, and send less until it is over.',
    page: '/blocklists',
    open: 'Blocklists',
  },
};

const shareOf = ({ count, of }: Trend['now']): string => `${percent(count / of)} (${figure(count)} of ${figure(of)})`;

function TrendItem({ trend: { name, now, before } }: { trend: Trend }) {
  const { title, fix, page, open } = WORDS[name];
  return (
    <li className={classes.alert}>
      <div className={classes.head}>
        <Chip tone="doubt">worse</Chip>
        <span className={classes.event}>{title}</span>
      </div>
      <p className={classes.message}>
        {shareOf(now)} in the last {NOW_DAYS} days, {shareOf(before)} in the {BEFORE_DAYS} days before.
      </p>
      <p className={classes.fix}>{fix}</p>
      <div className={classes.actions}>
        <Button size="compact-xs" variant="default" renderRoot={(props) => <Link to={page} {...props} />}>
          {open}
        </Button>
      </div>
    </li>
  );
}

/** Rates of the last week that are worse than those of the weeks before. */
export function TrendList() {
  const { data } = useQuery(trendsQuery);
  if (!data) return null;
  const { trends, before, now } = data;
  return (
    <section aria-labelledby="trends">
      <h2 id="trends" className={classes.part}>
        Trends
      </h2>
      {trends === undefined && (
        <p className={classes.told}>
          Too little was sent to compare weeks: {figure(now.counters.sent)} messages in the last {NOW_DAYS} days,{' '}
          {figure(before.counters.sent)} in the {BEFORE_DAYS} days before. From {SENT_MIN} in each, rates that get worse
          appear here.
        </p>
      )}
      {trends?.length === 0 && (
        <p className={classes.told}>
          No rate of the last {NOW_DAYS} days is worse than in the {BEFORE_DAYS} days before by more than chance
          explains: {figure(now.counters.sent)} messages against {figure(before.counters.sent)}.
        </p>
      )}
      {trends && trends.length > 0 && (
        <ul className={classes.list} aria-label="Rates that got worse">
          {trends.map((trend) => (
            <TrendItem key={trend.name} trend={trend} />
          ))}
        </ul>
      )}
    </section>
  );
}
