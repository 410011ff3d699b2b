import type { Finding } from '../findings/index.ts';
import { checkConditionalComments } from './conditional-checks.ts';
import {
  checkActiveContent,
  checkCharset,
  checkDirection,
  checkDoctype,
  checkLanguage,
  checkRelativeAddresses,
  checkTitle,
  checkViewport,
} from './document-checks.ts';
import { checkImageOnly, checkInlineImages, checkTrackingPixels } from './image-checks.ts';
import { checkMergedValues, checkMergeTags } from './merge-tags.ts';
import {
  plural,
  readForChecks,
  type MessageHtml,
  type MessageToCheck,
  type MessageUnderCheck,
} from '../source/index.ts';
import { checkPreheader, checkSubject, checkSummary, preheaderPassed, subjectPassed } from './preheader.ts';
import {
  checkClipping,
  checkMessageSize,
  checkNestedAtRules,
  checkStyleSize,
  sizePassed,
  stylesPassed,
} from './size-checks.ts';
import { checkTextPart, textPartPassed } from './text-part-checks.ts';
import { checkUnsubscribe, unsubscribePassed } from './unsubscribe-checks.ts';

/** What a whole message says of the charsets of its parts: clients guess where it says nothing, each in its way. */
export function checkPartCharsets(problems: readonly string[]): Finding[] {
  return problems.map((message) => ({
    rule: 'hygiene/part-charset',
    severity: 'error',
    message,
    fix: 'Send the part as UTF-8, with Content-Type: …; charset=utf-8.',
    source: 'RFC 2045 §5.2, RFC 2046 §4.1.2',
  }));
}

interface Check {
  /** The rule that passes when nothing is found. */
  rule: string;
  run(mail: MessageUnderCheck): Finding[];
  /** What to say then; undefined when there was nothing to check. */
  passed?(mail: MessageUnderCheck): string | undefined;
}

const hasConditions = ({ message }: MessageUnderCheck) =>
  message.conditionals.markers.length ? 'Every conditional comment is closed and can be read.' : undefined;

const checks: readonly Check[] = [
  { rule: 'hygiene/gmail-clipping', run: checkClipping, passed: sizePassed },
  { rule: 'hygiene/gmail-style-size', run: checkStyleSize, passed: stylesPassed },
  { rule: 'hygiene/gmail-nested-at-rule', run: checkNestedAtRules },
  { rule: 'hygiene/message-size', run: checkMessageSize },
  { rule: 'hygiene/merge-tag', run: checkMergeTags, passed: () => 'No merge tag is left.' },
  { rule: 'hygiene/merged-value', run: checkMergedValues },
  { rule: 'hygiene/doctype', run: checkDoctype, passed: () => 'There is a doctype.' },
  { rule: 'hygiene/lang', run: checkLanguage, passed: () => 'The message says its language.' },
  { rule: 'hygiene/dir', run: checkDirection, passed: () => 'The message says its direction.' },
  { rule: 'hygiene/charset', run: checkCharset, passed: () => 'The message says that it is in UTF-8.' },
  {
    rule: 'hygiene/part-charset',
    run: ({ charsetProblems = [] }) => checkPartCharsets(charsetProblems),
    passed: ({ charsetProblems }) => charsetProblems && 'Every part is in the charset that it names.',
  },
  { rule: 'hygiene/viewport', run: checkViewport, passed: () => 'There is a viewport.' },
  { rule: 'hygiene/title', run: checkTitle, passed: () => 'There is a title.' },
  { rule: 'hygiene/conditional-comment', run: checkConditionalComments, passed: hasConditions },
  { rule: 'hygiene/active-content', run: checkActiveContent },
  { rule: 'hygiene/relative-address', run: checkRelativeAddresses },
  { rule: 'hygiene/subject', run: checkSubject, passed: subjectPassed },
  { rule: 'hygiene/preheader-missing', run: checkPreheader, passed: preheaderPassed },
  { rule: 'hygiene/summary', run: checkSummary },
  { rule: 'hygiene/text-part', run: checkTextPart, passed: textPartPassed },
  { rule: 'hygiene/list-unsubscribe', run: checkUnsubscribe, passed: unsubscribePassed },
  { rule: 'hygiene/image-only', run: checkImageOnly },
  { rule: 'hygiene/inline-image', run: checkInlineImages },
  { rule: 'hygiene/tracking-pixel', run: checkTrackingPixels },
];

/** How many findings of one rule are listed one by one; the rest is counted. */
const FINDINGS_MAX = 100;

/**
 * What no support table covers: sizes, merge tags, what a document needs, conditional comments, inbox text, the text
 * part, List-Unsubscribe, pictures in the code. Only what was given is judged: without headers nothing is said about
 * them. A check that finds nothing says so as a `pass`. `read` is the HTML where somebody has read it.
 */
export function checkHygiene(input: MessageToCheck, read?: MessageHtml): Finding[] {
  const mail = readForChecks(input, read);
  return checks.flatMap(({ rule, run, passed }) => {
    const found = run(mail);
    if (found.length > FINDINGS_MAX) return [...found.slice(0, FINDINGS_MAX), more(rule, found)];
    if (found.length) return found;
    const message = passed?.(mail);
    return message === undefined ? [] : [{ rule, severity: 'pass' as const, message }];
  });
}

function more(rule: string, found: readonly Finding[]): Finding {
  return {
    rule,
    severity: found[0]!.severity,
    message: `${plural(found.length - FINDINGS_MAX, 'more place')} like these.`,
  };
}
