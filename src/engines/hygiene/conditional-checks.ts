// Conditional comments for Word that don't do what they look like.

import type { Finding } from '../findings/index.ts';
import {
  conditionOf,
  markerKind,
  quoted,
  wordVersionsOf,
  type ConditionalMarker,
  type MessageUnderCheck,
} from '../source/index.ts';

/** Words of conditions that Word or old browsers know ("About conditional comments", Microsoft). */
const knownWords = new Set([
  'mso',
  'ie',
  'vml',
  'true',
  'false',
  'lt',
  'lte',
  'gt',
  'gte',
  'excel',
  'ppt',
  'windowsedition',
  'mac',
  'pub',
  'outlook',
  'word',
]);

const SOURCE = 'Microsoft, “About conditional comments”';

interface Open {
  marker: ConditionalMarker;
  kind: 'opening' | 'cut' | 'broken';
}

/** Markers without a partner, comments that end too early, conditions that nobody can read. */
export function checkConditionalComments(mail: MessageUnderCheck): Finding[] {
  const findings: Finding[] = [];
  const say: Say = (marker, { severity = 'error', message, fix }) =>
    findings.push({
      rule: 'hygiene/conditional-comment',
      severity,
      message,
      fix,
      source: SOURCE,
      where: mail.placeAt(marker.start, Math.min(marker.end, marker.start + 80)),
    });
  const open: Open[] = [];
  for (const marker of mail.message.conditionals.markers) {
    const kind = markerKind(marker, mail.html, marker.start);
    if (sayBroken(mail, marker, findings)) {
      // Its partner is as it should be.
      if (kind === 'opening') open.push({ marker, kind: 'broken' });
      else if (kind === 'plain') open.pop();
      continue;
    }
    if (kind === 'hidden' || kind === 'opening') checkCondition(marker, kind, say);
    if (kind === 'plain') sayPlain(marker, say);
    else if (kind === 'opening' || kind === 'cut') open.push({ marker, kind });
    else if (kind === 'closing') {
      const partner = open.pop();
      if (!partner)
        say(marker, {
          message: 'This <![endif] closes nothing.',
          fix: 'Take it out, or write the <!--[if …]> that it belongs to.',
        });
      else if (partner.kind === 'cut') sayCut(partner.marker, say);
    }
  }
  for (const { marker, kind } of open) {
    if (kind === 'cut') sayCut(marker, say);
    else if (kind === 'opening')
      say(marker, {
        message: 'This condition is never closed: where it is false, Word skips the rest of the message.',
        fix: 'Write <!--<![endif]--> where it ends.',
      });
  }
  return findings;
}

type Say = (marker: ConditionalMarker, what: { message: string; fix: string; severity?: Finding['severity'] }) => void;

function checkCondition(marker: ConditionalMarker, kind: 'hidden' | 'opening', say: Say): void {
  const condition = conditionOf(marker) ?? '';
  const unknown = condition
    .match(/[a-z]+/gi)
    ?.find((word) => !knownWords.has(word.toLowerCase()) && !/^support/i.test(word));
  if (condition.trim() === '') say(marker, { message: 'The condition is empty.', fix: 'Write <!--[if mso]>.' });
  else if (unknown)
    say(marker, {
      severity: 'warning',
      message: `Word does not know ${quoted(unknown)}, so the condition is never true.`,
      fix: 'Write mso, with gt, gte, lt or lte and a number before it if need be.',
    });
  else if (kind === 'hidden' && /^\s*!\s*\(?\s*mso\s*\)?\s*$/i.test(condition)) {
    say(marker, {
      message: 'No client shows this: browsers read it as a comment, and the condition is false in Word.',
      fix: 'Write <!--[if !mso]><!--> … <!--<![endif]-->.',
    });
  } else if (wordVersionsOf(condition).length === 0 && kind === 'hidden' && !/\bie\b/i.test(condition)) {
    say(marker, {
      severity: 'info',
      message: `No version of Word meets ${quoted(condition)}, so no client shows this.`,
      fix: 'Versions are 12 (2007), 14 (2010), 15 (2013) and 16 (2016 and later).',
    });
  }
}

const END = /<!\s{0,200}\[\s{0,200}endif\s{0,200}\]/gi;
const BROKEN_START = /^\[if[^\]<>]{0,400}?[\r\n]/i;

/**
 * A condition that a line break has made void, at its start or at its end. Sources: github.com/resend/react-email/pull/1839
 * (2024-12-24), github.com/ues-io/uesio/issues/4557 (2025-02-04).
 */
function sayBroken(mail: MessageUnderCheck, marker: ConditionalMarker, findings: Finding[]): boolean {
  const text = mail.html.slice(marker.start, marker.end);
  const end = [...text.matchAll(END)].find(([found]) => /[\r\n]/.test(found));
  const isBrokenAtStart = BROKEN_START.test(marker.data);
  if (!end && !isBrokenAtStart) return false;
  const at = isBrokenAtStart ? 0 : end!.index;
  const isMetByAll =
    !isBrokenAtStart && wordVersionsOf(conditionOf(marker) ?? '').length === wordVersionsOf(' true').length;
  findings.push({
    rule: 'hygiene/conditional-comment',
    severity: isMetByAll ? 'warning' : 'error',
    message: brokenMessage({ isBrokenAtStart, isBrokenAtEnd: end !== undefined, isMetByAll }),
    fix: 'Write <!--[if mso]> and <![endif]--> each on one line, and keep your formatter away from comments.',
    source: 'react-email#1839, uesio#4557',
    where: mail.placeAt(marker.start + at, Math.min(marker.end, marker.start + at + 80)),
  });
  return true;
}

function brokenMessage(broken: { isBrokenAtStart: boolean; isBrokenAtEnd: boolean; isMetByAll: boolean }): string {
  if (!broken.isBrokenAtEnd)
    return 'A line break inside [if …] breaks this conditional comment: Word leaves out what stands in it.';
  if (broken.isMetByAll)
    return 'A line break stands before [endif]: Word was seen to bear it, until the condition is broken or false.';
  const where = broken.isBrokenAtStart ? 'inside [if …] and before [endif]' : 'before [endif]';
  return (
    `A line break ${where} breaks this conditional comment: Word does not find its end, and the rest of the message ` +
    'is gone.'
  );
}

function sayPlain(marker: ConditionalMarker, say: Say): void {
  if (/^\s+\[if/i.test(marker.data))
    say(marker, {
      message: 'There is a space before [if, so Word treats this as an ordinary comment.',
      fix: 'Write <!--[if without a space.',
    });
  else if (/^\[if/i.test(marker.data))
    say(marker, { message: "This condition can't be read: its ] or > is missing.", fix: 'Write <!--[if mso]>.' });
}

function sayCut(marker: ConditionalMarker, say: Say): void {
  say(marker, {
    message:
      'This comment for Word ends at the first --> inside it: what follows, up to <![endif], is shown by every client.',
    fix: 'Take comments out of conditional comments, and end with <![endif]-->.',
  });
}
