// Repairs of the document: language, direction, title, zoom.

import { attr, plain, textOf, wordAttr } from '../elements.ts';
import { documentTitle, metaViewport, titleOf, titleText, zoomLocks } from '../email-rules/document.ts';
import { fakeHeadings, headingsOf, levelOf } from '../email-rules/headings.ts';
import {
  contentWithout,
  htmlHasDir,
  htmlHasLang,
  htmlLangValid,
  isDirection,
  isLanguage,
  wrapperDir,
  wrapperLang,
} from '../email-rules/language.ts';
import type { Mail, MailElement } from '../read-mail.ts';
import type { Fixing } from './fixing.ts';
import { guessLanguage, isRightToLeft } from './guess-language.ts';

interface Language {
  tag: string;
  isGuessed: boolean;
}

/** `lang` and `dir` on `html`. */
export function fixLanguage(fixing: Fixing): void {
  const { mail } = fixing;
  const language = languageOf(fixing);
  const direction = directionOf(mail, language.tag);
  const wanted: Record<string, string> = {};
  const isLangMissing = htmlHasLang.check(mail, {}).failures.length > 0;
  if (isLangMissing || htmlLangValid.check(mail, {}).failures.length > 0) wanted['lang'] = language.tag;
  const isDirMissing = htmlHasDir.check(mail, {}).failures.length > 0;
  if (isDirMissing && direction) wanted['dir'] = direction;
  else if (isDirMissing) fixing.leave(htmlHasDir.id, mail.root, RIGHT_TO_LEFT_NOTE);
  setOnRoot(fixing, wanted, { language, isLangMissing });
}

/**
 * `lang` and `dir` on what is left of the message in webmail. To be called when pictures have their alternative texts:
 * those are content, too.
 */
export function fixWrapper(fixing: Fixing): void {
  const { mail, spoken } = fixing;
  const language = languageOf(fixing);
  const direction = directionOf(mail, language.tag);
  const byHand = 'Text stands directly in the body; put it into a div with lang and dir.';
  for (const at of contentWithout(mail, 'lang', spoken)) {
    if (at.tag === 'body') fixing.leave(wrapperLang.id, at, byHand);
    else
      fixing.set(
        at,
        { lang: language.tag },
        { rule: wrapperLang.id, note: languageNote(language), check: language.isGuessed },
      );
  }
  for (const at of contentWithout(mail, 'dir', spoken)) {
    if (at.tag === 'body') fixing.leave(wrapperDir.id, at, byHand);
    else if (!direction) fixing.leave(wrapperDir.id, at, RIGHT_TO_LEFT_NOTE);
    else
      fixing.set(
        at,
        { dir: direction },
        { rule: wrapperDir.id, note: 'The direction that the message is shown in now.' },
      );
  }
}

const RIGHT_TO_LEFT_NOTE =
  'The text runs from right to left, or in both directions: setting dir would turn the message around. ' +
  'Do it by hand and look at the result.';

function languageNote({ tag, isGuessed }: Language): string {
  return isGuessed
    ? `Check this: ${tag} was guessed from the text.`
    : `${tag}, as the message says elsewhere or as was asked for.`;
}

function setOnRoot(
  fixing: Fixing,
  wanted: Record<string, string>,
  { language, isLangMissing }: { language: Language; isLangMissing: boolean },
): void {
  const { mail } = fixing;
  const reasons = {
    lang: {
      rule: isLangMissing ? htmlHasLang.id : htmlLangValid.id,
      note: languageNote(language),
      check: language.isGuessed,
    },
    dir: { rule: htmlHasDir.id, note: 'The direction that the message is shown in now.' },
  };
  const names = (['lang', 'dir'] as const).filter((name) => wanted[name] !== undefined);
  if (names.length === 0 || !mail.root) return;
  if (mail.root.start !== undefined) {
    for (const name of names) fixing.set(mail.root, { [name]: wanted[name]! }, reasons[name]);
    return;
  }
  const at = insertionPoint(mail);
  const tag = `<html${names.map((name) => ` ${name}="${wanted[name]}"`).join('')}>`;
  fixing.replace({ start: at, end: at }, tag, {
    ...reasons[names[0]!],
    note: `The message had no html tag. ${reasons[names[0]!].note}`,
  });
}

/** The place for a missing html tag: after the doctype and its line, since the doctype must stay first. */
function insertionPoint({ html }: Mail): number {
  return /^\ufeff?\s*(?:<!doctype[^>]*>\s*)?/i.exec(html)![0].length;
}

function languageOf({ mail, options }: Fixing): Language {
  const written = [mail.root, mail.body, ...(mail.body?.children ?? [])]
    .map((element) => element && attr(element, 'lang')?.trim())
    .find((tag) => tag && isLanguage(tag));
  const given = options.language !== undefined && isLanguage(options.language) ? options.language : undefined;
  const tag = given ?? written;
  if (tag) return { tag, isGuessed: false };
  const text = mail.texts
    .map(({ value }) => value)
    .join(' ')
    .slice(0, 40_000);
  return { tag: guessLanguage(text) ?? options.defaultLanguage ?? 'en', isGuessed: true };
}

const RIGHT_TO_LEFT_LETTER = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thaana}\p{Script=Syriac}]/u;

/** The direction that the message has now; undefined when saying it could turn something around. */
function directionOf({ root, body, texts }: Mail, language: string): string | undefined {
  const written = [body, root]
    .map((element) => (element ? wordAttr(element, 'dir') : ''))
    .find((value) => isDirection(value));
  if (written === 'ltr' || written === 'rtl') return written;
  const hasRightToLeft = isRightToLeft(language) || texts.some(({ value }) => RIGHT_TO_LEFT_LETTER.test(value));
  return hasRightToLeft ? undefined : 'ltr';
}

/** The subject as title; without one, the main heading. */
export function fixTitle(fixing: Fixing): void {
  const { mail, options } = fixing;
  const [failure] = documentTitle.check(mail, {}).failures;
  if (!failure) return;
  const subject = plain(options.subject ?? '');
  const text = subject || plain(mainHeading(mail) ?? '').slice(0, 150);
  if (text === '' || text.toLowerCase() === titleText(titleOf(mail)).toLowerCase()) {
    fixing.leave(documentTitle.id, failure.at, 'Neither a subject nor a heading is known.');
    return;
  }
  const reason = {
    rule: documentTitle.id,
    note: subject ? 'The subject line.' : 'Check this: made from the main heading.',
    check: !subject,
  };
  const written = escapeText(text);
  const title = titleOf(mail);
  const place = title?.node.sourceCodeLocation;
  if (title && place?.startTag && place.endTag)
    fixing.replace({ start: place.startTag.endOffset, end: place.endTag.startOffset }, written, reason);
  else if (title) fixing.leave(documentTitle.id, title, 'The title element is never closed.');
  else insertTitle(fixing, `<title>${written}</title>`, reason);
}

function mainHeading(mail: Mail): string | undefined {
  // Not the second half of a heading, such as “& welcome”.
  const isWhole = (text: string) => /^[\p{L}\p{N}\p{Pi}"'¡¿#]/u.test(plain(text));
  const headings = headingsOf(mail).filter((heading) => isWhole(textOf(heading)));
  const first = headings.find((heading) => levelOf(heading) === 1) ?? headings[0];
  if (first) return textOf(first);
  const fakes = fakeHeadings(mail).filter(({ text }) => isWhole(text));
  const size = (main: MailElement) => mail.styleOf(main).fontSizePx;
  return fakes.length > 0
    ? fakes.reduce((best, block) => (size(block.main) > size(best.main) ? block : best)).text
    : undefined;
}

/**
 * After the character set, which must come early, or at the start of the head; on a line of its own where the next tag
 * is.
 */
function insertTitle(fixing: Fixing, tag: string, reason: { rule: string; note: string; check: boolean }): void {
  const { mail } = fixing;
  const charset = mail.elements.find(
    ({ tag: name, parent, node, isCommented }) =>
      name === 'meta' &&
      !isCommented &&
      parent === mail.head &&
      node.attrs.some(
        (attribute) =>
          attribute.name === 'charset' ||
          (attribute.name === 'http-equiv' && /^content-type$/i.test(attribute.value.trim())),
      ),
  );
  const at = charset?.end ?? mail.head?.end ?? mail.root?.end ?? insertionPoint(mail);
  // Inserted as a separate line, indented like the next one.
  const blank = /^(?:\r\n|\n|\r)[\t ]*/.exec(mail.html.slice(at, at + 200))?.[0] ?? '';
  fixing.replace({ start: at, end: at }, blank + tag, reason);
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Lets readers zoom. */
export function fixViewport(fixing: Fixing): void {
  for (const { at } of metaViewport.check(fixing.mail, {}).failures) {
    const content = attr(at, 'content') ?? '';
    const kept = content
      .split(/[,;]/)
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '' && zoomLocks(entry).length === 0);
    fixing.set(at, { content: kept.join(', ') }, { rule: metaViewport.id, note: 'Readers may zoom again.' });
  }
}
