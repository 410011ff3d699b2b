// What follows from all that is known of an address.

export const RESULTS = ['deliverable', 'undeliverable', 'do_not_send', 'catch_all', 'unknown'] as const;
export type Result = (typeof RESULTS)[number];
export const RISKS = ['high', 'medium', 'low', 'unknown'] as const;
export type Risk = (typeof RISKS)[number];

/** Why, in words of the wire, with what each means for people. */
export const REASONS = {
  malformed_address: 'The address is not written as an address is.',
  no_mail_server: 'Nothing takes mail for the domain.',
  domain_takes_no_mail: 'The domain says that it takes no mail.',
  dns_not_answered: 'DNS did not answer for the domain.',
  mailbox_is_disposable_address: 'The domain gives mailboxes that nobody keeps.',
  mailbox_is_role_address: 'The name stands for a task in place of a person.',
  mailbox_does_not_exist: "The domain's server says that there is no such mailbox.",
  bounced_before: 'Mail of this account to the address bounced.',
  complained_before: 'The recipient called mail of this account spam.',
  unsubscribed_before: 'The recipient unsubscribed from mail of this account.',
  catch_all: "The domain's server accepts every name, so that it does not tell which mailboxes there are.",
  typo_of_provider: 'The domain is probably a slip of the hand for that of a large provider.',
  mailbox_not_known: 'Nothing tells whether there is such a mailbox.',
} as const;
type Reason = keyof typeof REASONS;

/** What DNS says of a domain. */
export type DnsFinding = 'takes_mail' | 'nowhere' | 'null_mx' | 'unknown';
/** What the domain's server said. */
export type ProbeFinding = 'accepted' | 'refused' | 'accepts_all' | 'unknown' | 'not_asked';

/** What an account knows of an address by its own mail. */
export interface OwnHistory {
  isBounced: boolean;
  isComplained: boolean;
  isUnsubscribed: boolean;
  /** Mail was delivered, and none was refused for good since. */
  isDelivered: boolean;
}

export interface KnownFacts {
  isWellFormed: boolean;
  dns: DnsFinding;
  isDisposable: boolean;
  isRole: boolean;
  isTypo: boolean;
  history: OwnHistory;
  probe: ProbeFinding;
}

export interface Judgment {
  result: Result;
  risk: Risk;
  reasons: Reason[];
}

/** What settles the matter, the strongest first. */
const SETTLES: readonly { holds(facts: KnownFacts): boolean; result: Result; risk: Risk; reason: Reason }[] = [
  { holds: ({ isWellFormed }) => !isWellFormed, result: 'undeliverable', risk: 'high', reason: 'malformed_address' },
  { holds: ({ dns }) => dns === 'nowhere', result: 'undeliverable', risk: 'high', reason: 'no_mail_server' },
  { holds: ({ dns }) => dns === 'null_mx', result: 'undeliverable', risk: 'high', reason: 'domain_takes_no_mail' },
  { holds: ({ history }) => history.isComplained, result: 'do_not_send', risk: 'high', reason: 'complained_before' },
  {
    holds: ({ isDisposable }) => isDisposable,
    result: 'do_not_send',
    risk: 'high',
    reason: 'mailbox_is_disposable_address',
  },
  { holds: ({ history }) => history.isBounced, result: 'undeliverable', risk: 'high', reason: 'bounced_before' },
  {
    holds: ({ probe }) => probe === 'refused',
    result: 'undeliverable',
    risk: 'high',
    reason: 'mailbox_does_not_exist',
  },
  {
    holds: ({ history }) => history.isUnsubscribed,
    result: 'do_not_send',
    risk: 'medium',
    reason: 'unsubscribed_before',
  },
];

/** Nothing is against it: what speaks for it. */
function openJudgment({ dns, isRole, isTypo, history, probe }: KnownFacts): Judgment {
  const asides: Reason[] = [
    ...(isRole ? (['mailbox_is_role_address'] as const) : []),
    ...(isTypo ? (['typo_of_provider'] as const) : []),
  ];
  const risk: Risk | undefined = isTypo ? 'high' : isRole ? 'medium' : undefined;
  if (history.isDelivered || probe === 'accepted')
    return { result: 'deliverable', risk: risk ?? 'low', reasons: asides };
  if (probe === 'accepts_all')
    return { result: 'catch_all', risk: risk ?? 'medium', reasons: ['catch_all', ...asides] };
  const unknown: Reason = dns === 'unknown' ? 'dns_not_answered' : 'mailbox_not_known';
  return { result: 'unknown', risk: risk ?? 'unknown', reasons: [unknown, ...asides] };
}

/** The judgment, with every reason that holds; the one that settles it is the first. */
export function judge(facts: KnownFacts): Judgment {
  const settling = SETTLES.filter(({ holds }) => holds(facts));
  const [first] = settling;
  if (!first) return openJudgment(facts);
  const reasons: Reason[] = settling.map(({ reason }) => reason);
  if (facts.isRole) reasons.push('mailbox_is_role_address');
  if (facts.isTypo) reasons.push('typo_of_provider');
  return { result: first.result, risk: first.risk, reasons };
}
