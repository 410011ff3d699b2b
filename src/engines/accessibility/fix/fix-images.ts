// Repairs of alternative texts. What has to be guessed is marked for a person to check.

import { altFault } from '../../html/index.ts';
import { attr, below, imageNameOf, plain, textOf } from '../elements.ts';
import { imageAlt, imageAltQuality, imageRedundantAlt, spacerAlt, vmlAlt } from '../email-rules/images.ts';
import { linkName } from '../email-rules/links.ts';
import type { MailElement } from '../read-mail.ts';
import type { Fixing } from './fixing.ts';
import { guessAlt, siteOf, wordsOf, type AltGuess } from './guess-alt.ts';

const NOTES: Record<AltGuess['from'], string> = {
  spacer: 'A spacer or tracking pixel: nothing to read out.',
  title: 'The title attribute as alternative text.',
  'link text': 'Check this: the link has text already, so the image is taken as decoration.',
  link: 'Check this text: it was made from where the link leads.',
  'file name': 'Check this text: it was made from the name of the file.',
  'nearby text': 'Check this text: it was taken from the text nearby.',
  nothing: 'Check this: nothing in the message says what the image shows, so it is treated as decoration.',
};

export function fixAlternatives(fixing: Fixing): void {
  const { mail } = fixing;
  const done = new Set<MailElement>();
  for (const [rule, { failures }] of [
    [imageAlt.id, imageAlt.check(mail, {})],
    [imageAltQuality.id, imageAltQuality.check(mail, {})],
  ] as const) {
    for (const { at } of failures) {
      if (done.has(at)) continue;
      done.add(at);
      setGuess(fixing, at, rule);
    }
  }
  for (const rule of [spacerAlt, imageRedundantAlt]) {
    for (const { at } of rule.check(mail, {}).failures) {
      if (done.has(at)) continue;
      done.add(at);
      fixing.set(
        at,
        { alt: '' },
        { rule: rule.id, note: rule === spacerAlt ? NOTES.spacer : 'The link’s text says the same.' },
      );
    }
  }
  for (const { at } of vmlAlt.check(mail, {}).failures)
    fixing.set(at, { alt: '' }, { rule: vmlAlt.id, note: NOTES.nothing, check: true });
  fixLinkNames(fixing, done);
}

function setGuess(fixing: Fixing, image: MailElement, rule: string): void {
  const from = imageNameOf(fixing.mail, image)?.from;
  if (from === 'aria-label' || from === 'aria-labelledby') {
    fixing.leave(rule, image, `Its name comes from ${from}, which takes precedence over alt.`);
    return;
  }
  const guess = guessAlt(fixing.mail, image);
  if (!guess) {
    fixing.leave(rule, image, 'Nothing in the message says what the image shows.');
    return;
  }
  fixing.set(
    image,
    { alt: guess.alt },
    { rule, note: NOTES[guess.from], check: guess.from !== 'spacer' && guess.from !== 'title' },
  );
}

/** Links that are nothing but pictures with an empty alternative text, and links without any content. */
function fixLinkNames(fixing: Fixing, done: ReadonlySet<MailElement>): void {
  const { mail } = fixing;
  for (const { at: link } of linkName.check(mail, {}).failures) {
    const images = [...below(link)].filter(({ tag }) => tag === 'img');
    if (images.some((image) => done.has(image))) continue;
    const image = images.find((candidate) => attr(candidate, 'alt') !== undefined);
    const guess = image ? guessAlt(mail, image) : undefined;
    if (image && guess && guess.alt !== '') {
      fixing.set(image, { alt: guess.alt }, { rule: linkName.id, note: NOTES[guess.from], check: true });
      continue;
    }
    const href = attr(link, 'href') ?? '';
    const name = siteOf(href) ?? wordsOf(lastPart(href));
    const usable = name !== undefined && plain(name) !== '' && !altFault(name, '') && textOf(link) === '';
    if (usable) fixing.set(link, { 'aria-label': name }, { rule: linkName.id, note: NOTES.link, check: true });
    else fixing.leave(linkName.id, link, 'Nothing in the message says where the link leads.');
  }
}

/** `summer-sale` of `https://shop.test/offers/summer-sale?x=1`. */
function lastPart(href: string): string {
  if (!/^https?:\/\//i.test(href)) return '';
  return href
    .replace(/[?#].*$/s, '')
    .replace(/\/+$/, '')
    .replace(/^https?:\/\/[^/]*\/?/i, '')
    .replace(/^.*\//s, '')
    .replace(/\.[a-z]{3,4}$/i, '');
}
