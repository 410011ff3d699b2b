// The URLs in a style sheet or a style attribute, by tokens: a browser loads from declarations no parser here may know.
import { ident, string, tokenize, tokenTypes, url as urlToken } from 'css-tree';

interface CssUrl {
  /** The address as written, with escapes undone. */
  url: string;
  kind: 'image' | 'style' | 'font';
  /** The property it stands in, lower case; the at-rule's name where there is none. */
  property: string;
}

/** Properties whose URLs no mail client loads, or not as part of a picture. */
const IGNORED_PROPERTIES = new Set(['cursor', 'behavior', '-ms-behavior', '-moz-binding']);
/** At-rules whose prelude holds URLs that are names, not resources. */
const NAMING_RULES = new Set(['namespace', 'document', '-moz-document']);
/** Functions that take a bare string as an image (CSS Images 4). */
const IMAGE_FUNCTIONS = new Set(['image-set', '-webkit-image-set', 'image', 'cross-fade', '-webkit-cross-fade']);

/** The grammatical context of the tokens. */
interface Place {
  /** The at-rule whose prelude or block this is; empty in an ordinary rule. */
  rule: string;
  property: string;
  /** The first identifier of what may be a declaration. */
  candidate: string;
  isAtStart: boolean;
  /** The at-rules of the open blocks. */
  blocks: string[];
  /** The open functions and, as empty names, parentheses. */
  functions: string[];
}

/** Every URL that the text makes a browser load, in order; `url(#id)` and `data:` are left out. */
export function findCssUrls(css: string): CssUrl[] {
  const found: CssUrl[] = [];
  const place: Place = { rule: '', property: '', candidate: '', isAtStart: true, blocks: [], functions: [] };
  tokenize(css, (type, start, end) => {
    if (type === tokenTypes.WhiteSpace || type === tokenTypes.Comment) return;
    const text = css.slice(start, end);
    const isString = type === tokenTypes.String && takesString(place);
    if (isString || type === tokenTypes.Url) {
      const url = (isString ? string.decode(text) : urlToken.decode(text)).trim();
      const kind = kindAt(place);
      if (kind && url !== '' && !/^(#|data:|about:)/i.test(url))
        found.push({ url, kind, property: place.property || place.rule });
    }
    advance(place, type, text);
  });
  return found;
}

function takesString({ rule, functions }: Place): boolean {
  const inner = functions.at(-1);
  if (inner === undefined) return rule === 'import';
  return inner === 'url' || inner === 'src' || IMAGE_FUNCTIONS.has(inner);
}

function kindAt({ rule, property, functions }: Place): CssUrl['kind'] | undefined {
  if (NAMING_RULES.has(rule)) return undefined;
  if (rule === 'import') {
    const isCondition = functions.some((name) => name !== 'url' && name !== 'src');
    return isCondition ? undefined : 'style';
  }
  if (rule === 'font-face') return property === 'src' ? 'font' : undefined;
  return IGNORED_PROPERTIES.has(property) ? undefined : 'image';
}

function advance(place: Place, type: number, text: string): void {
  const { functions } = place;
  const wasAtStart = place.isAtStart;
  // An HTML comment mark between rules changes nothing (CSS Syntax §5.4.1).
  if (type !== tokenTypes.CDO && type !== tokenTypes.CDC) place.isAtStart = false;
  if (type === tokenTypes.Function) functions.push(ident.decode(text.slice(0, -1)).toLowerCase());
  else if (type === tokenTypes.LeftParenthesis) functions.push('');
  else if (type === tokenTypes.RightParenthesis) functions.pop();
  else if (type === tokenTypes.AtKeyword) place.rule = ident.decode(text.slice(1)).toLowerCase();
  else if (type === tokenTypes.Ident && wasAtStart) place.candidate = ident.decode(text).toLowerCase();
  else if (type === tokenTypes.Colon && place.property === '') place.property = place.candidate;
  else if (type === tokenTypes.LeftCurlyBracket) {
    place.blocks.push(place.rule);
    startOver(place);
  } else if (type === tokenTypes.RightCurlyBracket) {
    place.blocks.pop();
    startOver(place);
  } else if (type === tokenTypes.Semicolon && functions.length === 0) startOver(place);
}

/** A block or declaration ended, and with it all that was open in it. */
function startOver(place: Place): void {
  place.rule = place.blocks.at(-1) === 'font-face' ? 'font-face' : '';
  place.property = '';
  place.candidate = '';
  place.isAtStart = true;
  place.functions = [];
}
