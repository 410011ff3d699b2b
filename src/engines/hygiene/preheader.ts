// What the list of messages shows before a message is opened: subject, preview text, summary.

import type { Finding } from '../findings/index.ts';
import { charactersOf, LOOKED_AT, readPreheader, rowsOfClients } from '../inbox-rows/index.ts';
import { plural, quoted, readForChecks, wordCharacters, type MessageUnderCheck } from '../source/index.ts';

/**
 * The text that the AI summaries of Apple Mail, Gmail and Outlook start from: the first 200 characters that a reader
 * sees, without the hidden preheader. What they make of it is theirs.
 */
export function summaryText(html: string): string {
  return readPreheader(readForChecks({ html })).firstVisible;
}

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
    const cutIn = rowsOfClients
      .filter(({ subject: room }) => room && 'characters' in room && room.characters < length)
      .map(({ name }) => name);
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
