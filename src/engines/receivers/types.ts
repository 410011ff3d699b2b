// A receiver is data: what it asks of a message, how it weighs, where it files.
import type { CitationId, CitedSentence } from './documents.ts';
import type { RuleGroup } from '../spam-rules/index.ts';

/** A verdict of `authenticate()`, of which only this much is read. */
interface AuthVerdict {
  /** `pass`, `fail`, `softfail`, `neutral`, `none`, `temperror`, `permerror` … */
  result: string;
  reason?: string | null | undefined;
}

/** Loose on purpose: what is absent is taken for `none`. */
export interface AuthenticationFacts {
  spf?: (AuthVerdict & { aligned?: boolean | undefined; domain?: string | undefined }) | null | undefined;
  dkim?:
    | readonly (AuthVerdict & {
        aligned?: boolean | undefined;
        domain?: string | undefined;
        selector?: string | undefined;
        signedHeaders?: readonly string[] | undefined;
        keyBits?: number | undefined;
      })[]
    | null
    | undefined;
  dmarc?:
    | (AuthVerdict & {
        policy?: string | undefined;
        domain?: string | undefined;
        alignedSpf?: boolean | undefined;
        alignedDkim?: boolean | undefined;
      })
    | null
    | undefined;
  arc?: AuthVerdict | null | undefined;
  bimi?: AuthVerdict | null | undefined;
  reverseDns?: (AuthVerdict & { name?: string | null | undefined }) | null | undefined;
  tls?: AuthVerdict | boolean | null | undefined;
}

/** What a filter said; `engine` is `spamassassin`, `rspamd`, `built-in` … */
export interface FilterOpinion {
  engine: string;
  score: number;
  threshold: number;
  verdict: 'nothing_found' | 'soft' | 'spam';
}

export interface MessageFacts {
  subject: string;
  /** Lower-case names, first value of each. */
  headers: Readonly<Record<string, string>>;
  /** How the From field is written, and what stands twice; null: the header was not given whole. */
  form: HeaderForm | null;
  /** Readable text of the message. */
  text: string;
  /** Distinct links with a web address. */
  links: number;
  images: number;
  /** Share of the message that is images rather than text, 0 to 1. */
  imageShare: number;
  attachments: readonly { name: string; contentType: string }[];
  sizeBytes: number;
  /** How often this sender (address, sender, recipient) tried before: 0 at first. For greylisting. */
  attempts?: number;
}

/** What RFC 5322 §3.6 asks of the header. */
export interface HeaderForm {
  fromFields: number;
  /** Addresses in the first From field. */
  authors: number;
  /** Other fields that may stand once and stand more often, in lower case. */
  repeated: readonly string[];
}

export interface PlacementInput {
  authentication: AuthenticationFacts;
  /** The filters that answered; the list can be empty. */
  filters: readonly FilterOpinion[];
  builtIn: { score: number; threshold: number; groups: Partial<Record<RuleGroup, number>> };
  message: MessageFacts;
}

type AuthAction = 'ignore' | 'points' | 'spam' | 'reject';

export interface AuthRule {
  /** The condition that is met, of a fixed set. */
  when: AuthCondition;
  action: AuthAction;
  /** For `points`. */
  points?: number;
  /** The published sentence that it follows; none: a choice of ours. */
  cites?: CitationId;
}

export type AuthCondition =
  | 'spf-fail'
  | 'spf-softfail'
  | 'spf-none'
  | 'spf-error'
  | 'dkim-fail'
  | 'dkim-none'
  | 'dmarc-fail-reject'
  | 'dmarc-fail-quarantine'
  | 'dmarc-fail-none'
  | 'dmarc-none'
  | 'dmarc-pass'
  | 'no-authentication'
  | 'bulk-unauthenticated'
  | 'bulk-unsigned'
  | 'from-missing'
  | 'from-repeated'
  | 'from-several'
  | 'fields-repeated'
  | 'no-reverse-dns'
  | 'no-tls'
  | 'bimi-pass';

export interface TabRule {
  /** `promotions`, `updates`, `social`, `forums`, `newsletters` … */
  category: string;
  /** Signals and what each weighs; the category with the highest sum from `least` on wins, the first among equals. */
  signals: Readonly<Partial<Record<TabSignal, number>>>;
  least: number;
}

export type TabSignal =
  | 'list-unsubscribe'
  | 'list-id'
  | 'precedence-bulk'
  | 'feedback-id'
  | 'list-post'
  | 'commercial-words'
  | 'many-offers'
  | 'transaction-subject'
  | 'transaction-words'
  | 'social-words'
  | 'image-heavy'
  | 'many-links'
  | 'no-reply-sender'
  | 'reply'
  | 'auto-submitted';

export interface Receiver {
  /** `webmail.local-receiver.example`: what it is; never a brand. */
  id: string;
  domain: string;
  /** Begins with “Simulated”. */
  displayName: string;
  /** One sentence for people who choose. */
  about: string;
  category: 'b2c' | 'b2b';
  region: string;
  /** In this order; the first `reject` or `spam` decides, points are added up. */
  authentication: readonly AuthRule[];
  /** What each filter's opinion adds to a stricter one, 0 to 1; the strictest counts in full. 0: not asked. */
  filterWeights: Readonly<Record<'spamassassin' | 'rspamd' | 'built-in', number>>;
  /** Multiplies the built-in points of a group; 1 when absent. */
  groupWeights: Readonly<Partial<Record<RuleGroup, number>>>;
  /** In its own points, where 10 is what a filter at its threshold gives. */
  thresholds: { spam: number; reject: number | null };
  /** Attachments by extension that it never takes. */
  refusedExtensions: readonly string[];
  sizeBytesMax: number;
  tabs: readonly TabRule[];
  /** Puts off what scores `fromScore` or more, for so many attempts. */
  greylisting: { attempts: number; retryAfterSeconds: number; fromScore: number } | null;
}

export type Placement = 'inbox' | 'spam' | 'category' | 'rejected' | 'deferred';

export interface PlacementReason {
  /** `dmarc-fail-reject`, `filter-rspamd`, `group-links` …; stable. */
  code: string;
  /** One sentence. */
  message: string;
  /** In the receiver's own points; null for what decides alone. */
  points: number | null;
  /** The published sentence that the rule follows; null: a choice of ours. */
  source: CitedSentence | null;
}

export interface PlacementVerdict {
  placement: Placement;
  /** `promotions` …; null unless the placement is `category`. */
  category: string | null;
  score: number;
  thresholds: { spam: number; reject: number | null };
  /** What decided comes first, then by points. */
  reasons: PlacementReason[];
  /** What a receiving server would answer. */
  smtpReply: { code: number; enhanced: string; text: string };
}
