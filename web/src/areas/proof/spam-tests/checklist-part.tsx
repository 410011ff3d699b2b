import type { SpamAnalysis } from '../../../shared/mail/mail-api.ts';
import reportClasses from '../../../shared/report/report.module.css';
import type { Severity } from '../../../shared/report/report-api.ts';
import { RichText } from '../../../shared/report/rich-text.tsx';
import { SeverityMark } from '../../../shared/report/severity.tsx';
import classes from './spam.module.css';

const SEVERITY_OF: Record<string, Severity> = {
  pass: 'pass',
  fail: 'error',
  warning: 'warning',
  unknown: 'info',
  not_applicable: 'info',
};
const ORDER = ['fail', 'warning', 'unknown', 'pass', 'not_applicable'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `2024-02` as `February 2024`. */
function since(text: string): string {
  const [year, month, day] = text.split('-');
  return [day && Number(day), month && MONTHS[Number(month) - 1], year].filter(Boolean).join(' ');
}

interface ItemProps {
  status: string;
  title: string;
  reason?: string | undefined;
  fix: string | null;
  origin: string;
}

function Item({ status, title, reason, fix, origin }: ItemProps) {
  return (
    <li className={classes.check}>
      <SeverityMark severity={SEVERITY_OF[status] ?? 'info'} />
      <div>
        <h3>
          <RichText text={title} />
          {status === 'not_applicable' && <span className={classes.aside}> not applicable</span>}
          {status === 'unknown' && <span className={classes.aside}> unknown</span>}
        </h3>
        {reason && (
          <p>
            <RichText text={reason} />
          </p>
        )}
        {fix && status !== 'pass' && (
          <p>
            <span className={classes.term}>Fix:</span> <RichText text={fix} />
          </p>
        )}
        <p className={classes.origin}>{origin}</p>
      </div>
    </li>
  );
}

/** The requirements of large providers for bulk senders, and of RFC 8058 for unsubscribing. */
export function ChecklistPart({ analysis }: { analysis: SpamAnalysis }) {
  const { bulk_sender: bulk, one_click: oneClick } = analysis;
  const checks = bulk.checks.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  return (
    <div className={classes.columns}>
      <section aria-labelledby="bulk" className={reportClasses.panel}>
        <h2 id="bulk" className={classes.panelTitle}>
          Bulk sender requirements
          <span className={reportClasses.sectionNote}>
            {bulk.passed} met, {bulk.failed} not met, {bulk.warnings} unclear
          </span>
        </h2>
        <ul className={classes.checks}>
          {checks.map(({ id, status, title, reason, fix, requirements }) => (
            <Item
              key={id}
              status={status}
              title={title}
              reason={reason}
              fix={fix}
              origin={requirements
                .map(
                  ({ provider, document, since: date }) =>
                    `${provider === 'IETF' ? document : `${provider}, ${document}`}, since ${since(date)}`,
                )
                .join(' · ')}
            />
          ))}
        </ul>
      </section>
      <section aria-labelledby="one-click" className={reportClasses.panel}>
        <h2 id="one-click" className={classes.panelTitle}>
          One-click unsubscribe
          <span className={reportClasses.sectionNote}>
            {oneClick.conforms === null
              ? 'the message has no List-Unsubscribe header'
              : oneClick.conforms
                ? 'conforms to RFC 8058'
                : 'does not conform to RFC 8058'}
          </span>
        </h2>
        {oneClick.url && (
          <p className={classes.url}>
            <span className="mono">{oneClick.url}</span>
          </p>
        )}
        <ul className={classes.checks}>
          {oneClick.checks.map(({ id, status, message, fix, source }) => (
            <Item key={id} status={status} title={message} fix={fix} origin={source} />
          ))}
        </ul>
      </section>
    </div>
  );
}
