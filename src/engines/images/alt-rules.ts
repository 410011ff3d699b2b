// Alternative text: what is read out, and what is seen while images are blocked.
import { altFault } from '../html/index.ts';
import type { FoundImage } from './find-images.ts';
import { nameOf, type ImageSubject, type Rule, type Verdict } from './image-finding.ts';
import { roleOf } from './image-role.ts';

const SOURCE = 'WCAG 2.2 SC 1.1.1';
const LENGTH_MAX = 125;

/** One verdict per image that needs an alternative text. */
export const judgeAlt: Rule = (subject) => {
  const { found } = subject;
  if (!found?.alt || found.isPresentational) return undefined;
  const { state, text } = found.alt;
  if (state === 'missing') return missing(subject);
  if (state === 'empty') return empty(subject, found);
  return (
    quality(found, text) ?? {
      rule: 'alt',
      severity: 'pass',
      message: `The alternative text is “${shortened(text)}”.`,
      source: SOURCE,
      details: { alt: text },
    }
  );
};

function missing(subject: ImageSubject): Verdict {
  const fix = 'Add alt with what the image says, or alt="" when it is decoration.';
  const role = roleOf(subject);
  if (role !== 'picture')
    return {
      rule: 'alt',
      severity: 'warning',
      impact: 'minor',
      message:
        `The ${role === 'tracking' ? 'tracking pixel' : 'spacer'} ${nameOf(subject)} has no alt, so that some ` +
        'screen readers read its file name.',
      fix: 'Add alt="".',
      source: SOURCE,
    };
  return {
    rule: 'alt',
    severity: 'error',
    impact: 'critical',
    message: `${nameOf(subject)} has no alternative text.`,
    fix,
    source: SOURCE,
  };
}

function empty(subject: ImageSubject, { link }: FoundImage): Verdict {
  if (link && !link.hasOtherText && roleOf(subject) === 'picture') {
    return {
      rule: 'alt-linked',
      severity: 'error',
      impact: 'serious',
      source: 'WCAG 2.2 SC 2.4.4',
      message:
        `${nameOf(subject)} is all there is in its link, and its alt is empty: ` +
        `the link to ${link.href.slice(0, 80)} has no name.`,
      fix: 'Say in alt where the link leads.',
      details: { href: link.href },
    };
  }
  return {
    rule: 'alt',
    severity: 'pass',
    message: 'The empty alt marks it as decoration.',
    source: SOURCE,
    details: { alt: '' },
  };
}

/** What is read out is judged: `alt`, unless the image has its name from elsewhere. */
function quality({ name, files }: FoundImage, written: string): Verdict | undefined {
  const alt = name?.text ?? written;
  const from = name === undefined || name.from === 'alt' ? undefined : name.from;
  const base = {
    source: SOURCE,
    details: { alt, ...(from && { from }) },
    fix: 'Write what the image says to the reader.',
  };
  const what = `${from ? `The name that ${from} gives,` : 'The alternative text'} “${shortened(alt)}”`;
  const fault = altFault(alt, ...files);
  if (fault === 'placeholder')
    return {
      ...base,
      rule: 'alt-placeholder',
      severity: 'warning',
      impact: 'moderate',
      message: `${what} says nothing about the image.`,
    };
  if (fault)
    return {
      ...base,
      rule: 'alt-file-name',
      severity: 'warning',
      impact: 'serious',
      message: `${what} is ${fault === 'address' ? 'an address' : 'a file name'}.`,
    };
  if (alt.length > LENGTH_MAX)
    return {
      ...base,
      rule: 'alt-long',
      severity: 'info',
      impact: 'minor',
      message: `The alternative text has ${alt.length} characters; screen readers cannot pause in it.`,
      fix: `Keep it under ${LENGTH_MAX} characters and put the rest into the text.`,
    };
  return undefined;
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
