import { Link } from '@tanstack/react-router';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { count, figure } from '../../../ground/words.ts';
import tables from '../../../shared/send/send.module.css';
import type { DmarcSource } from './dmarc-api.ts';
import classes from './dmarc.module.css';
import { namedBy } from './named-by.ts';

function Verdict({ source }: { source: DmarcSource }) {
  const { fail, yours, forwarded, unknown, evidence } = source;
  if (fail === 0) return <span data-tone="pass">Everything passes.</span>;
  const parts = [
    yours > 0 && `${figure(yours)} look like yours`,
    forwarded > 0 && `${figure(forwarded)} passed on by others`,
    unknown > 0 && `${figure(unknown)} that nothing ties to you`,
  ].filter(Boolean);
  return (
    <>
      {parts.join(', ')}.
      {evidence.map(({ kind, messages, means, fix }) => (
        <span key={kind} className={classes.evidence}>
          {count(messages, 'message')}: {means}. {fix}
        </span>
      ))}
    </>
  );
}

/** Who sends in the name of the domain. */
export function Sources({ domain, sources }: { domain: string; sources: DmarcSource[] }) {
  return (
    <Sideways label="Table of sources" minWidth={760}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col">Messages</th>
            <th scope="col">Pass</th>
            <th scope="col">DKIM</th>
            <th scope="col">SPF</th>
            <th scope="col">What fails</th>
          </tr>
        </thead>
        <tbody>
          {sources.map((source) => (
            <tr key={source.source}>
              <td>
                <Link to="/dmarc/$domain/$source" params={{ domain, source: source.source }}>
                  <bdi>{source.name}</bdi>
                </Link>
                <span className={classes.evidence}>
                  {[source.type, namedBy(source.named_by)].filter(Boolean).join(', ')}
                </span>
              </td>
              <td className={tables.number}>{figure(source.messages)}</td>
              <td className={tables.number}>{figure(source.pass)}</td>
              <td className={tables.number}>{figure(source.dkim_aligned)}</td>
              <td className={tables.number}>{figure(source.spf_aligned)}</td>
              <td>
                <Verdict source={source} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}
