import { Alert, Button, FileButton, Select, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { sentenceOf, statusOf } from '../../../ground/api.ts';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { calendarDay, count } from '../../../ground/words.ts';
import { domainsQuery as ownDomainsQuery } from '../../../shared/mail/mail-api.ts';
import tables from '../../../shared/send/send.module.css';
import { DayChart } from './day-chart.tsx';
import {
  domainQuery,
  domainsQuery,
  everything,
  setupQuery,
  uploadReport,
  type DmarcDomain,
  type Uploaded,
  type WantedTags,
} from './dmarc-api.ts';
import classes from './dmarc.module.css';
import { RecordBuilder } from './record-builder.tsx';
import { FailureReports, RefusedReports, TlsReports } from './other-reports.tsx';
import { ReportMailboxes } from './report-mailboxes.tsx';
import { Sources } from './sources.tsx';

const STATES: Readonly<Record<string, string>> = { done: 'Done', next: 'Next', later: 'Later' };

/** The policy that a step publishes; the first keeps what there is. */
const STEP_TAGS: Readonly<Record<string, WantedTags>> = {
  record: {},
  quarantine: { p: 'quarantine', t: 'n' },
  reject: { p: 'reject', t: 'n' },
};

interface RoadProps {
  road: DmarcDomain['road'];
  onBuild: (wanted: WantedTags) => void;
}

function Road({ road, onBuild }: RoadProps) {
  return (
    <ol className={classes.road}>
      {road.map(({ id, title, state, evidence, advice }) => (
        <li key={id} data-state={state}>
          <span className={classes.state}>{STATES[state] ?? state}</span>
          <div>
            <h3>{title}</h3>
            <p>{evidence}</p>
            {state === 'next' && <p className={classes.advice}>{advice}</p>}
            {state === 'next' && STEP_TAGS[id] && (
              <Button mt={8} size="compact-sm" variant="default" onClick={() => onBuild(STEP_TAGS[id]!)}>
                Build the record
              </Button>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Before the first report of a domain: the record that asks for them. */
function WithoutReports({ domain }: { domain: string }) {
  const [wanted, setWanted] = useState<WantedTags>({});
  return (
    <div className={classes.parts}>
      <Notice title={`No reports of ${domain} in the last 30 days`}>
        <p>
          Publish the record below, and receivers send a report a day to the address in it; or upload reports that you
          have.
        </p>
      </Notice>
      <section aria-label="Record">
        <h2 className={tables.part}>Record</h2>
        <RecordBuilder domain={domain} reported={undefined} wanted={wanted} onChange={setWanted} />
      </section>
    </div>
  );
}

function Domain({ domain }: { domain: string }) {
  const { data, error } = useQuery(domainQuery(domain));
  const [wanted, setWanted] = useState<WantedTags>({});
  const record = useRef<HTMLElement>(null);
  const build = (tags: WantedTags): void => {
    setWanted(tags);
    record.current?.focus();
    record.current?.scrollIntoView();
  };
  if (statusOf(error) === 404) return <WithoutReports domain={domain} />;
  if (error)
    return (
      <Alert color="red" title="The domain could not be loaded">
        {sentenceOf(error)}
      </Alert>
    );
  if (!data) return <Skeleton height={400} />;
  const { measured, policy } = data;
  return (
    <div className={classes.parts}>
      <p className={classes.text}>
        {count(data.messages, 'message')} in {count(measured.reports, 'report')} of{' '}
        {count(measured.organizations, 'organization')}, {calendarDay(measured.from)} to {calendarDay(measured.to)}.
        {policy && ` The latest report says p=${policy.p || '?'}.`}
        {data.is_bound && ' There are more groups than are judged; those with most messages are.'}
      </p>
      <DayChart days={data.pfqr_chart} />
      <section aria-label="What p=reject would refuse">
        <h2 className={tables.part}>What p=reject would refuse</h2>
        <p className={classes.rejection}>{data.rejection}</p>
      </section>
      <section aria-label="The road to p=reject">
        <h2 className={tables.part}>The road to p=reject</h2>
        <Road road={data.road} onBuild={build} />
      </section>
      <section aria-label="Sources">
        <h2 className={tables.part}>Who sends in its name</h2>
        <Sources domain={domain} sources={data.sources} />
        <p className={classes.text}>Known senders as of {calendarDay(measured.known_senders_of)}.</p>
      </section>
      <section ref={record} aria-label="Record" tabIndex={-1}>
        <h2 className={tables.part}>Record</h2>
        <RecordBuilder domain={domain} reported={data} wanted={wanted} onChange={setWanted} />
      </section>
      <FailureReports domain={domain} />
      <TlsReports domain={domain} />
    </div>
  );
}

function Outcome({ uploaded: { accepted, duplicates, refused } }: { uploaded: Uploaded }) {
  return (
    <Alert mb="md" title={`${count(accepted.length, 'report')} read`} color={refused.length > 0 ? 'yellow' : undefined}>
      {accepted.map(
        ({ domain, organization, messages }) => `${domain}: ${count(messages, 'message')}, told by ${organization}. `,
      )}
      {duplicates > 0 && `${count(duplicates, 'report')} came before and counted once. `}
      {refused.map(({ name, reason }) => `${name}: ${reason} `)}
    </Alert>
  );
}

/** Before the first report. */
function Setup() {
  const { data } = useQuery(setupQuery);
  return (
    <Notice title="No reports yet">
      <p>
        Receivers send reports to the address that the DMARC record of a domain names. Publish the one of this account,
        or upload a report that you have. For a <Link to="/domains">domain of yours</Link>, this page builds the record.
      </p>
      {data && <CopyField label="Address for reports" value={data.address} />}
    </Notice>
  );
}

/** Who sends in the name of the account's domains, and the road to p=reject. */
export function DmarcPage() {
  const search = useSearch({ from: '/shell/dmarc' });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { canWrite } = useRole();
  const { data, error, isPending } = useQuery(domainsQuery);
  const upload = useMutation({
    mutationFn: uploadReport,
    onSuccess: () => void queries.invalidateQueries(everything),
  });
  const own = useQuery(ownDomainsQuery);
  const reported = data?.domains.map(({ domain }) => domain) ?? [];
  const custom = (own.data ?? []).filter(({ type }) => type === 'custom').map(({ name }) => name);
  const names = [...new Set([...reported, ...custom, ...(search.domain ? [search.domain] : [])])];
  const domain = search.domain ?? names[0];
  return (
    <>
      <PageHead title="DMARC" lead="Who sends in the name of your domains, told by those who receive it.">
        {names.length > 0 && (
          <Select
            aria-label="Domain"
            data={names}
            value={domain ?? null}
            onChange={(value) => value !== null && void navigate({ to: '/dmarc', search: { domain: value } })}
            allowDeselect={false}
          />
        )}
        {canWrite && (
          <FileButton onChange={(file) => file && upload.mutate(file)} accept=".xml,.gz,.zip,.json,.eml">
            {(button) => (
              <Button {...button} variant="default" loading={upload.isPending}>
                Upload a report
              </Button>
            )}
          </FileButton>
        )}
      </PageHead>
      {(error ?? upload.error) && (
        <Alert color="red" mb="md" title={error ? 'The reports could not be loaded' : 'The report was not read'}>
          {sentenceOf(error ?? upload.error)}
        </Alert>
      )}
      {upload.data && <Outcome uploaded={upload.data} />}
      {(isPending || own.isPending) && <Skeleton height={300} />}
      {data && !own.isPending && (domain === undefined ? <Setup /> : <Domain key={domain} domain={domain} />)}
      {data && <ReportMailboxes />}
      {data && <RefusedReports />}
    </>
  );
}
