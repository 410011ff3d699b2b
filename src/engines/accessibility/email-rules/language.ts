// Language and direction: on the page, and on what is left of it when webmail replaces `html` and `body` by a `div`.

import { attr, isRead, plain, quoted, wordAttr } from '../elements.ts';
import { hasMergeTag } from '../../merge-tags/index.ts';
import type { Mail, MailElement } from '../read-mail.ts';
import type { EmailRule, Spot } from '../types.ts';
import { failing, NOTHING } from './verdict.ts';

/** Whether a language tag has the shape of RFC 5646 and its language is a known one; `und` says that nobody knows. */
export function isLanguage(tag: string): boolean {
  if (hasMergeTag(tag)) return true;
  const written = tag.trim().toLowerCase();
  if (OLD_TAGS.has(written)) return true;
  const [primary = ''] = written.split('-');
  // Four letters are kept for later (§2.2.1), and five to eight are registered for none.
  if (/^(?:und|mul|mis|zxx)$/.test(primary) || !/^[a-z]{2,3}$/.test(primary) || !TAG_SHAPE.test(written)) return false;
  return !repeats(written) && names.of(primary) !== undefined;
}

/** Language with its extensions, script, region, variants, extensions, private use (RFC 5646 §2.1), in lower case. */
const TAG_SHAPE = new RegExp(
  [
    '^[a-z]{2,3}(?:-[a-z]{3}){0,3}',
    '(?:-[a-z]{4})?',
    '(?:-(?:[a-z]{2}|\\d{3}))?',
    '(?:-(?:[a-z\\d]{5,8}|\\d[a-z\\d]{3}))*',
    '(?:-[a-wyz\\d](?:-[a-z\\d]{2,8})+)*',
    '(?:-x(?:-[a-z\\d]{1,8})+)?$',
  ].join(''),
);

/** Registered before there was a grammar, and still a language (RFC 5646 §2.2.8). */
const OLD_TAGS = new Set([
  'en-gb-oed',
  'i-ami',
  'i-bnn',
  'i-enochian',
  'i-hak',
  'i-klingon',
  'i-lux',
  'i-mingo',
  'i-navajo',
  'i-pwn',
  'i-tao',
  'i-tay',
  'i-tsu',
  'sgn-be-fr',
  'sgn-be-nl',
  'sgn-ch-de',
  'art-lojban',
  'cel-gaulish',
  'no-bok',
  'no-nyn',
  'zh-guoyu',
  'zh-hakka',
  'zh-min',
  'zh-min-nan',
  'zh-xiang',
]);

/** No variant, and no letter that begins an extension, stands twice (RFC 5646 §2.2.5, §2.2.6). */
function repeats(tag: string): boolean {
  const [own = ''] = tag.split('-x-');
  const [before = '', ...extensions] = own.split(/-(?=[a-z\d]-)/);
  const variants = before
    .split('-')
    .slice(1)
    .filter((part) => part.length > 4 || /^\d[a-z\d]{3}$/.test(part));
  const singletons = extensions.map((extension) => extension[0]);
  return new Set(variants).size < variants.length || new Set(singletons).size < singletons.length;
}

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** The value of a direction attribute that means something. */
export function isDirection(value: string): boolean {
  return /^(?:ltr|rtl|auto)$/.test(value) || hasMergeTag(value);
}

export const htmlHasLang: EmailRule = {
  id: 'html-has-lang',
  criteria: ['3.1.1'],
  impact: 'serious',
  description: 'The html element says which language the message is in.',
  fix: 'Add lang to the html element, such as lang="en".',
  check({ root }) {
    if (!root || (attr(root, 'lang') ?? '').trim() !== '') return failing([]);
    return failing([
      {
        at: root,
        message: 'The html element has no lang, so screen readers speak the message in the reader’s own language.',
      },
    ]);
  },
};

export const htmlLangValid: EmailRule = {
  id: 'html-lang-valid',
  criteria: ['3.1.1'],
  impact: 'serious',
  description: 'The language of the html element is one that screen readers know.',
  fix: 'Use a language tag such as en, de or pt-BR.',
  check({ root }) {
    const tag = root && attr(root, 'lang')?.trim();
    if (!root || !tag) return NOTHING;
    return failing(isLanguage(tag) ? [] : [{ at: root, message: `lang=${quoted(tag, 20)} names no language.` }]);
  },
};

export const validLang: EmailRule = {
  id: 'valid-lang',
  criteria: ['3.1.2'],
  impact: 'serious',
  description: 'The language of a part of the message is one that screen readers know.',
  fix: 'Use a language tag such as en, de or pt-BR.',
  check(mail) {
    const tagged = mail.elements.filter(
      (element) =>
        element !== mail.root &&
        !element.isCommented &&
        (attr(element, 'lang') ?? '').trim() !== '' &&
        isRead(mail, element),
    );
    return failing(
      tagged
        .filter((at) => !isLanguage(attr(at, 'lang')!))
        .map((at) => ({ at, message: `lang=${quoted(attr(at, 'lang')!, 20)} names no language.` })),
      tagged.length > 0,
    );
  },
};

export const htmlHasDir: EmailRule = {
  id: 'html-has-dir',
  criteria: ['1.3.2'],
  isBestPractice: true,
  impact: 'moderate',
  description: 'The html element says in which direction the message is read.',
  fix: 'Add dir="ltr", or dir="rtl" for languages such as Arabic and Hebrew.',
  check({ root }) {
    if (!root || isDirection(wordAttr(root, 'dir'))) return failing([]);
    return failing([
      {
        at: root,
        message: 'The html element has no dir, so clients of right-to-left readers may turn the message around.',
      },
    ]);
  },
};

export const wrapperLang: EmailRule = {
  id: 'wrapper-lang',
  criteria: ['3.1.1'],
  impact: 'serious',
  description: 'An element inside the body repeats the language, since webmail drops html and body.',
  fix: 'Add the same lang to the element that holds the content, inside the body.',
  check: (mail) => checkWrapper(mail, 'lang'),
};

export const wrapperDir: EmailRule = {
  id: 'wrapper-dir',
  criteria: ['1.3.2'],
  isBestPractice: true,
  impact: 'moderate',
  description: 'An element inside the body repeats the direction, since webmail drops html and body.',
  fix: 'Add the same dir to the element that holds the content, inside the body.',
  check: (mail) => checkWrapper(mail, 'dir'),
};

function checkWrapper(mail: Mail, name: 'lang' | 'dir'): ReturnType<EmailRule['check']> {
  if (!mail.body) return NOTHING;
  const message = `No ${name} stands inside the body around this content; Gmail and other webmail drop the one on html and body.`;
  const spots: Spot[] = contentWithout(mail, name).map((at) => ({ at, message }));
  return failing(spots, contentOf(mail).length > 0);
}

const NONE: ReadonlySet<MailElement> = new Set();

/**
 * Content that has no `lang` around it, or no `dir`; `spoken` are pictures that are content though they have no
 * alternative text yet.
 */
export function contentWithout(mail: Mail, name: 'lang' | 'dir', spoken = NONE): MailElement[] {
  const holds = (element: MailElement) =>
    name === 'lang' ? isLanguage(attr(element, 'lang') ?? '') : isDirection(wordAttr(element, 'dir'));
  return contentOf(mail, spoken).filter((element) => !isHeld(element, { holds, spoken }));
}

const WRAPPING_DEPTH_MAX = 4;

/** Whether the element, or every content-holding element right inside it, has what is asked for. */
function isHeld(
  element: MailElement,
  { holds, spoken }: { holds: (element: MailElement) => boolean; spoken: ReadonlySet<MailElement> },
): boolean {
  let level = [element];
  for (let depth = 0; depth < WRAPPING_DEPTH_MAX && level.length > 0; depth++) {
    level = level.filter((candidate) => candidate.tag === 'body' || !holds(candidate));
    if (level.some((candidate) => candidate.tag === 'body' || hasOwnContent(candidate))) return false;
    level = level.flatMap(({ children }) => children.filter((child) => holdsContent(child, spoken)));
  }
  return level.length === 0;
}

/** Says something itself, not only through elements inside. */
function hasOwnContent({ node, tag }: MailElement): boolean {
  return tag === 'img' || node.childNodes.some((child) => 'value' in child && plain(child.value) !== '');
}

function holdsContent(element: MailElement, spoken: ReadonlySet<MailElement>): boolean {
  const stack = [element];
  for (let at = stack.pop(); at; at = stack.pop()) {
    if (
      spoken.has(at) ||
      (at.tag === 'img' && (attr(at, 'alt') ?? '').trim() !== '') ||
      (at.tag !== 'style' && at.tag !== 'script' && at.tag !== 'img' && hasOwnContent(at))
    )
      return true;
    stack.push(...at.children);
  }
  return false;
}

/**
 * The elements right inside the body that a screen reader finds something in; the body itself for text that stands in
 * no other.
 */
function contentOf(mail: Mail, spoken = NONE): MailElement[] {
  const { body } = mail;
  if (!body) return [];
  const found = body.children.filter((child) => isRead(mail, child) && holdsContent(child, spoken));
  return body.node.childNodes.some(
    (child) => 'value' in child && child.nodeName === '#text' && plain(child.value) !== '',
  )
    ? [body, ...found]
    : found;
}
