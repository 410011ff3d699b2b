// What the fixers share: one message, the edits collected so far, and the account of them.

import { snippetOf } from '../../source/index.ts';
import type { Mail, MailElement } from '../read-mail.ts';
import { createSourceEdits, type SourceEdits } from './source-edits.ts';

/** One repair, for people to read. */
export interface FixChange {
  /** The rule that asked for it. */
  rule: string;
  /** In the source as given, from 1. */
  line: number;
  /** The start tag, or what stood in the changed place; shortened. */
  before: string;
  after: string;
  note: string;
  /** A guess that a person must look at before the message is sent. */
  check: boolean;
  /** The message looks different after it, if only a little. */
  changesLook: boolean;
}

/** What is wrong, could be repaired in general, and was not here. */
export interface FixLeft {
  rule: string;
  line: number;
  reason: string;
}

export interface FixOptions {
  /** The message's subject, for the title. */
  subject?: string;
  /** The message's language; guessed from its text when left out. */
  language?: string;
  /** The language to set when neither the message nor its text shows one. Default `en`. */
  defaultLanguage?: string;
  /** `adjust` also repairs what cannot be repaired without changing the looks. Default `keep`. */
  looks?: 'keep' | 'adjust';
}

interface Reason {
  rule: string;
  note: string;
  check?: boolean;
  changesLook?: boolean;
}

export interface Fixing {
  mail: Mail;
  options: FixOptions;
  edits: SourceEdits;
  /** Sets attributes, or removes them (null). Reports, instead of making, a change of looks that is not intended. */
  set(element: MailElement, attributes: Readonly<Record<string, string | null>>, reason: Reason): void;
  /** Puts text into the source. */
  replace(range: { start: number; end: number }, text: string, reason: Reason): void;
  leave(rule: string, element: MailElement | undefined, reason: string): void;
  changes(): FixChange[];
  left: FixLeft[];
  /** Pictures that were given a text. */
  spoken: ReadonlySet<MailElement>;
}

const SHORT_MAX = 300;

export function createFixing(mail: Mail, options: FixOptions): Fixing {
  const edits = createSourceEdits(mail.html);
  const selected = selectedAttributes(mail.css);
  const made: { at: number; line: number; write: () => FixChange }[] = [];
  const left: FixLeft[] = [];
  const spoken = new Set<MailElement>();
  const lineOf = (element: MailElement | undefined): number => (element ? mail.placeOf(element).line : 1);
  const leave = (rule: string, element: MailElement | undefined, reason: string): void => {
    left.push({ rule, line: lineOf(element), reason });
  };
  return {
    mail,
    options,
    edits,
    left,
    leave,
    spoken,
    set(element, attributes, { rule, note, check = false, changesLook = false }) {
      const selecting = Object.keys(attributes).find((name) => selected.has(name) && !changesLook);
      if (element.start === undefined || element.isRepeated)
        return leave(rule, element, 'The element has no tag of its own in the source.');
      if (selecting)
        return leave(rule, element, `The style sheet selects by [${selecting}], so that the looks could change.`);
      for (const [name, value] of Object.entries(attributes)) edits.setAttribute(element, name, value);
      if (attributes['alt']) spoken.add(element);
      const write = (): FixChange => ({
        rule,
        line: lineOf(element),
        before: short(mail.html.slice(element.start, element.end)),
        after: short(edits.tagAfter(element)),
        note,
        check,
        changesLook,
      });
      made.push({ at: element.start, line: lineOf(element), write });
    },
    replace({ start, end }, text, { rule, note, check = false }) {
      edits.replace(start, end, text);
      const line = mail.html.slice(0, start).split(/\r\n?|\n/).length;
      made.push({
        at: start,
        line,
        write: () => ({
          rule,
          line,
          before: short(mail.html.slice(start, end)),
          after: short(text),
          note,
          check,
          changesLook: false,
        }),
      });
    },
    changes: () => made.toSorted((a, b) => a.at - b.at).map(({ write }) => write()),
  };
}

function short(text: string): string {
  return snippetOf(text, 0, Math.min(text.length, SHORT_MAX));
}

/** Attributes that the style sheets select elements by. */
function selectedAttributes(css: string): Set<string> {
  const names = new Set([...css.matchAll(/\[\s*([a-z-]+)/gi)].map((match) => match[1]!.toLowerCase()));
  if (/:lang\(/i.test(css)) names.add('lang');
  if (/:dir\(/i.test(css)) names.add('dir');
  return names;
}
