import { useQuery } from '@tanstack/react-query';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { calendarDay } from '../../../ground/words.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import tables from '../../../shared/send/send.module.css';
import { Cell } from './figures-table.tsx';
import { complianceQuery, type Compliance as Said } from './postmaster-api.ts';
import classes from './postmaster.module.css';

const STATES = {
  compliant: { tone: 'good', words: 'met' },
  needs_work: { tone: 'bad', words: 'needs work' },
} as const;

const REQUIREMENTS: Readonly<Record<string, string>> = {
  spf: 'SPF',
  dkim: 'DKIM',
  spf_and_dkim: 'SPF and DKIM',
  dmarc_policy: 'DMARC policy',
  dmarc_alignment: 'From aligned with SPF or DKIM',
  message_formatting: 'Messages as in RFC 5322',
  dns_records: 'Forward and reverse DNS',
  encryption: 'TLS',
  user_reported_spam_rate: 'Spam rate',
  one_click_unsubscribe: 'One-click unsubscribe',
  honor_unsubscribe: 'Unsubscribe requests honored',
};

/** What Google gives as reasons. */
const REASONS: Readonly<Record<string, string>> = {
  no_unsub_general: 'Most messages have no one-click unsubscribe.',
  no_unsub_spam_reports: 'Most messages that are reported as spam have no one-click unsubscribe.',
  no_unsub_promo_spam_reports: 'Most promotional messages that are reported as spam have no one-click unsubscribe.',
  not_honoring: 'Unsubscribe requests are not honored.',
  not_honoring_too_few_campaigns: 'Unsubscribe requests are not honored; more kinds of campaigns may help.',
  not_honoring_too_many_campaigns: 'Unsubscribe requests are not honored; fewer kinds of campaigns may help.',
  message_volume_low: 'There are not enough messages.',
  smtp_errors_high: 'Many messages have delivery errors.',
  sender_not_compliant: 'Requirements of senders are not met.',
  spam_rate_high: 'The spam rate is above 0.1 %.',
  user_feedback_negative: 'Readers show that they do not want the messages.',
  user_feedback_low: 'Readers do nothing with the messages.',
  user_feedback_positive: 'Readers show that they want the messages.',
};

type Verdict = Said['deliverability'];

function rowsOf({ requirements, ...verdicts }: Said): [string, NonNullable<Verdict>][] {
  const told: [string, Verdict][] = [
    ['Deliverability', verdicts.deliverability],
    ['One-click unsubscribe, on the whole', verdicts.one_click_unsubscribe],
    ['Unsubscribe requests, on the whole', verdicts.honor_unsubscribe],
  ];
  return [
    ...requirements.map(({ requirement, state }): [string, NonNullable<Verdict>] => [
      REQUIREMENTS[requirement] ?? requirement,
      { state, reason: null },
    ]),
    ...told.flatMap(([name, verdict]): [string, NonNullable<Verdict>][] => (verdict ? [[name, verdict]] : [])),
  ];
}

function Requirements({ compliance }: { compliance: Said }) {
  return (
    <Sideways label={`Requirements of ${compliance.domain}, table`} minWidth={320}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">
              <bdi>{compliance.domain}</bdi>
            </th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {rowsOf(compliance).map(([name, { state, reason }]) => (
            <tr key={name}>
              <td>{name}</td>
              <td>
                {state ? <Chip tone={STATES[state].tone}>{STATES[state].words}</Chip> : <Cell>{null}</Cell>}
                {reason !== null && <span className={classes.small}>{REASONS[reason] ?? reason}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}

/** Whether the domain meets Google's requirements of senders, as Google said last. */
export function Compliance({ domain }: { domain: string }) {
  const { data } = useQuery(complianceQuery(domain));
  if (!data?.date) return null;
  return (
    <section aria-labelledby="requirements">
      <h2 id="requirements" className={tables.part}>
        Google’s requirements
      </h2>
      <p className={classes.text}>
        As Google said on {calendarDay(data.date)}. Where it says nothing, there is no data.
      </p>
      <div className={classes.charts}>
        {[data.subdomain, data.organizational].map((one) => one && <Requirements key={one.domain} compliance={one} />)}
      </div>
    </section>
  );
}
