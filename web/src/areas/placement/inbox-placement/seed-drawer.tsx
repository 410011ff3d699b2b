import type { ReactNode } from 'react';
import { Authentication } from '../../../shared/mail/authentication.tsx';
import type { SeedResult } from '../../../shared/mail/mail-api.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { OutcomeMark, outcomeOfSeed } from '../../../shared/mail/outcome.tsx';
import { SideDialog } from '../../../ground/shell/dialog.tsx';
import { Facts } from '../../../ground/shell/facts.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { count } from '../../../ground/words.ts';
import classes from './placement.module.css';
import { delayInWords } from './seed-table.tsx';

function time(text: string | null): ReactNode {
  return text && <When at={new Date(text)} />;
}

/** All that is known of one seed. */
export function SeedDrawer({ seed, onClose }: { seed: SeedResult; onClose: () => void }) {
  const facts: [string, ReactNode][] = [
    ['Placement', <OutcomeMark key="where" outcome={outcomeOfSeed(seed)} folder={seed.extensions?.category} />],
    ['Reason', seed.reason],
    ['Folders', seed.tags.join(', ')],
    ['Provider', seed.provider],
    ['Mailbox type', seed.simulated ? 'Simulated: a rule decided' : 'Real mailbox, read by IMAP'],
    ['Sent', time(seed.delivered_at)],
    ['Received', time(seed.received_at)],
    ['Delivery time', delayInWords(seed.delay_seconds)],
    ['From address', seed.originating_ip && <span className="mono">{seed.originating_ip}</span>],
    ['SMTP reply', seed.smtp_reply && <span className="mono">{seed.smtp_reply}</span>],
    ['Attempts', seed.attempts > 1 && count(seed.attempts, 'attempt')],
    ['Copies', seed.copies > 1 && `${count(seed.copies, 'copy', 'copies')}; counted once`],
  ];
  return (
    <SideDialog
      onClose={onClose}
      title={seed.email}
      size="lg"
      styles={{ title: { fontFamily: 'var(--font-sans)', fontSize: 16, overflowWrap: 'anywhere' } }}
    >
      <Facts facts={facts.filter(([, value]) => value)} />
      {seed.authentication && seed.authentication.length > 0 && (
        <>
          <h3 className={classes.drawerTitle}>Authentication</h3>
          <Authentication rows={seed.authentication} />
        </>
      )}
      {seed.headers && seed.headers.length > 0 && (
        <>
          <h3 className={classes.drawerTitle}>Headers as received</h3>
          <dl className={mailClasses.headers} style={{ padding: 0 }}>
            {seed.headers.map(({ key, value }, place) => (
              <div key={place} className={mailClasses.header}>
                <dt>{key}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </SideDialog>
  );
}
