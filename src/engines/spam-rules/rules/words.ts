// How the words are written: shouting, disguises, hiding, and text that is missing.
import { attributeOf } from '../../source/index.ts';
import type { MailReading } from '../reading.ts';
import { listed, plural, rules, type RuleMatch, type SpamRule } from '../rule.ts';
import type { RulePlace } from '../types.ts';

const PLACES_MAX = 10;

/** Every match in subject and body. */
function matches(mail: MailReading, pattern: RegExp): { found: string[]; places: RulePlace[] } {
  const found: string[] = [];
  const places: RulePlace[] = [];
  for (const words of mail.words) {
    if (words.part === 'text' && mail.html) continue;
    for (const { 0: match, index } of words.value.matchAll(pattern)) {
      found.push(match);
      if (places.length < PLACES_MAX) places.push(words.place(index, match.length));
    }
  }
  return { found, places };
}

function when(
  { found, places }: { found: string[]; places: RulePlace[] },
  least: number,
  say: (texts: string) => string,
): RuleMatch | undefined {
  return found.length >= least ? { message: say(listed(found)), places, count: found.length } : undefined;
}

/** Words of four and more letters: short ones are often abbreviations. */
function shouting(mail: MailReading): RuleMatch | undefined {
  const long = mail.body?.value.match(/\p{L}{4,}/gu) ?? [];
  const loud = long.filter((word) => word === word.toUpperCase() && word !== word.toLowerCase());
  if (long.length < 25 || loud.length / long.length < 0.35) return undefined;
  return {
    message: `${Math.round((100 * loud.length) / long.length)} % of the words are in capitals, such as ${listed(loud)}.`,
    places: matches(mail, /\b\p{Lu}{4,}(?:[ ,]+\p{Lu}{4,}){2,8}/gu).places,
    count: loud.length,
  };
}

const DISGUISED =
  /\b(?:v[\W_]?[1!|í][\W_]?[a@][\W_]?g[\W_]?r[\W_]?[a@]|v[\W_]i[\W_]a[\W_]g[\W_]r[\W_]a|c[1!|]al[1!|]s|p[0o]rn0|fr[3€]{2}|c4sin[o0]|(?:\p{L}[ .*_-]){5,20}\p{L}(?= (?:\p{L}[ .*_-]){3}))/giu;
/** One word in two alphabets; Cyrillic and Greek letters that look Latin. */
const TWO_ALPHABETS =
  /(?=[\p{L}]*\p{Script=Latin})(?=[\p{L}]*[\p{Script=Cyrillic}\p{Script=Greek}])(?<!\p{L})\p{L}{3,40}(?!\p{L})/gu;
const INVISIBLE_INSIDE = /\p{L}[\u00ad\u200b\u2060\ufeff]+\p{L}/gu;

function brokenWords(mail: MailReading): RuleMatch | undefined {
  const { found, places } = matches(mail, INVISIBLE_INSIDE);
  // Soft hyphens are honest in long words; a handful is typography.
  return found.length >= 8
    ? { message: `${found.length} words are cut by characters that nobody sees.`, places, count: found.length }
    : undefined;
}

/** Preheaders are hidden too, padded with blanks; letters count. */
const HIDDEN_LETTERS_MAX = 500;

function hiddenText(mail: MailReading): RuleMatch | undefined {
  const letters = mail.hidden.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
  const longest = mail.hidden.toSorted((a, b) => b.text.length - a.text.length).slice(0, 3);
  if (letters <= HIDDEN_LETTERS_MAX) return undefined;
  return {
    message: `${letters.toLocaleString('en-US')} letters are hidden from readers.`,
    places: longest.map(({ start, end, element }) => ({
      part: 'html',
      ...mail.html!.placeAt(start, end, element),
      length: end - start,
    })),
    count: mail.hidden.length,
  };
}

const WHITES = new Set(['#fff', '#ffffff', 'white', 'rgb(255,255,255)', '#fefefe']);
const colorOf = (style: string, name: string): string | undefined =>
  new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*(#[0-9a-f]{3,8}|[a-z]+|rgb\\([^)]{0,30}\\))`, 'i')
    .exec(style)?.[1]
    ?.toLowerCase()
    .replace(/\s/g, '');

/** Text in the color of the ground that the same element gives it; what stands on pictures is left alone. */
function unseenText(mail: MailReading): RuleMatch | undefined {
  const places: RulePlace[] = [];
  for (const element of mail.elements) {
    const style = attributeOf(element.node, 'style') ?? '';
    const text = colorOf(style, 'color') ?? attributeOf(element.node, 'color')?.toLowerCase();
    const ground = colorOf(style, 'background(?:-color)?') ?? attributeOf(element.node, 'bgcolor')?.toLowerCase();
    if (!text || !ground || /url\(/i.test(style)) continue;
    const isSame = text === ground || (WHITES.has(text) && WHITES.has(ground));
    const ownText = element.node.childNodes
      .filter(({ nodeName }) => nodeName === '#text')
      .map((node) => ('value' in node ? node.value : ''))
      .join('')
      .trim();
    if (isSame && ownText.length >= 20) places.push(mail.elementPlace(element));
  }
  return places.length
    ? {
        message:
          `${plural(places.length, 'piece')} of text ${places.length === 1 ? 'has' : 'have'} ` +
          'the color of the ground.',
        places: places.slice(0, PLACES_MAX),
        count: places.length,
      }
    : undefined;
}

function tinyText(mail: MailReading): RuleMatch | undefined {
  const found = mail.elements
    .filter(({ node }) => {
      const size = /(?:^|;)\s*font-size\s*:\s*([\d.]+)(px|pt)/i.exec(attributeOf(node, 'style') ?? '');
      const letters = node.childNodes.reduce(
        (sum, child) =>
          sum + ('value' in child && child.nodeName === '#text' ? (child.value.match(/\p{L}/gu)?.length ?? 0) : 0),
        0,
      );
      return size !== null && Number(size[1]) > 0 && Number(size[1]) <= 4 && letters >= 40;
    })
    .filter((element) => !mail.hidden.some(({ element: hidden }) => hidden === element.node));
  return found.length
    ? {
        message: `${plural(found.length, 'piece')} of text ${found.length === 1 ? 'is' : 'are'} too small to read.`,
        places: found.slice(0, PLACES_MAX).map(mail.elementPlace),
        count: found.length,
      }
    : undefined;
}

const wordsIn = (text: string): Set<string> => new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? []);

/** How many words of the text part the HTML has too. */
function partsDiffer(mail: MailReading): RuleMatch | undefined {
  const text = mail.input.text;
  if (!mail.html || !text || !mail.body) return undefined;
  const ours = wordsIn(text.replace(/https?:\/\/\S+/gi, ''));
  const theirs = wordsIn(
    `${mail.body.value} ${mail.pictures.map(({ alt }) => alt ?? '').join(' ')} ` +
      `${mail.hidden.map(({ text: hidden }) => hidden).join(' ')}`,
  );
  if (ours.size < 15 || theirs.size < 15) return undefined;
  const shared = [...ours].filter((word) => theirs.has(word)).length / ours.size;
  return shared < 0.4
    ? {
        message: `Only ${Math.round(shared * 100)} % of the words of the text part stand in the HTML.`,
        places: [{ part: 'text', line: 1, column: 1, offset: 0 }],
      }
    : undefined;
}

export const WORD_RULES: SpamRule[] = rules('content', {
  BODY_SHOUTING: {
    points: 1.1,
    description: 'Much of the text is in capitals.',
    fix: 'Write as in a letter; for looks use text-transform: uppercase.',
    source: 'SpamAssassin: UPPERCASE_50_75',
    check: shouting,
  },
  BODY_EXCLAMATIONS: {
    points: 0.6,
    description: 'Exclamation or question marks in rows.',
    fix: 'One is enough.',
    source: 'SpamAssassin: PLING_QUERY, of subjects',
    check: (mail) => when(matches(mail, /[!?！？]{3,}/g), 2, (texts) => `It shouts: ${texts}.`),
  },
  BODY_MONEY_SIGNS: {
    points: 0.8,
    description: 'Money signs in rows.',
    fix: 'Write the amount.',
    source: 'Practice of filters',
    check: (mail) => when(matches(mail, /\${3,}|€{3,}|£{3,}/g), 1, (texts) => `It shows ${texts}.`),
  },
  BODY_DISGUISED: {
    points: 2.2,
    description: 'Words that are written so that filters don’t recognize them.',
    fix: 'Write words as words.',
    source: 'SpamAssassin: FUZZY_*, GAPPY_*',
    check: (mail) => when(matches(mail, DISGUISED), 1, (texts) => `It disguises words: ${texts}.`),
  },
  BODY_TWO_ALPHABETS: {
    points: 2,
    description: 'Words that mix letters of two alphabets that look alike.',
    fix: 'Type the word again in one alphabet.',
    source: 'Unicode TR 39; Rspamd: R_MIXED_CHARSET',
    check: (mail) =>
      when(matches(mail, TWO_ALPHABETS), 1, (texts) => `Letters of two alphabets stand in one word: ${texts}.`),
  },
  BODY_CUT_WORDS: {
    points: 1.5,
    description: 'Invisible characters inside words.',
    fix: 'Take zero-width characters out; only preheaders need them, between words.',
    source: 'SpamAssassin: OBFU_*; Unicode TR 39',
    check: brokenWords,
  },
  BODY_HIDDEN_TEXT: {
    points: 1.4,
    description: 'Much text that is hidden from readers.',
    fix: 'Keep a preheader of one or two sentences, and delete other hidden text.',
    source: 'SpamAssassin: HTML_FONT_LOW_CONTRAST',
    check: hiddenText,
  },
  BODY_UNSEEN_TEXT: {
    points: 1.6,
    description: 'Text in the color of its ground.',
    fix: 'Delete the text, or give it a color that can be read.',
    source: 'SpamAssassin: HTML_FONT_LOW_CONTRAST',
    check: unseenText,
  },
  BODY_TINY_TEXT: {
    points: 0.9,
    description: 'Text that is too small to read.',
    fix: 'Make it 12 px or larger, or delete it.',
    source: 'SpamAssassin: HTML_FONT_TINY',
    check: tinyText,
  },
  BODY_EMPTY: {
    points: 1.2,
    description: 'Nothing to read and nothing to see.',
    fix: 'Write something.',
    source: 'SpamAssassin: EMPTY_MESSAGE',
    check: (mail) =>
      mail.wordCount === 0 && mail.pictures.length === 0
        ? { message: 'The message has neither words nor pictures.', places: [{ part: 'message' }] }
        : undefined,
  },
  BODY_ONLY_A_LINK: {
    points: 1,
    description: 'A few words and a link.',
    fix: 'Say who writes, why, and where the link leads.',
    source: 'SpamAssassin: BODY_SINGLE_URI',
    check: (mail) =>
      mail.wordCount > 0 && mail.wordCount < 15 && mail.pictures.length === 0 && mail.links.some(({ url }) => url)
        ? {
            message: `It has ${plural(mail.wordCount, 'word')} and ${plural(mail.links.length, 'link')}.`,
            places: mail.links.slice(0, 3).map((link) => link.place()),
            count: 1,
          }
        : undefined,
  },
  BODY_PARTS_DIFFER: {
    points: 0.8,
    description: 'HTML and text part say different things.',
    fix: 'Make the text part from the HTML.',
    source: 'SpamAssassin: MPART_ALT_DIFF',
    check: partsDiffer,
  },
  BODY_NO_TEXT_PART: {
    points: 0.4,
    description: 'HTML without a text part.',
    fix: 'Add a text part (multipart/alternative).',
    source: 'SpamAssassin: MIME_HTML_ONLY; Rspamd: MIME_HTML_ONLY',
    check: (mail) =>
      mail.html && mail.input.text !== undefined && !mail.input.text.trim()
        ? { message: 'There is no text part besides the HTML.', places: [{ part: 'message' }] }
        : undefined,
  },
});
