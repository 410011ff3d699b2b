// The document as a whole: title, zoom, plain text, and attributes that get in the way.

import { attr, below, isRead, nameOf, plain, quoted, textOf, wordAttr } from '../elements.ts';
import { hasMergeTag } from '../../merge-tags/index.ts';
import type { Mail, MailElement } from '../read-mail.ts';
import type { EmailRule, Spot } from '../types.ts';
import { PLACEHOLDER_TITLES } from '../words.ts';
import { doubting, failing, NOTHING } from './verdict.ts';

/** The title element; those of pictures (`svg`) are something else. */
export function titleOf(mail: Mail): MailElement | undefined {
  return mail.elements.find(
    ({ tag, isCommented, node }) => tag === 'title' && !isCommented && node.namespaceURI.endsWith('xhtml'),
  );
}

/** The title's text on one line. */
export function titleText(title: MailElement | undefined): string {
  return plain(title?.node.childNodes.map((child) => ('value' in child ? child.value : '')).join('') ?? '');
}

export const documentTitle: EmailRule = {
  id: 'document-title',
  criteria: ['2.4.2'],
  impact: 'serious',
  description: 'The message has a title; browsers and screen readers announce it when the message is opened in a tab.',
  fix: 'Put the subject line into title.',
  check(mail) {
    const title = titleOf(mail);
    const text = titleText(title);
    const at = title ?? mail.head ?? mail.root;
    if (!at || hasMergeTag(text)) return failing([]);
    if (text === '') return failing([{ at, message: title ? 'The title is empty.' : 'There is no title.' }]);
    return failing(
      PLACEHOLDER_TITLES.has(text.toLowerCase())
        ? [{ at, impact: 'moderate', message: `The title ${quoted(text)} says nothing about the message.` }]
        : [],
    );
  },
};

export const titleSubject: EmailRule = {
  id: 'title-subject',
  criteria: ['2.4.2'],
  isBestPractice: true,
  impact: 'minor',
  description: 'The title says the same as the subject line.',
  fix: 'Use the subject line as title.',
  check(mail, { subject = '' }) {
    const title = titleOf(mail);
    const text = titleText(title);
    if (!title || text === '' || plain(subject) === '' || hasMergeTag(text) || hasMergeTag(subject)) return NOTHING;
    const words = (value: string) => new Set(value.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
    const [inTitle, inSubject] = [words(text), words(subject)];
    const shared = [...inTitle].filter((word) => inSubject.has(word)).length;
    return doubting(
      shared > 0
        ? []
        : [{ at: title, message: `The title ${quoted(text)} has no word of the subject ${quoted(subject)}.` }],
    );
  },
};

/** What a viewport says against zooming. */
export function zoomLocks(content: string): string[] {
  const entries = content
    .toLowerCase()
    .split(/[,;]/)
    .map((entry) => entry.split('=').map((part) => part.trim()));
  return entries
    .filter(
      ([name, value = '']) =>
        (name === 'user-scalable' && /^(?:no|0|-.*)$/.test(value)) ||
        (name === 'maximum-scale' && Number.parseFloat(value) < 2),
    )
    .map(([name, value]) => `${name}=${value}`);
}

export const metaViewport: EmailRule = {
  id: 'meta-viewport',
  criteria: ['1.4.4'],
  impact: 'critical',
  description: 'Readers may zoom.',
  fix: 'Leave user-scalable and maximum-scale out of the viewport.',
  check(mail) {
    const metas = mail.elements.filter(
      (element) => element.tag === 'meta' && !element.isCommented && wordAttr(element, 'name') === 'viewport',
    );
    const spots = metas.flatMap((at): Spot[] => {
      const locks = zoomLocks(attr(at, 'content') ?? '');
      return locks.length > 0 ? [{ at, message: `The viewport keeps readers from zooming: ${locks.join(', ')}.` }] : [];
    });
    return failing(spots, metas.length > 0);
  },
};

export const plainText: EmailRule = {
  id: 'plain-text',
  criteria: [],
  principle: 'Robust',
  impact: 'moderate',
  description: 'The message also has a plain-text part, for readers and devices that want no HTML.',
  fix: 'Add a text/plain part that says the same.',
  check({ root }, { hasText }) {
    if (hasText === undefined || !root) return NOTHING;
    return failing(hasText ? [] : [{ at: root, message: 'The message has no text/plain part.' }]);
  },
};

const NAMED_BY_TITLE = new Set([
  'iframe',
  'frame',
  'abbr',
  'acronym',
  'dfn',
  'input',
  'select',
  'textarea',
  'link',
  'style',
  'svg',
  'object',
]);

/** Elements with a title attribute that screen readers repeat and touch screens never show. */
function titledElements(mail: Mail): MailElement[] {
  return mail.elements.filter(
    (element) =>
      !element.isCommented &&
      !element.isRepeated &&
      !NAMED_BY_TITLE.has(element.tag) &&
      (attr(element, 'title') ?? '').trim() !== '' &&
      isRead(mail, element),
  );
}

/** Whether the title attribute repeats what the element says without it. */
export function isTitleRedundant(element: MailElement): boolean {
  const name =
    plain(attr(element, 'aria-label') ?? '') ||
    (element.tag === 'img' ? plain(attr(element, 'alt') ?? '') : textOf(element, { withAlt: true }));
  return name.toLowerCase() === plain(attr(element, 'title') ?? '').toLowerCase();
}

export const titleAttribute: EmailRule = {
  id: 'title-attribute',
  criteria: [],
  principle: 'Perceivable',
  impact: 'minor',
  description: 'No title attributes: they are read out twice or never, and touch screens don’t show them.',
  fix: 'Remove the title; what it says belongs into the text or alt.',
  check(mail) {
    const spots = titledElements(mail).map((at): Spot => ({
      at,
      message:
        `The title attribute ${quoted(attr(at, 'title')!, 40)} of this ${at.tag} ` +
        `${isTitleRedundant(at) ? 'repeats its text' : 'reaches mouse users only'}.`,
    }));
    return failing(
      spots,
      mail.elements.some((element) => element.tag === 'a' || element.tag === 'img'),
    );
  },
};

export const positiveTabindex: EmailRule = {
  id: 'tabindex',
  criteria: ['2.4.3'],
  isBestPractice: true,
  impact: 'serious',
  description: 'Keyboard focus follows the order of the message: no tabindex above 0.',
  fix: 'Remove tabindex, or use 0.',
  check(mail) {
    const ordered = mail.elements.filter(
      (element) => !element.isCommented && !element.isRepeated && attr(element, 'tabindex') !== undefined,
    );
    return failing(
      ordered
        .filter((element) => Number.parseInt(attr(element, 'tabindex')!, 10) > 0)
        .map((at) => ({
          at,
          message: `tabindex="${Number.parseInt(attr(at, 'tabindex')!, 10)}" takes this ${at.tag} out of its order.`,
        })),
      ordered.length > 0,
    );
  },
};

const EMOJI = /\p{Extended_Pictographic}/gu;
const EMOJI_MAX = 2;

export const subjectEmoji: EmailRule = {
  id: 'subject-emoji',
  criteria: [],
  principle: 'Perceivable',
  impact: 'minor',
  description: `The subject line has at most ${EMOJI_MAX} emoji, whose names are all read out.`,
  fix: 'Keep one emoji at the end, or none.',
  check({ root }, { subject }) {
    if (subject === undefined || !root) return NOTHING;
    const count = subject.match(EMOJI)?.length ?? 0;
    return failing(
      count > EMOJI_MAX ? [{ at: root, message: `The subject ${quoted(subject)} has ${count} emoji.` }] : [],
    );
  },
};

export const ariaHiddenContent: EmailRule = {
  id: 'aria-hidden-content',
  criteria: ['1.3.1'],
  impact: 'serious',
  description: 'Nothing that can be seen and used is hidden from screen readers.',
  fix: 'Remove aria-hidden from elements that hold links.',
  check(mail) {
    const hidden = mail.elements.filter(
      (element) => !element.isCommented && wordAttr(element, 'aria-hidden') === 'true' && !mail.styleOf(element).isGone,
    );
    const spots = hidden.flatMap((at): Spot[] => {
      const link =
        (at.tag === 'a' && attr(at, 'href') !== undefined ? at : undefined) ??
        [...below(at)].find(({ tag, node }) => tag === 'a' && node.attrs.some(({ name }) => name === 'href'));
      return link && attr(link, 'tabindex') !== '-1'
        ? [{ at, message: `aria-hidden hides the link ${quoted(nameOf(link), 40)}, which the keyboard still reaches.` }]
        : [];
    });
    return failing(spots, hidden.length > 0);
  },
};
