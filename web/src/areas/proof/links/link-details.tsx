import { Fragment } from 'react';
import { Facts } from '../../../ground/shell/facts.tsx';
import { RichText } from '../../../shared/report/rich-text.tsx';
import { SeverityMark } from '../../../shared/report/severity.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { bytes } from '../../../ground/words.ts';
import { milliseconds, type Certificate, type Hop, type LinkFacts } from './link-facts.ts';
import classes from './links-page.module.css';

const PHASES = [
  { field: 'dns_ms', name: 'DNS' },
  { field: 'connect_ms', name: 'Connect' },
  { field: 'tls_ms', name: 'TLS' },
  { field: 'first_byte_ms', name: 'First byte' },
] as const;

const VIA = { link: 'The link', redirect: 'Redirect', meta_refresh: 'Meta refresh' };

function timesOf(hop: Hop): string {
  return PHASES.flatMap(({ field, name }) => (hop[field] === null ? [] : [`${name} ${milliseconds(hop[field])}`])).join(
    ', ',
  );
}

/** A bar for each answer, all on one scale of time. */
function Way({ hops }: { hops: readonly Hop[] }) {
  const whole = Math.max(
    1,
    hops.reduce((sum, hop) => sum + hop.total_ms, 0),
  );
  let passed = 0;
  return (
    <ol className={classes.way}>
      {hops.map((hop, place) => {
        const before = passed;
        passed += hop.total_ms;
        return (
          <li key={place} className={classes.hop}>
            <span className={classes.hopStatus} data-class={Math.floor(hop.status_code / 100)}>
              {hop.status_code}
            </span>
            <span className={classes.hopUrl}>
              <span className="mono">{hop.url}</span>
              <span className={classes.hopNote}>
                {VIA[hop.via]} · {hop.method} · {hop.remote_address}
                {hop.reused_connection && ' · same connection'}
              </span>
            </span>
            <span className={classes.times} role="img" aria-label={timesOf(hop)} title={timesOf(hop)}>
              <span className={classes.track}>
                <span
                  className={classes.bar}
                  style={{ marginInlineStart: `${(before / whole) * 100}%`, width: `${(hop.total_ms / whole) * 100}%` }}
                >
                  {PHASES.map(
                    ({ field }) =>
                      hop[field] !== null &&
                      hop[field] > 0 && <i key={field} data-phase={field} style={{ flexGrow: hop[field] }} />,
                  )}
                </span>
              </span>
              <span className={classes.ms}>{milliseconds(hop.total_ms)}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function Legend() {
  return (
    <p className={classes.legend} aria-hidden="true">
      {PHASES.map(({ field, name }) => (
        <span key={field}>
          <i data-phase={field} />
          {name}
        </span>
      ))}
    </p>
  );
}

function CertificateFacts({ certificate }: { certificate: Certificate }) {
  const {
    host,
    subject,
    issuer,
    names,
    valid_from: from,
    valid_to: to,
    days_left: days,
    chain_valid: isChainValid,
    host_matches: isHost,
    protocol,
    cipher,
    problem,
  } = certificate;
  return (
    <Facts
      facts={[
        ['Host', host],
        [
          'Issued to',
          names.length > 0
            ? names.slice(0, 6).join(', ') + (names.length > 6 ? ` and ${names.length - 6} more` : '')
            : subject,
        ],
        ['Issued by', issuer],
        [
          'Valid',
          <Fragment key="valid">
            <When at={new Date(from)} /> to <When at={new Date(to)} />
            {days === null ? '' : days < 0 ? ` · expired ${-days} days ago` : ` · ${days} days left`}
          </Fragment>,
        ],
        ['Chain', isChainValid ? 'trusted' : 'not trusted'],
        ['Host name', isHost ? 'matches' : 'does not match'],
        ['Connection', `${protocol}, ${cipher}`],
        ...(problem
          ? ([
              [
                'Problem',
                <span key="problem" className={classes.problem}>
                  {problem}
                </span>,
              ],
            ] as [string, React.ReactNode][])
          : []),
      ]}
    />
  );
}

/** Everything that is known of a link. */
export function LinkDetails({ facts }: { facts: LinkFacts }) {
  const { link, hops, certificates, problems, contentType, contentLength } = facts;
  return (
    <div className={classes.details}>
      {problems.map(({ severity, finding }) => (
        <p key={`${finding.rule} ${finding.description}`} className={classes.finding}>
          <SeverityMark severity={severity} size={14} />
          <span>
            <RichText text={finding.description} />
            {finding.recommendation && (
              <span className="dim">
                {' '}
                <RichText text={finding.recommendation} />
              </span>
            )}
          </span>
        </p>
      ))}
      {hops.length > 0 && (
        <>
          <div className={classes.partHead}>
            <h3 className={classes.part}>Redirects</h3>
            <Legend />
          </div>
          <Way hops={hops} />
        </>
      )}
      {certificates.map((certificate) => (
        <div key={certificate.host}>
          <h3 className={classes.part}>TLS certificate</h3>
          <CertificateFacts certificate={certificate} />
        </div>
      ))}
      {contentType && (
        <p className={classes.content}>
          Content: <span className="mono">{contentType}</span>
          {contentLength !== null && `, ${bytes(contentLength)}`}
        </p>
      )}
      {link.passes.length > 0 && (
        <details className={classes.passed}>
          <summary>{link.passes.length} passed</summary>
          <ul>
            {link.passes.map((finding) => (
              <li key={finding.rule}>{finding.description}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
