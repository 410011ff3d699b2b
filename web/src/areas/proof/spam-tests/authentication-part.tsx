import type { SpamAnalysis } from '../../../shared/mail/mail-api.ts';
import { Authentication } from '../../../shared/mail/authentication.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import { Facts } from '../../../ground/shell/facts.tsx';
import classes from './spam.module.css';

const RESULTS: Record<string, string> = {
  pass: 'pass',
  fail: 'fail',
  warning: 'softfail',
  unknown: 'unknown',
  not_applicable: 'none',
};

/** Encryption on the way stands among the rules for bulk senders; it is asked for here, too. */
function encryption({ bulk_sender: bulk }: SpamAnalysis) {
  const check = bulk.checks.find(({ id }) => id === 'tls');
  return check
    ? [
        {
          method: 'tls',
          result: RESULTS[check.status] ?? 'unknown',
          reason: check.reason,
          source: check.requirements.map(({ provider, document }) => `${provider}, ${document}`).join(' · '),
        },
      ]
    : [];
}

/** Who is proven to have sent the message, and by what. */
export function AuthenticationPart({ analysis }: { analysis: SpamAnalysis }) {
  const { envelope, sender } = analysis;
  return (
    <div className={classes.columns}>
      <section aria-label="Results" className={reportClasses.panel}>
        <Authentication rows={[...analysis.authentication, ...encryption(analysis)]} />
      </section>
      <section aria-label="Connection" className={reportClasses.panel}>
        <h2 className={classes.panelTitle}>The connection that the filters saw</h2>
        <Facts
          facts={[
            ['IP address', envelope.ip ?? 'unknown'],
            ['HELO', envelope.helo],
            ['Reverse DNS', envelope.reverse_dns === '' ? 'none' : (envelope.reverse_dns ?? 'looked up in DNS')],
            ['MAIL FROM', envelope.mail_from || 'empty'],
            ['Sender', sender.domain ?? 'unknown'],
          ]}
        />
        <p className={classes.note}>{sender.note}</p>
      </section>
    </div>
  );
}
