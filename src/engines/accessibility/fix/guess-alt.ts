// Drafts an alternative text from what the source says about an image. A person must always check it.

import { altFault, fileStem } from '../../html/index.ts';
import { around, attr, isInside, plain, textOf } from '../elements.ts';
import { isHeading } from '../email-rules/headings.ts';
import type { Mail, MailElement } from '../read-mail.ts';
import { isSpacer } from '../spacers.ts';
import { textBlocks, type TextBlock } from '../text-blocks.ts';

export interface AltGuess {
  alt: string;
  /** The source of the guess, for the note. */
  from: 'spacer' | 'title' | 'link text' | 'link' | 'file name' | 'nearby text' | 'nothing';
}

/** Sites that are known by a name; by the registrable part of their address. */
const SITES: Readonly<Record<string, string>> = {
  'facebook.com': 'Facebook',
  'fb.com': 'Facebook',
  'twitter.com': 'Twitter',
  'x.com': 'X',
  'instagram.com': 'Instagram',
  'linkedin.com': 'LinkedIn',
  'youtube.com': 'YouTube',
  'youtu.be': 'YouTube',
  'pinterest.com': 'Pinterest',
  'tiktok.com': 'TikTok',
  'snapchat.com': 'Snapchat',
  'whatsapp.com': 'WhatsApp',
  'wa.me': 'WhatsApp',
  't.me': 'Telegram',
  'github.com': 'GitHub',
  'medium.com': 'Medium',
  'tumblr.com': 'Tumblr',
  'vimeo.com': 'Vimeo',
  'threads.net': 'Threads',
  'bsky.app': 'Bluesky',
  'xing.com': 'Xing',
  'reddit.com': 'Reddit',
  'apps.apple.com': 'App Store',
  'itunes.apple.com': 'App Store',
  'play.google.com': 'Google Play',
  'spotify.com': 'Spotify',
  'discord.gg': 'Discord',
  'discord.com': 'Discord',
};

/** Words of file names that say what kind of file it is, not what it shows. */
const FILE_WORDS = new Set([
  'img',
  'image',
  'images',
  'pic',
  'picture',
  'photo',
  'banner',
  'hero',
  'header',
  'footer',
  'icon',
  'ico',
  'icons',
  'btn',
  'button',
  'email',
  'mail',
  'newsletter',
  'template',
  'final',
  'new',
  'copy',
  'small',
  'large',
  'big',
  'thumb',
  'thumbnail',
  'desktop',
  'mobile',
  'retina',
  'placeholder',
  'bg',
  'background',
  'top',
  'bottom',
  'left',
  'right',
  'main',
  'slice',
  'layer',
  'untitled',
  'unnamed',
  'screenshot',
  'dsc',
  'dscn',
  'default',
  'white',
  'black',
  'dark',
  'light',
  'png',
  'jpg',
  'gif',
  'version',
  'prod',
  'item',
  'asset',
  'assets',
  'file',
  'src',
  'px',
  'col',
  'row',
]);

/**
 * A guess for an image that needs an alternative text; empty for decoration. Undefined when it needs one and nothing
 * helps.
 */
export function guessAlt(mail: Mail, image: MailElement): AltGuess | undefined {
  const src = attr(image, 'src') ?? '';
  if (isSpacer(mail, image)) return { alt: '', from: 'spacer' };
  const usable = (text: string | undefined): string | undefined =>
    text && plain(text) !== '' && !altFault(text, src) ? plain(text) : undefined;
  const title = usable(attr(image, 'title'));
  if (title) return { alt: title, from: 'title' };
  const link = image.isCommented
    ? undefined
    : around(image, ({ tag, node }) => tag === 'a' && node.attrs.some(({ name }) => name === 'href'));
  if (link && textOf(link) !== '') return { alt: '', from: 'link text' };
  const site = link && usable(siteOf(attr(link, 'href') ?? ''));
  if (site) return { alt: site, from: 'link' };
  const words = usable(wordsOf(fileStem(src)));
  if (words) return { alt: words, from: 'file name' };
  if (!link) return { alt: '', from: 'nothing' };
  const host = usable(hostOf(attr(link, 'href') ?? ''));
  if (host) return { alt: host, from: 'link' };
  const nearby = usable(nearbyText(mail, image));
  return nearby ? { alt: nearby, from: 'nearby text' } : undefined;
}

function hostOf(href: string): string | undefined {
  const url = href.trim();
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : undefined;
}

/** The name of a well-known site that an address is of. */
export function siteOf(href: string): string | undefined {
  const host = hostOf(href);
  if (!host) return undefined;
  return SITES[host] ?? SITES[host.split('.').slice(-2).join('.')];
}

/** `winter-sale_2@2x` is “Winter sale”. Undefined when no word is left. */
export function wordsOf(stem: string): string | undefined {
  const parts = stem
    .replace(/@\d+x$/i, '')
    .split(/[^\p{L}\p{N}]+/u)
    .map(humps)
    .filter((pieces) => !isHash(pieces))
    .flat();
  const words = parts.filter((part) => isWord(part)).map((part) => part.toLowerCase());
  const letters = words.join('').length;
  if (words.length === 0 || words.length > 8 || letters < 3) return undefined;
  const text = words.join(' ');
  return text[0]!.toUpperCase() + text.slice(1);
}

/** `redShoes` is `red`, `Shoes`. */
function humps(part: string): string[] {
  return part.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(' ');
}

/** Many short pieces: capitals where no word begins. */
function isHash(pieces: readonly string[]): boolean {
  const length = pieces.join('').length;
  return pieces.length >= 4 && length >= 12 && length / pieces.length < 4;
}

/** Letters that can be spoken: no numbers, hashes and camera codes. */
function isWord(part: string): boolean {
  if (part.length < 2 || part.length > 20 || FILE_WORDS.has(part.toLowerCase()) || !/^\p{L}+$/u.test(part))
    return false;
  if (!/^\p{Script=Latin}+$/u.test(part)) return true;
  // Capitals in the middle come from hashes.
  return (
    /[aeiouyáéíóúäöüàèùâêîôû]/i.test(part) &&
    !/[^aeiouy]{5}/i.test(part) &&
    !/\p{Ll}\p{Lu}|\p{Lu}{2,}\p{Ll}/u.test(part)
  );
}

const CLIMB_MAX = 4;
const NEARBY_LENGTH_MAX = 60;

/** The heading, or else the largest short text, that stands nearest around an element. */
export function nearbyText(mail: Mail, element: MailElement): string | undefined {
  let scope = element.parent;
  for (let climb = 0; scope && scope.tag !== 'body' && climb < CLIMB_MAX * 3; climb++, scope = scope.parent) {
    const within = scope;
    const blocks = blocksInside(mail, within).filter(
      (block) =>
        !isInside(block.element, element) &&
        !isInside(element, block.element) &&
        block.text.length <= NEARBY_LENGTH_MAX &&
        /\p{L}{2}/u.test(block.text) &&
        !blockIsLink(block.main, within),
    );
    if (blocks.length === 0) continue;
    const size = (main: MailElement) =>
      (around(main, isHeading) || isHeading(main) ? 100 : 0) + mail.styleOf(main).fontSizePx;
    const before = blocks.filter((block) => block.element.index < element.index);
    return (before.length > 0 ? before : blocks).reduce((best, block) =>
      size(block.main) > size(best.main) ? block : best,
    ).text;
  }
  return undefined;
}

const sortedBlocks = new WeakMap<Mail, TextBlock[]>();

function blocksInside(mail: Mail, scope: MailElement): TextBlock[] {
  let sorted = sortedBlocks.get(mail);
  if (!sorted)
    sortedBlocks.set(mail, (sorted = textBlocks(mail).toSorted((a, b) => a.element.index - b.element.index)));
  let low = 0;
  for (let high = sorted.length; low < high;) {
    const middle = (low + high) >> 1;
    if (sorted[middle]!.element.index < scope.index) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < sorted.length && sorted[end]!.element.index <= scope.last) end += 1;
  return sorted.slice(low, end);
}

function blockIsLink(main: MailElement, scope: MailElement): boolean {
  for (let at: MailElement | undefined = main; at && at !== scope; at = at.parent) if (at.tag === 'a') return true;
  return false;
}
