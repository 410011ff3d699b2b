// Results and risks in words, in the order in which they are shown.
import type { Check, Result, Risk } from './validations-api.ts';

type Tone = 'good' | 'doubt' | 'bad';
interface Words<Value> {
  value: Value;
  label: string;
  tone?: Tone;
}

export const RESULTS: readonly (Words<Result> & { about: string })[] = [
  {
    value: 'deliverable',
    label: 'Deliverable',
    tone: 'good',
    about: 'Your own mail was delivered to it, or its server said that it takes mail.',
  },
  {
    value: 'undeliverable',
    label: 'Undeliverable',
    tone: 'bad',
    about: 'Mail to it cannot arrive, or bounced before.',
  },
  {
    value: 'do_not_send',
    label: 'Do not send',
    tone: 'bad',
    about: 'It may take mail, but its owner complained or unsubscribed, or nobody keeps it.',
  },
  {
    value: 'catch_all',
    label: 'Accepts everything',
    tone: 'doubt',
    about: 'Its server accepts every name, so nobody can say whether this mailbox exists.',
  },
  {
    value: 'unknown',
    label: 'Unknown',
    about: 'Nothing speaks against it, and nothing shows that the mailbox exists.',
  },
];

export const RISKS: readonly Words<Risk>[] = [
  { value: 'low', label: 'Low risk', tone: 'good' },
  { value: 'medium', label: 'Medium risk', tone: 'doubt' },
  { value: 'high', label: 'High risk', tone: 'bad' },
  { value: 'unknown', label: 'Unknown risk' },
];

export const CHECKS: Readonly<Record<Check['check'], string>> = {
  syntax: 'Syntax',
  dns: 'Domain',
  disposable: 'Disposable',
  role: 'Role',
  typo: 'Typing error',
  history: 'Your own mail',
  probe: 'Its server',
};

export const OUTCOMES: Readonly<Record<Check['outcome'], { label: string; tone?: Tone }>> = {
  passed: { label: 'passed', tone: 'good' },
  failed: { label: 'failed', tone: 'bad' },
  noted: { label: 'noted', tone: 'doubt' },
  unknown: { label: 'unknown' },
  not_made: { label: 'not checked' },
};

const REASONS: Readonly<Record<string, string>> = {
  malformed_address: 'It is not written as an address.',
  no_mail_server: 'Nothing takes mail for the domain.',
  domain_takes_no_mail: 'The domain says that it takes no mail.',
  dns_not_answered: 'DNS did not answer for the domain.',
  mailbox_is_disposable_address: 'The domain gives away mailboxes that nobody keeps.',
  mailbox_is_role_address: 'The name stands for a role rather than a person.',
  mailbox_does_not_exist: 'Its server says that there is no such mailbox.',
  bounced_before: 'Your mail to it bounced.',
  complained_before: 'Its owner reported your mail as spam.',
  unsubscribed_before: 'Its owner unsubscribed.',
  catch_all: 'Its server accepts every name, so it does not tell which mailboxes exist.',
  typo_of_provider: 'The domain looks like a typing error.',
  mailbox_not_known: 'Nothing shows whether the mailbox exists.',
};

export const reasonWords = (reason: string): string => REASONS[reason] ?? reason;
