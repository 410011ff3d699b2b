// What every inspection says about an email. A finding is a value: a dead link is a finding, a checker that failed is
// an error.

export type Severity = 'error' | 'warning' | 'info' | 'pass';

/** A place in the message. Lines and columns count from 1 in the source as given. */
export interface Place {
  /** Of an email that was made from several files: the one that is meant, where it is not the email's own. */
  file?: string;
  line?: number;
  column?: number;
  /** Characters from the start of the source, from 0. */
  offset?: number;
  /** CSS selector of the element in the parsed document. */
  selector?: string;
  /** The piece of source meant, shortened. */
  snippet?: string;
}

export interface Finding {
  /** `links/broken`, `accessibility/image-alt`: inspection and rule; stable. */
  rule: string;
  severity: Severity;
  /** One sentence that says what is wrong, with the names and numbers of this case. */
  message: string;
  where?: Place;
  /** Every place, `where` first, of a fault that stands in several; at most 1,000 are listed. */
  places?: Place[];
  /** In how many places it stands, where that is more than one. */
  count?: number;
  /** What to do about it, one sentence. */
  fix?: string;
  /** Where the rule comes from: a WCAG criterion, an RFC section, a data set. */
  source?: string;
  /** Clients that are affected, by name, where the finding is about some only. */
  clients?: string[];
  /** Machine-readable particulars, specific to the rule. */
  details?: Record<string, unknown>;
}
