// What the built-in rules read, and what they say.
import type { Place } from '../findings/index.ts';
import type { Language } from './language.ts';

export interface SpamInput {
  /** Decoded text of the HTML part. */
  html?: string | undefined;
  /** The text/plain part. */
  text?: string | undefined;
  /**
   * In their order, values decoded; without them nothing is said about headers. Subject may stand here or in `subject`.
   */
  headers?: readonly { name: string; value: string }[] | undefined;
  subject?: string | undefined;
  attachments?: readonly { name: string; contentType: string; sizeBytes: number }[] | undefined;
  /** The whole message in bytes. */
  rawBytes?: number | undefined;
  /** When it arrived, ISO 8601; without it the Date field is not compared with anything. */
  receivedAt?: string | undefined;
}

export type RuleGroup = 'content' | 'links' | 'images' | 'html' | 'headers' | 'bulk' | 'attachments';

/** In which part of the message a place is. Lines and offsets count in that part as it was given. */
type MessagePart = 'html' | 'text' | 'subject' | 'header' | 'attachment' | 'message';

export interface RulePlace extends Place {
  part: MessagePart;
  /** The field, when `part` is `header`. */
  header?: string;
  /** Characters from `offset` on. */
  length?: number;
}

export interface SpamRuleHit {
  /** `BODY_URGENT_ACTION`; stable. */
  rule: string;
  group: RuleGroup;
  points: number;
  /** What the rule is about; the same for every message. */
  description: string;
  /** What it found in this one, with its words and numbers. */
  message: string;
  fix: string;
  source: string;
  /** The words that caused it; the first few of many. */
  places: RulePlace[];
  /** How many there are in all. */
  count: number;
}

export interface SpamScore {
  engine: 'built-in';
  version: string;
  /** Sum of all points, at most one decimal; never below -5. */
  score: number;
  threshold: number;
  verdict: 'nothing_found' | 'soft' | 'spam';
  /** Most points first. */
  rules: SpamRuleHit[];
  /** Language of the visible text; undefined if it could not be determined. */
  language: Language | undefined;
  /** Sum of points by group; groups without a hit are absent. */
  groups: Partial<Record<RuleGroup, number>>;
}

/** A rule as it is published. */
export interface SpamRuleInfo {
  rule: string;
  group: RuleGroup;
  points: number;
  description: string;
  fix: string;
  source: string;
}
