import type { Reply } from '@galley/sdk';
import { Alert, Select, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { pathOf, sentenceOf } from '../../../ground/api.ts';
import { SeverityMark } from '../../../shared/report/severity.tsx';
import { comparisonQuery, previewsQuery, type OfVersion } from './emails-api.ts';
import classes from './emails.module.css';

interface Change {
  id: string;
  severity: string;
  message: string;
}

function Changes({ title, changes, total }: { title: string; changes: readonly Change[]; total: number }) {
  return (
    <section>
      <h2 className={classes.title}>
        {title}: {total}
      </h2>
      <ul className={classes.changes} aria-label={title}>
        {changes.map(({ id, severity, message }) => (
          <li key={id}>
            <SeverityMark severity={severity === 'error' ? 'error' : 'warning'} /> <span>{message}</span>
          </li>
        ))}
      </ul>
      {total > changes.length && <p className="dim">The first {changes.length} are shown.</p>}
    </section>
  );
}

type Changed = NonNullable<Reply<'GET /v1/emails/{email_id}/comparison'>['pictures']>;

interface SideProps {
  testId: string;
  client: string;
  name: string;
  what: 'before' | 'after';
}

/** What a client showed of one of the versions. */
function Side({ testId, client, name, what }: SideProps) {
  const { data, error } = useQuery(previewsQuery(testId, 'complete'));
  const thumbnail = data?.[client]?.thumbnail;
  return (
    <a href={`/previews/${testId}/client/${client}`}>
      <span className={classes.picture}>
        {thumbnail ? (
          <img src={pathOf(thumbnail)} alt={`${name}, ${what}`} loading="lazy" />
        ) : (
          <span className="dim">{error ? 'could not be loaded' : data ? 'no picture' : '…'}</span>
        )}
      </span>
      <span>{what}</span>
    </a>
  );
}

/** Pictures of both versions beside each other. */
function Pairs({ pictures: { changed, before, after } }: { pictures: Changed }) {
  return (
    <ul className={classes.pairs} aria-label="Pictures that changed">
      {changed.map(({ client, name }) => (
        <li key={client}>
          <span>{name}</span>
          <span className={classes.pair}>
            <Side testId={before} client={client} name={name} what="before" />
            <Side testId={after} client={client} name={name} what="after" />
          </span>
        </li>
      ))}
    </ul>
  );
}

interface ComparePanelProps {
  of: OfVersion;
  from: number | undefined;
  latest: number;
}

/** What changed since another version. */
export function ComparePanel({ of: { emailId, number }, from, latest }: ComparePanelProps) {
  const navigate = useNavigate();
  const chosen = from ?? Math.max(1, number - 1);
  const { data, error } = useQuery(comparisonQuery(emailId, { from: chosen, to: number }));
  const others = Array.from({ length: latest }, (_, place) => latest - place).filter((one) => one !== number);
  return (
    <>
      <Select
        label="Compared with"
        mb="md"
        maw={220}
        allowDeselect={false}
        value={String(chosen)}
        data={others.map((one) => ({ value: String(one), label: `Version ${one}` }))}
        onChange={(next) =>
          void navigate({
            to: '/emails/$emailId',
            params: { emailId },
            search: { tab: 'compare', version: number, from: Number(next ?? chosen) },
          })
        }
      />
      {error && (
        <Alert color="red" title="The versions could not be compared">
          {sentenceOf(error)}
        </Alert>
      )}
      {!data && !error && <Skeleton height={160} />}
      {data && (
        <>
          <p className={classes.summary}>
            Version {data.from} → {data.to}: {data.summary}.{data.is_same_content && ' Both say the same.'}
          </p>
          <div className={classes.columns}>
            <Changes title="Fixed" changes={data.fixed} total={data.fixed_count} />
            <Changes title="New" changes={data.new} total={data.new_count} />
          </div>
          {data.pictures && data.pictures.changed.length > 0 && (
            <section>
              <h2 className={classes.title}>
                Pictures that changed: {data.pictures.changed.length} of {data.pictures.compared}
              </h2>
              <Pairs pictures={data.pictures} />
            </section>
          )}
          {data.not_compared.length > 0 && (
            <p className={classes.note}>
              Not compared:{' '}
              {data.not_compared.map(({ kind, reason }) => `${kind} (${reason.replace(/\.$/, '')})`).join('; ')}.
            </p>
          )}
        </>
      )}
    </>
  );
}
