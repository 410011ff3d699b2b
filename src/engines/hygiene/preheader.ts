// What the list of messages shows before a message is opened: subject, preview text, summary.

import type { Finding } from '../findings/index.ts';
import { inboxClients, type InboxClient } from './inbox-clients.ts';
import {
  lineOf,
  plural,
  quoted,
  readableLine,
  readForChecks,
  wordCharacters,
  type MessageHtml,
  type MessageToCheck,
  type MessageUnderCheck,
  type TextRun,
} from '../source/index.ts';

interface Preheader {
  /** Hidden text at the start of the body, made for the inbox; empty without one. */
  text: string;
  /** The first text that readers see, 200 characters of it. */
  firstVisible: string;
  /** Blanks that nobody sees follow it and keep the body's text out of the inbox. */
  isPadded: boolean;
}

/** Text that clients look at for their preview, at most. */
const LOOKED_AT = 2000;

function readPreheader({ runs }: MessageUnderCheck): Preheader {
  const hidden = leadingHidden(runs);
  const visible = runs.filter(({ isHidden }) => !isHidden);
  const text = lineOf(hidden);
  return {
    text,
    firstVisible: lineOf(upTo(visible, LOOKED_AT)).slice(0, 200).trim(),
    isPadded: paddingOf(hidden) >= 20,
  };
}

/** Hidden runs before anything that readers see. */
function leadingHidden(runs: readonly TextRun[]): TextRun[] {
  const first = runs.findIndex(({ isHidden, text }) => !isHidden && wordCharacters(text.slice(0, LOOKED_AT)) > 0);
  return runs.slice(0, first < 0 ? runs.length : first).filter(({ isHidden }) => isHidden);
}

function upTo(runs: readonly TextRun[], characters: number): TextRun[] {
  let left = characters;
  const taken: TextRun[] = [];
  for (const run of runs) {
    if (left <= 0) break;
    taken.push(run.text.length > left * 4 ? { ...run, text: run.text.slice(0, left * 4) } : run);
    left -= run.text.length;
  }
  return taken;
}

/** Characters after the last letter that only take up room. */
function paddingOf(runs: readonly TextRun[]): number {
  const text = runs
    .map((run) => run.text)
    .join('')
    .replace(/[ \t\r\n]+/g, ' ');
  return text.length - text.search(/[^\p{L}\p{N}\p{P}\p{S}]*$/u);
}

/**
 * The text that the AI summaries of Apple Mail, Gmail and Outlook start from: the first 200 characters that a reader
 * sees, without the hidden preheader. What they make of it is theirs.
 */
export function summaryText(html: string): string {
  return readPreheader(readForChecks({ html })).firstVisible;
}

// ---- Rows of the inbox --------------------------------------------------------------------------------------------

interface ShownText {
  shown: string;
  isCut: boolean;
}

export interface InboxRow {
  client: string;
  name: string;
  subject: ShownText;
  /** Undefined where the list shows no preview. */
  preview?: ShownText & {
    /** What of the body's own text shows behind the preheader; empty when nothing does. */
    bodyText: string;
  };
  /** Characters, and where the numbers are from. */
  limits: { subject: number; preview: number };
  source: InboxClient['source'];
}

/**
 * Subject and preview as the message lists of fourteen clients show them. The preview is the body's first text, hidden
 * text included; padding takes up its room without being seen. `read` is the HTML where somebody has read it.
 */
export function inboxRows(input: Pick<MessageToCheck, 'html' | 'subject'>, read?: MessageHtml): InboxRow[] {
  const mail = readForChecks(input, read);
  const preheader = readPreheader(mail);
  const source = previewSource(mail.runs);
  const subject = (input.subject ?? '').replace(/\s+/g, ' ').trim();
  return inboxClients.map((client): InboxRow => ({
    client: client.id,
    name: client.name,
    subject: cut(subject, client.subject),
    ...(client.preview > 0 && { preview: previewIn(source, preheader, client.preview) }),
    limits: { subject: client.subject, preview: client.preview },
    source: client.source,
  }));
}

/** The body's text as clients take it: with the padding, in characters as readers count them. */
function previewSource(runs: readonly TextRun[]): string[] {
  const text = upTo(runs, LOOKED_AT)
    .map((run) => (run.startsBlock ? ` ${run.text}` : run.text))
    .join('')
    .replace(/[ \t\r\n]+/g, ' ')
    .trimStart();
  return charactersOf(text.slice(0, LOOKED_AT));
}

function previewIn(source: readonly string[], preheader: Preheader, limit: number): NonNullable<InboxRow['preview']> {
  const shown = readableLine(source.slice(0, limit).join(''));
  const isOverlong = preheader.text ? charactersOf(preheader.text).length > limit : source.length > limit;
  const bodyText = preheader.text && shown.startsWith(preheader.text) ? shown.slice(preheader.text.length).trim() : '';
  return { shown: isOverlong ? `${shown}…` : shown, isCut: isOverlong, bodyText };
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

function charactersOf(text: string): string[] {
  return Array.from(segmenter.segment(text.slice(0, LOOKED_AT)), ({ segment }) => segment);
}

function cut(text: string, limit: number): ShownText {
  const characters = charactersOf(text);
  if (characters.length <= limit) return { shown: text, isCut: false };
  return {
    shown: `${characters
      .slice(0, limit - 1)
      .join('')
      .trimEnd()}…`,
    isCut: true,
  };
}

// ---- Findings -----------------------------------------------------------------------------------------------------

/** Clients show 35 to 140 characters; below this the body's text is sure to follow. */
const PREHEADER_MIN = 35;
const boilerplate =
  /^(?:view|read|open|see|show|can(?:no|['’])t (?:see|view|read)|having trouble|trouble viewing|if you (?:can(?:no|['’])t|have trouble)|email not displaying|web ?version|online ansehen|im browser|falls diese|unsubscribe)\b/i;

export function checkPreheader(mail: MessageUnderCheck): Finding[] {
  const preheader = readPreheader(mail);
  const first = mail.runs[0];
  if (!first) return [];
  const where = mail.placeAt(first.start, first.end, first.element);
  if (!preheader.text) {
    return [
      {
        rule: 'hygiene/preheader-missing',
        severity: boilerplate.test(preheader.firstVisible) ? 'warning' : 'info',
        where,
        message: `There is no preheader: beside the subject the inbox shows ${quoted(preheader.firstVisible, 80)}.`,
        fix: 'Start the body with a hidden <div> of 40 to 100 characters that carries the subject on.',
        details: { firstVisible: preheader.firstVisible },
      },
    ];
  }
  const findings: Finding[] = [];
  const length = charactersOf(preheader.text).length;
  if (length < PREHEADER_MIN && !preheader.isPadded) {
    findings.push({
      rule: 'hygiene/preheader-short',
      severity: 'info',
      where,
      message:
        `The preheader has ${plural(length, 'character')}, so the inbox goes on with ` +
        `${quoted(preheader.firstVisible)}.`,
      fix: 'Write 40 to 100 characters, or fill up with &#847;&zwnj;&nbsp; repeated.',
      details: { preheader: preheader.text, characters: length },
    });
  }
  if (mail.subject?.trim() && preheader.text.toLowerCase() === mail.subject.trim().toLowerCase()) {
    findings.push({
      rule: 'hygiene/preheader-repeats',
      severity: 'info',
      where,
      message: 'The preheader says the same as the subject.',
      fix: 'Carry the subject on instead.',
    });
  }
  return findings;
}

export function preheaderPassed(mail: MessageUnderCheck): string | undefined {
  const { text } = readPreheader(mail);
  return text ? `The preheader is ${quoted(text, 100)}.` : undefined;
}

/** The first visible words are what AI summaries and screen readers start with. */
export function checkSummary(mail: MessageUnderCheck): Finding[] {
  const { firstVisible } = readPreheader(mail);
  if (!boilerplate.test(firstVisible)) return [];
  const first = mail.runs.find(({ isHidden, text }) => !isHidden && wordCharacters(text.slice(0, LOOKED_AT)) > 0);
  return [
    {
      rule: 'hygiene/summary',
      severity: 'info',
      message:
        `The message begins with ${quoted(firstVisible)}: that is what AI summaries and screen ` +
        'readers begin with as well.',
      fix: 'Put the link to the web version at the end.',
      details: { summary: firstVisible },
      ...(first && { where: mail.placeAt(first.start, first.end, first.element) }),
    },
  ];
}

const SUBJECT_MAX = 70;
const SUBJECT_FAR = 150;

export function checkSubject({ subject }: MessageUnderCheck): Finding[] {
  if (subject === undefined) return [];
  const text = subject.replace(/\s+/g, ' ').trim();
  if (!text)
    return [
      {
        rule: 'hygiene/subject',
        severity: 'error',
        message: 'The subject is empty.',
        fix: 'Write what the message is about.',
      },
    ];
  const findings: Finding[] = [];
  const length = charactersOf(text).length;
  if (length > SUBJECT_MAX) {
    const cutIn = inboxClients.filter((client) => client.subject < length).map(({ name }) => name);
    findings.push({
      rule: 'hygiene/subject-length',
      severity: length > SUBJECT_FAR ? 'warning' : 'info',
      clients: cutIn,
      details: { characters: length, limit: SUBJECT_MAX },
      message: `The subject has ${length} characters: every list of messages cuts it off, phones after 33 to 48.`,
      fix: 'Put what matters into the first 40 characters.',
    });
  }
  const letters = text.match(/\p{L}/gu) ?? [];
  if (
    letters.length >= 10 &&
    letters.every((letter) => letter === letter.toUpperCase()) &&
    text !== text.toLowerCase()
  ) {
    findings.push({
      rule: 'hygiene/subject-capitals',
      severity: 'info',
      message: 'The subject is all in capitals: it reads as shouting, to people and to filters.',
      fix: 'Write it in sentence case.',
    });
  }
  return findings;
}

export function subjectPassed({ subject }: MessageUnderCheck): string | undefined {
  return subject === undefined
    ? undefined
    : `The subject has ${plural(charactersOf(subject.trim()).length, 'character')}.`;
}
