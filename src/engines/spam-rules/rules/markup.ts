// Pictures and HTML.
import { attributeOf, type LocatedElement } from '../../source/index.ts';
import type { MailReading, Picture } from '../reading.ts';
import { plural, rules, type RuleMatch, type SpamRule } from '../rule.ts';

const PLACES_MAX = 10;
const isPixel = ({ width, height }: Picture): boolean =>
  (width !== undefined && width <= 2) || (height !== undefined && height <= 2);
/** Icons, spacers and trackers are no content. */
const isContent = (picture: Picture): boolean =>
  !isPixel(picture) && (picture.width ?? 100) >= 40 && (picture.height ?? 100) >= 20;

function pictures(mail: MailReading): Picture[] {
  return mail.pictures.filter(isContent);
}

const places = (found: readonly Picture[]) => found.slice(0, PLACES_MAX).map((picture) => picture.place());

function onlyPictures(mail: MailReading): RuleMatch | undefined {
  const found = pictures(mail);
  if (!found.length || mail.wordCount >= 20) return undefined;
  return {
    message:
      `There ${found.length === 1 ? 'is 1 picture' : `are ${found.length} pictures`} and ` +
      `${mail.wordCount ? plural(mail.wordCount, 'word') : 'no text'}.`,
    places: places(found),
    count: found.length,
  };
}

function mostlyPictures(mail: MailReading): RuleMatch | undefined {
  const found = pictures(mail);
  if (found.length < 3 || mail.wordCount < 20 || mail.wordCount / found.length >= 12) return undefined;
  return {
    message: `There are ${found.length} pictures and ${mail.wordCount} words.`,
    places: places(found),
    count: found.length,
  };
}

function withoutAlt(mail: MailReading): RuleMatch | undefined {
  const all = pictures(mail);
  const found = all.filter(({ alt }) => alt === undefined);
  return found.length > 1 && found.length > all.length / 2
    ? {
        message: `${found.length} of ${all.length} pictures have no alt text.`,
        places: places(found),
        count: found.length,
      }
    : undefined;
}

function trackers(mail: MailReading): RuleMatch | undefined {
  // A spacer stands in many places with one address.
  const pixels = mail.pictures.filter(
    ({ src, width = 9, height = 9 }) => /^https?:/i.test(src) && width === 1 && height === 1,
  );
  const found = [...new Map(pixels.map((picture) => [picture.src, picture])).values()];
  return found.length > 2
    ? { message: `There are ${found.length} tracking pixels.`, places: places(found), count: found.length }
    : undefined;
}

export const IMAGE_RULES: SpamRule[] = rules('images', {
  IMAGE_ONLY: {
    points: 1.9,
    description: 'Pictures with hardly any text.',
    fix: 'Write the message as text; filters cannot read pictures, and many readers do not load them.',
    source: 'SpamAssassin: HTML_IMAGE_ONLY_04 to _32; Rspamd: HTML_SHORT_LINK_IMG',
    check: onlyPictures,
  },
  IMAGE_MOSTLY: {
    points: 0.8,
    description: 'More pictures than text.',
    fix: 'Say more of it in text: about 60 words for every three pictures.',
    source: 'SpamAssassin: HTML_IMAGE_RATIO_02 to _08',
    check: mostlyPictures,
  },
  IMAGE_NO_ALT: {
    points: 0.3,
    description: 'Pictures without alt text.',
    fix: 'Give every picture an alt text, an empty one for decoration.',
    source: 'Practice of mail-tester and happyDeliver',
    check: withoutAlt,
  },
  IMAGE_TRACKERS: {
    points: 0.6,
    description: 'Several tracking pixels.',
    fix: 'Keep one at most.',
    source: 'Practice of filters',
    check: trackers,
  },
  IMAGE_IN_ADDRESS: {
    points: 0.3,
    description: 'Pictures that are written into the HTML.',
    fix: 'Put pictures on a server, or attach them (cid:).',
    source: 'Rspamd: DATA_URI_OBFU; many clients do not show them',
    check: (mail) => {
      const found = mail.pictures.filter(({ src }) => /^data:/i.test(src));
      return found.length
        ? {
            message: `${plural(found.length, 'picture')} ${found.length === 1 ? 'is' : 'are'} written into the HTML.`,
            places: places(found),
            count: found.length,
          }
        : undefined;
    },
  },
});

function tags(mail: MailReading, isMeant: (element: LocatedElement) => boolean, what: string): RuleMatch | undefined {
  const found = mail.elements.filter(isMeant);
  return found.length
    ? {
        message:
          `There ${found.length === 1 ? `is ${what}` : `are ${found.length} of ${what}`}: ` +
          `<${found[0]!.node.tagName}>.`,
        places: found.slice(0, PLACES_MAX).map(mail.elementPlace),
        count: found.length,
      }
    : undefined;
}

const named =
  (...names: string[]) =>
  ({ node }: LocatedElement): boolean =>
    names.includes(node.tagName);
/** Scripts of data for inboxes (schema.org) run nothing. */
const isScript = ({ node }: LocatedElement): boolean =>
  node.tagName === 'script' && !/json/i.test(attributeOf(node, 'type') ?? '');

function commentNoise(mail: MailReading): RuleMatch | undefined {
  const html = mail.html;
  if (!html) return undefined;
  // Comments between two letters: words that only a browser puts together.
  const found = html.message.comments.filter(
    ({ start, end }) => /\p{L}/u.test(html.html[start - 1] ?? '') && /\p{L}/u.test(html.html[end] ?? ''),
  );
  return found.length >= 5
    ? {
        message: `${found.length} words are cut by comments.`,
        places: found
          .slice(0, PLACES_MAX)
          .map(({ start, end }) => ({ part: 'html', ...html.placeAt(start, end), length: end - start })),
        count: found.length,
      }
    : undefined;
}

const CLIP_BYTES = 102 * 1024;

export const HTML_RULES: SpamRule[] = rules('html', {
  HTML_SCRIPT: {
    points: 1.6,
    description: 'Scripts, which no client runs.',
    fix: 'Take <script> and event attributes out.',
    source: 'No client runs them; Gmail and Outlook take them out',
    check: (mail) =>
      tags(
        mail,
        (element) =>
          isScript(element) || element.node.attrs.some(({ name }) => /^on(?:load|click|error|mouseover)$/.test(name)),
        'a script',
      ),
  },
  HTML_FORM: {
    points: 1.1,
    description: 'A form, which phishing uses and most clients break.',
    fix: 'Link to a page that has the form.',
    source: 'Practice of filters; Outlook.com shows no forms',
    check: (mail) =>
      tags(
        mail,
        (element) =>
          element.node.tagName === 'form' ||
          (element.node.tagName === 'input' &&
            /^(?:password|text|email|submit)?$/i.test(attributeOf(element.node, 'type') ?? '')),
        'a form or field',
      ),
  },
  HTML_FRAME: {
    points: 1.6,
    description: 'A page or program inside the message.',
    fix: 'Take it out, and link to it.',
    source: 'Practice of filters; no client shows them',
    check: (mail) => tags(mail, named('iframe', 'frame', 'object', 'embed', 'applet'), 'an embedded page'),
  },
  HTML_REFRESH: {
    points: 1.8,
    description: 'The message redirects to another page by itself.',
    fix: 'Take the <meta http-equiv="refresh"> out.',
    source: 'Practice of filters; no client follows it',
    check: (mail) =>
      tags(
        mail,
        ({ node }) => node.tagName === 'meta' && /^refresh$/i.test(attributeOf(node, 'http-equiv') ?? ''),
        'a refresh',
      ),
  },
  HTML_CUT_WORDS: {
    points: 1.6,
    description: 'Words that are cut by comments, so that filters don’t recognize them.',
    fix: 'Take the comments out.',
    source: 'SpamAssassin: HTML_OBFUSCATE_*',
    check: commentNoise,
  },
  HTML_LARGE: {
    points: 0.3,
    description: 'HTML that large clients cut off.',
    fix: 'Bring it below 102 KB: inline fewer styles, minify.',
    source: 'Gmail clips at 102 KB; the cut may take the unsubscribe link',
    check: (mail) => {
      const bytes = new TextEncoder().encode(mail.input.html ?? '').length;
      return bytes > CLIP_BYTES
        ? {
            message: `The HTML has ${Math.round(bytes / 1024)} KB.`,
            places: [{ part: 'html', line: 1, column: 1, offset: 0 }],
          }
        : undefined;
    },
  },
});
