// What an audit asks for and answers: the rule engine's outcome, trimmed and bounded.
import type { RenderRequest } from '../types.ts';

/** A document as it would be rendered, and the rules to check it with. */
export interface AuditRequest extends Omit<RenderRequest, 'heightMax' | 'fitWidth' | 'message'> {
  /** Ids of axe-core's rules. Unknown ones are an error of the caller's. */
  rules: readonly string[];
  /** An attribute that names elements: every node reports the value of the nearest element that has it. */
  markAttribute?: string;
}

interface AuditCheck {
  id: string;
  /** What to correct, one sentence. */
  message: string;
  /** Particulars such as `fgColor`, `contrastRatio`. */
  data: Readonly<Record<string, string | number | boolean>>;
}

interface AuditNode {
  /** CSS selector in the audited document. */
  target: string;
  /** The element's markup, shortened. */
  html: string;
  mark?: string;
  impact?: string;
  /** Correct any one of these… */
  any: AuditCheck[];
  /** …and all of these. */
  all: AuditCheck[];
}

interface AuditRule {
  id: string;
  impact?: string;
  /** `wcag2aa`, `wcag143`, `best-practice` and so on. */
  tags: string[];
  description: string;
  help: string;
  /** At most 200 of them. */
  nodes: AuditNode[];
  nodeCount: number;
}

export interface AuditResult {
  /** Name and version of the rule engine. */
  engine: string;
  browser: string;
  failures: AuditRule[];
  /** What the engine could not decide. */
  incomplete: AuditRule[];
  /** Without nodes. */
  passes: AuditRule[];
  /** Ids of rules that found nothing to look at. */
  inapplicable: string[];
}

export interface Auditor {
  /**
   * Runs axe-core on a document in Chromium, in a world of its own: the document's scripts stay off and can't reach it.
   * Throws `RenderError`, also (`load_failed`) for documents of too many elements or that the rules fail on.
   */
  audit(request: AuditRequest, signal: AbortSignal): Promise<AuditResult>;
}
