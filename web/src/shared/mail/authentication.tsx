import { RichText } from '../report/rich-text.tsx';
import type { Severity } from '../report/report-api.ts';
import { SeverityMark } from '../report/severity.tsx';
import classes from './mail.module.css';

const NAMES: Record<string, string> = {
  spf: 'SPF',
  'spf-helo': 'SPF of HELO',
  dkim: 'DKIM',
  dmarc: 'DMARC',
  arc: 'ARC',
  bimi: 'BIMI',
  'reverse-dns': 'Reverse DNS',
  tls: 'TLS',
};

export function methodName(method: string): string {
  return NAMES[method] ?? method.toUpperCase();
}

/** What a result means for the sender; results without consequences are notes. */
export function severityOfResult(method: string, result: string): Severity {
  if (result === 'pass') return 'pass';
  if (result === 'fail' || result === 'permerror') return method === 'bimi' ? 'warning' : 'error';
  if (result === 'none' && (method === 'spf' || method === 'dkim' || method === 'dmarc')) return 'warning';
  return result === 'softfail' || result === 'temperror' || result === 'policy' ? 'warning' : 'info';
}

interface Row {
  method: string;
  result: string;
  reason: string;
  source: string;
  domain?: string | null;
  aligned?: boolean | null;
}

function aboutDomain({ domain, aligned }: Row): string | undefined {
  if (!domain) return undefined;
  return aligned === null || aligned === undefined
    ? domain
    : `${domain}, ${aligned ? 'aligned with' : 'not aligned with'} the From field`;
}

/** Each check of who sent it, its result, and why. */
export function Authentication({ rows }: { rows: readonly Row[] }) {
  return (
    <ul className={classes.authentication}>
      {rows.map((row, place) => (
        <li key={place} className={classes.auth}>
          <strong>{methodName(row.method)}</strong>
          <span className={classes.outcome}>
            <SeverityMark severity={severityOfResult(row.method, row.result)} />
            {row.result}
          </span>
          <span className={classes.authReason}>
            <RichText text={row.reason} />
            <span className={classes.origin}>{[aboutDomain(row), row.source].filter(Boolean).join(' · ')}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
