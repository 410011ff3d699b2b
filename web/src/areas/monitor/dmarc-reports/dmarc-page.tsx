import { Alert, Button, FileButton, Select, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { sentenceOf } from '../../../ground/api.ts';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { calendarDay, count } from '../../../ground/words.ts';
import tables from '../../../shared/send/send.module.css';
import { DayChart } from './day-chart.tsx';
import {
  domainQuery,
  domainsQuery,
  everything,
  recordQuery,
  setupQuery,
  uploadReport,
  type DmarcDomain,
  type Uploaded,
} from './dmarc-api.ts';
import classes from './dmarc.module.css';
import { RefusedReports, TlsReports } from './other-reports.tsx';
import { Sources } from './sources.tsx';

const STATES: Readonly<Record<string, string>> = { done: 'Done', next: 'Next', later: 'Later' };

function Road({ road }: { road: DmarcDomain['road'] }) {
  return (
    <ol className={classes.road}>
      {road.map(({ id, title, state, evidence, advice }) => (
        <li key={id} data-state={state}>
          <span className={classes.state}>{STATES[state] ?? state}</span>
          <div>
            <h3>{title}</h3>
            <p>{evidence}</p>
            {state === 'next' && <p className={classes.advice}>{advice}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}

function PublishedRecord({ domain }: { domain: string }) {
  const { data, error } = useQuery(recordQuery(domain));
  if (error)
    return (
      <Alert color="red" title="The record could not be checked">
        {sentenceOf(error)}
      </Alert>
    );
  if (!data) return <Skeleton height={120} />;
  return (
    <div className={classes.record}>
      <p className={classes.text}>
        {data.dns === 'unknown'
          ? 'DNS did not say whether there is a record.'
          : data.current === ''
            ? 'There is no record yet.'
            : `Published at _dmarc.${data.policy_domain ?? domain}. `}
        {data.current !== '' && (data.configured ? 'Its reports come here.' : 'Its reports do not come here yet.')}
      </p>
      {data.current !== '' && <code className={classes.code}>{data.current}</code>}
      {data.notes.map(({ message }) => (
        <p key={message} className={classes.text}>
          {message}
        </p>
      ))}
      <CopyField label={`TXT record to publish at ${data.name}`} value={data.entry} />
      {data.authorizations
        .filter(({ state }) => state !== 'published')
        .map(({ address, name, value, state }) => (
          <CopyField
            key={address}
            label={`TXT record at ${name}`}
            description={
              `Allows reports about this domain to go to ${address}. ` +
              (state === 'missing'
                ? 'It is missing: receivers send nothing there.'
                : 'DNS did not say whether it is there.')
            }
            value={value}
          />
        ))}
    </div>
  );
}

function Domain({ domain }: { domain: string }) {
  const { data, error } = useQuery(domainQuery(domain));
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
        <Road road={data.road} />
      </section>
      <section aria-label="Sources">
        <h2 className={tables.part}>Who sends in its name</h2>
        <Sources sources={data.sources} />
        <p className={classes.text}>Known senders as of {calendarDay(measured.known_senders_of)}.</p>
      </section>
      <section aria-label="Record">
        <h2 className={tables.part}>Record</h2>
        <PublishedRecord domain={domain} />
      </section>
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
        or upload a report that you have.
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
  const names = data?.domains.map(({ domain }) => domain) ?? [];
  const domain = search.domain ?? names[0];
  return (
    <>
      <PageHead title="DMARC" lead="Who sends in the name of your domains, told by those who receive it.">
        {names.length > 0 && (
          <Select
            aria-label="Domain"
            data={names.includes(domain ?? '') ? names : [...names, domain ?? '']}
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
      {isPending && <Skeleton height={300} />}
      {data && (domain === undefined ? <Setup /> : <Domain domain={domain} />)}
      {data && <RefusedReports />}
    </>
  );
}
