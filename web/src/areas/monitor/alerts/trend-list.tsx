import { Button } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../../ground/api.ts';
import { figure, percent } from '../../../ground/words.ts';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import tables from '../../../shared/send/send.module.css';
import classes from './alerts.module.css';
import { SENT_MIN, trendsOf, type Count, type Trend, type TrendName, type TrendVerdict } from './trends.ts';

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
    return { before, now, trends: trendsOf(before, now) };
  },
  refetchInterval: POLL_MS,
});

interface TrendWords {
  /** The rate, as a table names it. */
  rate: string;
  title: string;
  fix: string;
  page: string;
  open: string;
}

const WORDS: Record<Exclude<TrendName, 'inbox_simulated'>, TrendWords> = {
  delivered: {
    rate: 'Delivered',
    title: 'Fewer messages are delivered',
    fix: 'Look at what receivers answered: the commonest reason is the one to mend first.',
    page: '/bounces',
    open: 'Bounces',
  },
  inbox: {
    rate: 'In the inbox, real mailboxes',
    title: 'Fewer test messages reach the inbox',
    fix: 'Compare the newest placement tests with those before: message, sender and authentication.',
    page: '/placement',
    open: 'Placement',
  },
  bounce: {
    rate: 'Hard bounces',
    title: 'More addresses bounce',
    fix: 'Find out which list or form the new addresses come from, and stop sending to it until it is clean.',
    page: '/bounces',
    open: 'Bounces',
  },
  complaint: {
    rate: 'Complaints',
    title: 'More readers complain',
    fix: 'Send only to those who signed up, less often, and make it easy to unsubscribe.',
    page: '/reputation',
    open: 'Reputation',
  },
  trap: {
    rate: 'Spam trap hits',
    title: 'More spam traps are hit',
    fix: 'Stop sending to addresses that nobody opened anything from for a year, and to those that were bought.',
    page: '/traps',
    open: 'Spam traps',
  },
  full_mailbox: {
    rate: 'Full mailboxes',
    title: 'More mailboxes are full',
    fix: 'Nobody reads them any more: stop sending to addresses that answer so for weeks.',
    page: '/bounces',
    open: 'Bounces',
  },
  bad_failure: {
    rate: 'Refused for policy or reputation',
    title: 'More is refused for policy or reputation',
    fix: 'Look at the blocklists and at the records of your domains, and send less until it is over.',
    page: '/blocklists',
    open: 'Blocklists',
  },
};

const rateOf = (name: TrendName): string =>
  name === 'inbox_simulated' ? 'In the inbox, simulated receivers' : WORDS[name].rate;

const countWords = ({ count, of, observations }: Count): string =>
  `${figure(count)} of ${figure(of)}${observations === undefined ? '' : ` at ${observations} mailboxes`}`;
const shareOf = (counted: Count): string => `${percent(counted.count / counted.of)} (${countWords(counted)})`;

function TrendItem({ trend: { name, now, before } }: { trend: Trend & { name: keyof typeof WORDS } }) {
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

const VERDICTS: Readonly<Record<TrendVerdict, { words: string; tone?: 'good' | 'doubt' }>> = {
  worse: { words: 'worse', tone: 'doubt' },
  better: { words: 'better', tone: 'good' },
  same: { words: 'no change beyond chance' },
  few: { words: 'too few to compare' },
  rules: { words: 'by rules, not by chance' },
};

function ShareCell({ counted }: { counted: Count }) {
  return (
    <td className={tables.number}>
      {counted.of === 0 ? 'none' : percent(counted.count / counted.of)}
      {counted.of > 0 && <span className={classes.counted}>{countWords(counted)}</span>}
    </td>
  );
}

function TrendTable({ trends }: { trends: readonly Trend[] }) {
  return (
    <Sideways label="Rates, table" minWidth={560}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">Rate</th>
            <th scope="col">Last {NOW_DAYS} days</th>
            <th scope="col">{BEFORE_DAYS} days before</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {trends.map(({ name, now, before, verdict }) => {
            const { words, tone } = VERDICTS[verdict];
            return (
              <tr key={name}>
                <td>{rateOf(name)}</td>
                <ShareCell counted={now} />
                <ShareCell counted={before} />
                <td>{tone ? <Chip tone={tone}>{words}</Chip> : <span className={classes.same}>{words}</span>}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Sideways>
  );
}

/** What is said where no rate got worse. */
function Quiet({ trends, sent: [before, now] }: { trends: readonly Trend[]; sent: readonly [number, number] }) {
  if (trends.every(({ verdict }) => verdict === 'few' || verdict === 'rules'))
    return (
      <p className={classes.told}>
        Too little was sent to compare weeks: {figure(now)} messages in the last {NOW_DAYS} days, {figure(before)} in
        the {BEFORE_DAYS} days before. From {SENT_MIN} in each, rates that get worse appear here.
      </p>
    );
  return (
    <p className={classes.told}>
      No rate of the last {NOW_DAYS} days is worse than in the {BEFORE_DAYS} days before by more than chance explains.
    </p>
  );
}

const isWorse = (trend: Trend): trend is Trend & { name: keyof typeof WORDS } =>
  trend.verdict === 'worse' && trend.name !== 'inbox_simulated';

/** Rates of the last week beside those of the weeks before; those that are worse, with the way to mend each. */
export function TrendList() {
  const { data } = useQuery(trendsQuery);
  if (!data) return null;
  const { trends, before, now } = data;
  const worse = trends.filter(isWorse);
  return (
    <section aria-labelledby="trends">
      <h2 id="trends" className={classes.part}>
        Trends
      </h2>
      {worse.length === 0 && <Quiet trends={trends} sent={[before.counters.sent, now.counters.sent]} />}
      {worse.length > 0 && (
        <ul className={classes.list} aria-label="Rates that got worse">
          {worse.map((trend) => (
            <TrendItem key={trend.name} trend={trend} />
          ))}
        </ul>
      )}
      {trends.length > 0 && <TrendTable trends={trends} />}
    </section>
  );
}
