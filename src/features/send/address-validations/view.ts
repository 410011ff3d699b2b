import {
  DISPOSABLE_DATE,
  REASONS,
  ROLES_DATE,
  type DnsFinding,
  type Judgment,
  type Mailbox,
  type OwnHistory,
  type ProbeFinding,
} from '../../../engines/address-validation/index.ts';
import { unixSeconds } from '../../../platform/times/index.ts';
import { HISTORY_DAYS, type CHECKS, type OUTCOMES } from './contract.ts';
import type { ValidationJob } from './store.ts';

export interface Engagement {
  engaged: boolean;
  is_bot: boolean;
  engagement: 'highly engaged' | 'engaged' | 'disengaged' | 'complainer' | 'bot';
}

export interface AddressHistory extends OwnHistory {
  /** None where no mail was delivered. */
  engagement: Engagement | undefined;
}

/** What DNS said of a domain, as a sentence, too. */
export interface DomainFinding {
  finding: DnsFinding;
  text: string;
}

/** What a server said of a mailbox, or why it was not asked. */
export interface ProbeResult {
  finding: ProbeFinding;
  text: string;
  /** Undefined: it was not. */
  askedAt?: Date;
}

export interface Validation extends Judgment {
  address: string;
  /** Undefined: it is none. */
  mailbox: Mailbox | undefined;
  /** Of what is none: why. */
  fault: string | undefined;
  dns: DomainFinding | undefined;
  isDisposable: boolean;
  isRole: boolean;
  suggestion: string | undefined;
  root: string | undefined;
  history: AddressHistory | undefined;
  probe: ProbeResult;
}

interface Check {
  check: (typeof CHECKS)[number];
  outcome: (typeof OUTCOMES)[number];
  text: string;
  as_of?: string;
}

const NOT_READ = 'It was not looked at, because this is no address.';

function syntaxCheck({ mailbox, fault }: Validation): Check {
  if (!mailbox) return { check: 'syntax', outcome: 'failed', text: fault ?? REASONS.malformed_address };
  return mailbox.needsUtf8
    ? {
        check: 'syntax',
        outcome: 'noted',
        text: 'It is an address of another script (RFC 6531): servers on its way must know SMTPUTF8.',
      }
    : { check: 'syntax', outcome: 'passed', text: 'It is written as an address (RFC 5321).' };
}

function dnsCheck({ dns }: Validation): Check {
  if (!dns) return { check: 'dns', outcome: 'not_made', text: NOT_READ };
  const outcome = { takes_mail: 'passed', nowhere: 'failed', null_mx: 'failed', unknown: 'unknown' } as const;
  return { check: 'dns', outcome: outcome[dns.finding], text: dns.text };
}

function listChecks({ mailbox, isDisposable, isRole }: Validation): Check[] {
  if (!mailbox)
    return (['disposable', 'role'] as const).map((check) => ({ check, outcome: 'not_made', text: NOT_READ }));
  return [
    isDisposable
      ? { check: 'disposable', outcome: 'failed', text: REASONS.mailbox_is_disposable_address, as_of: DISPOSABLE_DATE }
      : {
          check: 'disposable',
          outcome: 'passed',
          text: `${mailbox.domain} is on no list of disposable domains.`,
          as_of: DISPOSABLE_DATE,
        },
    isRole
      ? { check: 'role', outcome: 'noted', text: REASONS.mailbox_is_role_address, as_of: ROLES_DATE }
      : { check: 'role', outcome: 'passed', text: 'The name is on no list of roles.', as_of: ROLES_DATE },
  ];
}

function typoCheck({ mailbox, suggestion }: Validation): Check {
  if (!mailbox) return { check: 'typo', outcome: 'not_made', text: NOT_READ };
  return suggestion === undefined
    ? { check: 'typo', outcome: 'passed', text: 'The domain is no known slip of the hand.' }
    : { check: 'typo', outcome: 'failed', text: `Probably ${suggestion} was meant.` };
}

function historyCheck({ history }: Validation): Check {
  if (!history) return { check: 'history', outcome: 'not_made', text: NOT_READ };
  const against = [
    ...(history.isComplained ? [REASONS.complained_before] : []),
    ...(history.isBounced ? [REASONS.bounced_before] : []),
    ...(history.isUnsubscribed ? [REASONS.unsubscribed_before] : []),
  ];
  if (against.length > 0) return { check: 'history', outcome: 'failed', text: against.join(' ') };
  return history.isDelivered
    ? {
        check: 'history',
        outcome: 'passed',
        text: `Mail of this account was delivered to it within ${HISTORY_DAYS} days.`,
      }
    : {
        check: 'history',
        outcome: 'unknown',
        text: `No mail of this account was delivered to it within ${HISTORY_DAYS} days.`,
      };
}

const PROBE_OUTCOMES = {
  accepted: 'passed',
  refused: 'failed',
  accepts_all: 'unknown',
  unknown: 'unknown',
  not_asked: 'not_made',
} as const;

const probeCheck = ({ probe: { finding, text, askedAt } }: Validation): Check => ({
  check: 'probe',
  outcome: PROBE_OUTCOMES[finding],
  text,
  ...(askedAt && { as_of: askedAt.toISOString() }),
});

/** What a row of results holds. */
export function resultView({ address, suggestion, history, root, reasons, probe, ...judged }: Validation) {
  return {
    address,
    did_you_mean: suggestion ?? null,
    ...(history?.engagement && { engagement: history.engagement }),
    is_disposable_address: judged.isDisposable,
    is_role_address: judged.isRole,
    reason: reasons as string[],
    result: judged.result,
    risk: judged.risk,
    root_address: root ?? null,
    ...(probe.askedAt && { probed_at: probe.askedAt.toISOString() }),
  };
}

/** The whole reply. */
export function validationView(validation: Validation) {
  return {
    ...resultView(validation),
    checks: [
      syntaxCheck(validation),
      dnsCheck(validation),
      ...listChecks(validation),
      typoCheck(validation),
      historyCheck(validation),
      probeCheck(validation),
    ],
  };
}

const VERIFIED = { deliverable: 'true', undeliverable: 'false' } as const;

/** The reply of the older paths. */
export function olderView({ address, mailbox, fault, suggestion, dns, reasons, ...judged }: Validation) {
  const isRefused = dns?.finding === 'nowhere' || dns?.finding === 'null_mx';
  const { result } = judged;
  return {
    address,
    did_you_mean: suggestion ?? null,
    is_disposable_address: judged.isDisposable,
    is_role_address: judged.isRole,
    is_valid: mailbox !== undefined && !isRefused,
    mailbox_verification:
      result === 'deliverable' || result === 'undeliverable' ? VERIFIED[result] : ('unknown' as const),
    parts: { display_name: null, domain: mailbox?.domain ?? null, local_part: mailbox?.local ?? null },
    reason:
      fault ?? (isRefused ? (dns?.text ?? null) : reasons.includes('mailbox_not_known') ? null : (reasons[0] ?? null)),
  };
}

/** A list that is validated. Its id is in the addresses of its results alone: it is their permission. */
export function jobView(
  { id, name, quantity, processed, status, summary, failure, createdAt }: ValidationJob,
  url: string,
) {
  const results = `${url}/files/validations/${id}/results`;
  return {
    id: name,
    created_at: unixSeconds(createdAt),
    quantity,
    records_processed: processed,
    status,
    summary,
    ...(status === 'uploaded' && { download_url: { csv: `${results}.csv`, json: `${results}.json` } }),
    ...(failure !== null && { reason: failure }),
  };
}
