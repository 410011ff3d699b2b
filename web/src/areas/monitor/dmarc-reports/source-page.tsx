import { Alert, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { sentenceOf, statusOf } from '../../../ground/api.ts';
import { Facts } from '../../../ground/shell/facts.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { calendarDay, figure, percent } from '../../../ground/words.ts';
import tables from '../../../shared/send/send.module.css';
import { DayChart } from './day-chart.tsx';
import { domainQuery, sourceQuery, type DmarcDomain, type DmarcSource } from './dmarc-api.ts';
import classes from './dmarc.module.css';
import { mendingOf } from './mending.ts';
import { namedBy } from './named-by.ts';
import { Hosts } from './source-hosts.tsx';

function share(part: number, all: number): string {
  return `${figure(part)} (${percent(all === 0 ? 0 : part / all)})`;
}

function SourceFacts({ source, measured }: { source: DmarcSource; measured: DmarcDomain['measured'] }) {
  const { messages, pass, fail, dkim_aligned: dkim, spf_aligned: spf, quarantine, reject } = source;
  return (
    <Facts
      facts={[
        ['What it is', source.type ?? `not in the table of known senders of ${calendarDay(measured.known_senders_of)}`],
        ['Named', namedBy(source.named_by) || 'by nothing: no name, signature or SPF tells who it is'],
        ['Messages', figure(messages)],
        ['Aligned', share(pass, messages)],
        ['by DKIM', share(dkim, messages)],
        ['by SPF', share(spf, messages)],
        ['Not aligned', share(fail, messages)],
        ['Put into spam', figure(quarantine)],
        ['Refused', figure(reject)],
      ]}
    />
  );
}

function Missing({ domain }: { domain: string }) {
  return (
    <Notice
      isPage
      title="Nothing was reported of this source"
      action={
        <Link to="/dmarc" search={{ domain }}>
          All sources of {domain}
        </Link>
      }
    >
      No report of the last 30 days names it. A source gets another name when its addresses do.
    </Notice>
  );
}

/** One who sends in the name of a domain: what it is, aligned or not by day, from which addresses, how to mend it. */
export function SourcePage() {
  const { domain, source: id } = useParams({ from: '/shell/dmarc/$domain/$source' });
  const whole = useQuery(domainQuery(domain));
  const own = useQuery(sourceQuery(domain, id));
  const error = whole.error ?? own.error;
  const source = whole.data?.sources.find((one) => one.source === id);
  if (statusOf(error) === 404 || (whole.data && !source)) return <Missing domain={domain} />;
  if (error)
    return (
      <Alert color="red" title="The source could not be loaded">
        {sentenceOf(error)}
      </Alert>
    );
  if (!source || !whole.data || !own.data) return <Skeleton height={480} />;
  return (
    <>
      <PageHead
        title={source.name}
        tabTitle={`${source.name} · ${domain}`}
        lead={
          <>
            Sends in the name of{' '}
            <Link to="/dmarc" search={{ domain }}>
              {domain}
            </Link>
            , {calendarDay(whole.data.measured.from)} to {calendarDay(whole.data.measured.to)}.
          </>
        }
      />
      <div className={classes.parts}>
        <SourceFacts source={source} measured={whole.data.measured} />
        <section aria-label="Aligned by day">
          <h2 className={tables.part}>Aligned by day</h2>
          <DayChart days={own.data.pfqr_chart} />
        </section>
        <section aria-label="How to mend it">
          <h2 className={tables.part}>How to mend it</h2>
          <ul className={classes.mending}>
            {mendingOf(source).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </section>
        <section aria-label="Addresses">
          <h2 className={tables.part}>Addresses</h2>
          <Hosts domain={domain} source={id} hosts={own.data.hosts} />
        </section>
      </div>
    </>
  );
}
