// What every report format is written from: the findings of some checks on one or several emails.
import type { Finding } from '../findings/index.ts';

/** A finding with what it means for the verdict. */
export interface ReportedFinding extends Finding {
  /** It makes the email fail. */
  fails: boolean;
  /** Why it was set aside, in the words of the policy; an ignored finding never fails. */
  ignored?: string;
}

export interface CheckReport {
  /** `links`. */
  check: string;
  /** `Links`. */
  title: string;
  /** `failed`: the check itself could not run; `error` says why. */
  status: 'complete' | 'failed';
  error?: string;
  findings: readonly ReportedFinding[];
  /** How long it took, where that was measured. A group that another check found has none: its time is that check's. */
  durationMs?: number;
}

export interface EmailReport {
  /** What was checked: a path with `/`, or a URL. */
  email: string;
  checks: readonly CheckReport[];
  /** Missing where nobody judged. */
  verdict?: Verdict;
}

export interface Verdict {
  passed: boolean;
  /** One sentence each; empty when it passed. */
  reasons: readonly string[];
}

export interface Report {
  tool: { name: string; version: string };
  emails: readonly EmailReport[];
  /** Duration of the whole run; emails are checked at the same time. */
  durationMs?: number;
}

export interface ReportOptions {
  /** Colors for a terminal; only the format for people has them. */
  color?: boolean;
}
