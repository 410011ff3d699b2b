import type { ReactNode } from 'react';
import { SeverityMark } from '../../../shared/report/severity.tsx';
import { bytes } from '../../../ground/words.ts';
import type { GateItems, GateLimit } from './gate-api.ts';
import classes from './gate.module.css';
import { Tallies } from './verdict-mark.tsx';

const LIMITS: Record<string, string> = {
  html_bytes_max: 'HTML',
  message_bytes_max: 'Message',
  image_bytes_max: 'Images',
  broken_links_max: 'Broken links',
  warnings_max: 'Warnings',
  score_min: 'Score',
};

function limitName(limit: string): string {
  const [kind = limit, audience] = limit.split('.');
  return audience === undefined ? (LIMITS[kind] ?? kind) : `${LIMITS[kind] ?? kind}, ${audience}`;
}

function amount({ limit }: GateLimit, value: number): string {
  return limit.includes('bytes') ? bytes(value) : value.toLocaleString('en', { maximumFractionDigits: 1 });
}

function Limits({ limits }: { limits: readonly GateLimit[] }) {
  return (
    <div className={classes.limits}>
      <table>
        <caption>Limits</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Limit</th>
            <th scope="col">Value</th>
            <th scope="col">Allowed</th>
          </tr>
        </thead>
        <tbody>
          {limits.map((limit) => (
            <tr key={limit.limit} data-failed={!limit.passed || undefined}>
              <th scope="row">
                <span>
                  <SeverityMark severity={limit.passed ? 'pass' : 'error'} size={14} />
                  {limitName(limit.limit)}
                </span>
              </th>
              <td>
                {limit.value === null
                  ? limit.limit === 'message_bytes_max'
                    ? 'not measured (HTML only)'
                    : 'not measured'
                  : amount(limit, limit.value)}
              </td>
              <td>
                {limit.limit.startsWith('score_min') ? 'at least' : 'at most'} {amount(limit, limit.allowed)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Pass or fail, and why. */
export function Verdict({
  gate: { verdict, reasons, counts, limits },
  children,
}: {
  gate: GateItems;
  children?: ReactNode;
}) {
  const isPassed = verdict === 'pass';
  return (
    <section className={classes.verdict} data-verdict={verdict} aria-label="Verdict">
      <div className={classes.judgment}>
        <p className={classes.word}>{isPassed ? 'Passed' : 'Failed'}</p>
        {counts && <Tallies counts={counts} />}
        {reasons.length > 0 ? (
          <ul className={classes.reasons}>
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        ) : (
          <p className={classes.reasons}>Nothing fails the policy.</p>
        )}
        {children}
      </div>
      {limits.length > 0 && <Limits limits={limits} />}
    </section>
  );
}
