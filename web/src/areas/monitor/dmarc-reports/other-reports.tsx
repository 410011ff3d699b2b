import { useQuery } from '@tanstack/react-query';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { day, figure } from '../../../ground/words.ts';
import tables from '../../../shared/send/send.module.css';
import { reportsQuery, type Report } from './dmarc-api.ts';
import classes from './dmarc.module.css';

interface TlsContent {
  tls?: {
    type: string;
    successful: number;
    failed: number;
    failures: { type: string; count: number; receivingHost: string }[];
  };
}

function TlsRow({ report }: { report: Report }) {
  const { tls } = report.content as TlsContent;
  if (!tls) return null;
  return (
    <tr>
      <td>
        <bdi>{report.organization}</bdi>
        <span className={classes.evidence}>{day(new Date(report.begin))}</span>
      </td>
      <td className={tables.number}>{figure(tls.successful)}</td>
      <td className={tables.number}>{figure(tls.failed)}</td>
      <td>
        {tls.failures.length === 0 && tls.type}
        {tls.failures.slice(0, 5).map(({ type, count, receivingHost }, place) => (
          <span key={place} className={classes.evidence}>
            {figure(count)} {type} <bdi>{receivingHost}</bdi>
          </span>
        ))}
      </td>
    </tr>
  );
}

/** Reports of TLS to the domain's servers. */
export function TlsReports({ domain }: { domain: string }) {
  const { data } = useQuery(reportsQuery('tls', domain));
  if (!data) return null;
  return (
    <section aria-label="TLS reports">
      <h2 className={tables.part}>TLS to your servers</h2>
      {data.items.length === 0 ? (
        <p className={classes.text}>
          No reports of TLS. A record v=TLSRPTv1; rua=mailto:… at _smtp._tls.{domain} asks for them; they go to the same
          address.
        </p>
      ) : (
        <Sideways label="Table of TLS reports" minWidth={520}>
          <table className={tables.table}>
            <thead>
              <tr>
                <th scope="col">Told by</th>
                <th scope="col">Encrypted</th>
                <th scope="col">Failed</th>
                <th scope="col">Why</th>
              </tr>
            </thead>
            <tbody>
              {data.items.map((report) => (
                <TlsRow key={report.id} report={report} />
              ))}
            </tbody>
          </table>
        </Sideways>
      )}
    </section>
  );
}

interface FailureContent {
  failure?: { sourceIp: string; failure: string; result: string; from: string; subject: string };
}

function FailureRow({ report }: { report: Report }) {
  const { failure } = report.content as FailureContent;
  if (!failure) return null;
  return (
    <tr>
      <td>
        <When at={new Date(report.begin)} />
        <bdi className={classes.evidence}>{report.organization}</bdi>
      </td>
      <td>
        <bdi>{failure.subject || 'without a subject'}</bdi>
        <bdi className={classes.evidence}>{failure.from}</bdi>
      </td>
      <td>{failure.sourceIp || 'not said'}</td>
      <td>
        {failure.failure || 'not said'}
        <span className={classes.evidence}>{failure.result}</span>
      </td>
    </tr>
  );
}

/** Messages that did not pass, one by one; few receivers tell of them. */
export function FailureReports({ domain }: { domain: string }) {
  const { data } = useQuery(reportsQuery('failure', domain));
  if (!data || data.items.length === 0) return null;
  return (
    <section aria-label="Failed messages">
      <h2 className={tables.part}>Failed messages that receivers showed</h2>
      {data.meta.count > data.items.length && (
        <p className={classes.text}>
          The latest {data.items.length} of {figure(data.meta.count)}.
        </p>
      )}
      <Sideways label="Table of failed messages" minWidth={560}>
        <table className={tables.table}>
          <thead>
            <tr>
              <th scope="col">Came</th>
              <th scope="col">Message</th>
              <th scope="col">From address</th>
              <th scope="col">Failed, and done</th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((report) => (
              <FailureRow key={report.id} report={report} />
            ))}
          </tbody>
        </table>
      </Sideways>
    </section>
  );
}

/** What came and was not counted. */
export function RefusedReports() {
  const { data } = useQuery(reportsQuery('refused'));
  if (!data || data.items.length === 0) return null;
  return (
    <section className={classes.apart} aria-label="Not counted">
      <h2 className={tables.part}>Not counted</h2>
      <ul className={classes.plain}>
        {data.items.map(({ id, received_at: at, content }) => (
          <li key={id}>
            <When at={new Date(at)} />: <bdi>{String(content['reason'] ?? '').slice(0, 400)}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
