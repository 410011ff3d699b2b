// Repairs of contrast: the nearest color that the text can have, or a button's ground.

import { contrastOf, formatColor, parseLegacyColor, type Color } from '../../color/index.ts';
import { attr, below, textOf } from '../elements.ts';
import { COLOR_CONTRAST, ratioText } from '../email-rules/contrast.ts';
import { hasMergeTag } from '../../merge-tags/index.ts';
import type { Mail, MailElement } from '../read-mail.ts';
import { textContrasts, type TextContrast } from '../static-contrast.ts';
import { nearestColor, type NearestColor } from './nearest-color.ts';
import { mustBeImportant, obstacle, reachOf, sourceOf, type Proposal, type Retouch, type Way } from './retouch.ts';
import { withGround } from './style-attribute.ts';

/**
 * How much more than the ratio asked for a text gets when it is repaired in a way, as a factor; undefined when it is
 * not to be repaired so. What is darker by day is lighter in most dark modes, so that more helps there.
 */
export type StrengthOf = (way: Way, at: MailElement) => number | undefined;

interface Contrasts {
  mail: Mail;
  /** Keyed by the element that contains the text. */
  known: ReadonlyMap<MailElement, TextContrast>;
  proposal: Proposal;
  strengthOf: StrengthOf;
}

interface Wanted extends NearestColor {
  way: Way;
  text: TextContrast;
}

/** What fails by the rule, and single figures, which it leaves to people because letters may be symbols. */
function isTooLow({ ratio, required, isOverPicture, text }: TextContrast): boolean {
  return !isOverPicture && ratio < required && ratio > 1.01 && ([...text].length > 1 || /\p{N}/u.test(text));
}

/** Colors for all texts that don't stand out. `strengthOf` is asked for each way before it is taken. */
export function proposeContrasts(mail: Mail, strengthOf: StrengthOf): Proposal {
  const known = new Map(textContrasts(mail).map((text) => [text.at, text]));
  const contrasts: Contrasts = { mail, known, proposal: { retouches: [], left: [] }, strengthOf };
  const low = [...known.values()].filter(isTooLow);
  const styleIsFilledIn = low.length > 0 && hasMergeTag(mail.css, { isStyle: true });
  const recolored = new Set<MailElement>();
  const bySource = new Map<MailElement, Wanted[]>();
  for (const text of low) {
    if (styleIsFilledIn || isFilledIn(text.at)) {
      leave(contrasts, text, 'Its colors are filled in later.');
      continue;
    }
    const wanted = wantedFor(contrasts, text);
    if (typeof wanted === 'string') leave(contrasts, text, wanted);
    else if (wanted.way === 'ground') {
      const button = buttonOf(mail, text)!;
      if (!recolored.has(button)) proposeGround(contrasts, button, wanted);
      recolored.add(button);
    } else {
      const source = sourceOf(mail, text.at, 'color')?.element ?? text.at;
      bySource.set(source, [...(bySource.get(source) ?? []), wanted]);
    }
  }
  for (const [source, all] of bySource) proposeTexts(contrasts, source, all);
  return contrasts.proposal;
}

function leave({ proposal }: Contrasts, { at }: TextContrast, reason: string): void {
  proposal.left.push({ rule: COLOR_CONTRAST.id, at: at.index, reason });
}

/** Whether a color here or further out is a placeholder. */
function isFilledIn(element: MailElement): boolean {
  for (let at: MailElement | undefined = element; at; at = at.parent) {
    if (['style', 'bgcolor', 'color', 'text', 'link'].some((name) => hasMergeTag(attr(at!, name) ?? ''))) return true;
  }
  return false;
}

/** A ground that moves further is another color: orange becomes brown. */
const GROUND_MOVES_MAX = 0.15;

/** The smallest change for a text, or why there is none. */
function wantedFor({ mail, strengthOf }: Contrasts, text: TextContrast): Wanted | string {
  const { foreground, background, required } = text;
  const isDarker = contrastOf(foreground, BLACK) < contrastOf(background, BLACK);
  const [away, back] = isDarker ? (['darker', 'lighter'] as const) : (['lighter', 'darker'] as const);
  const tried = (way: Way, towards: 'lighter' | 'darker'): Wanted | undefined => {
    const strength = strengthOf(way, text.at);
    const [moving, other] = way === 'ground' ? [background, foreground] : [foreground, background];
    const nearest =
      strength === undefined ? undefined : nearestColor(moving, other, { ratio: required * strength, towards });
    return nearest && !(way === 'ground' && nearest.moved > GROUND_MOVES_MAX) ? { ...nearest, way, text } : undefined;
  };
  const own = tried('text', away);
  if (own) return own;
  if (nearestColor(foreground, background, { ratio: required, towards: away })) return IN_THE_DARK;
  if (!buttonOf(mail, text))
    return (
      `Text cannot get ${away} than it is here, and its ground ${formatColor(background)} holds more than this ` +
      'text: choose another for it.'
    );
  return tried('ground', back) ?? tried('across', back) ?? IN_THE_DARK;
}

const BLACK: Color = { r: 0, g: 0, b: 0, a: 1 };
const IN_THE_DARK = 'What helps here makes it worse in a client’s dark mode: choose colors that work in both.';

// ---- Texts ------------------------------------------------------------------------------------------------------

/** One color where it is written, if all that it reaches can be read then; else each text its own. */
function proposeTexts(contrasts: Contrasts, source: MailElement, all: readonly Wanted[]): void {
  const { mail } = contrasts;
  const strongest = all.reduce((best, one) => (one.moved > best.moved ? one : best));
  const origin = mail.styleOf(source).origins.get('color');
  const isWritten = origin?.level === 3 || (origin?.level === 1 && source.tag === 'font');
  if (isWritten && all.every(({ way }) => way === strongest.way) && suits(contrasts, source, strongest.color)) {
    proposeColor(contrasts, source, strongest);
    return;
  }
  for (const wanted of all) {
    const { at } = wanted.text;
    const reason = obstacle(mail, at);
    if (reason) leave(contrasts, wanted.text, reason);
    else if (suits(contrasts, at, wanted.color)) proposeColor(contrasts, at, wanted);
    else leave(contrasts, wanted.text, 'Other text would have the same color, and stand out less.');
  }
}

/** Whether all that would have the color can be read in it, or at least no worse than now. */
function suits({ mail, known }: Contrasts, element: MailElement, color: Color): boolean {
  if (obstacle(mail, element)) return false;
  return reachOf(mail, element, 'color').every((reached) => {
    const text = known.get(reached);
    if (!text) return true;
    const ratio = contrastOf(color, text.background);
    return ratio >= text.required || ratio >= text.ratio;
  });
}

function proposeColor({ mail, proposal }: Contrasts, element: MailElement, { text, color, way }: Wanted): void {
  const origin = mail.styleOf(element).origins.get('color');
  const value = formatColor(color);
  const isAttribute = element.tag === 'font' && origin?.level === 1;
  const common = {
    rule: COLOR_CONTRAST.id,
    way,
    texts: reachOf(mail, element, 'color').map(({ index }) => index),
    note:
      `${formatColor(text.foreground)} on ${formatColor(text.background)} was ${ratioText(text.ratio)}; ` +
      `${value} is ${ratioText(contrastOf(color, text.background))}.`,
  };
  const isImportant = mustBeImportant(origin ?? sourceOf(mail, text.at, 'color')?.origin);
  proposal.retouches.push({
    ...common,
    at: element.index,
    change: isAttribute ? { attribute: 'color', value } : { property: 'color', value, isImportant },
  });
  const button = buttonOf(mail, text);
  const shapes = button ? shapesBeside(mail, button) : [];
  const isDrawn = shapes.some((shape) =>
    isSame(parseLegacyColor(attr(shape, 'fillcolor') ?? '') ?? text.foreground, text.background),
  );
  for (const shape of isDrawn ? shapes : []) {
    const isWritten =
      mail.styleOf(shape).origins.get('color')?.level === 3 && isSame(mail.styleOf(shape).color, text.foreground);
    if (isWritten && !obstacle(mail, shape))
      proposal.retouches.push({ ...common, at: shape.index, change: { property: 'color', value } });
  }
}

// ---- Grounds ----------------------------------------------------------------------------------------------------

const BUTTON_TEXT_LENGTH_MAX = 60;

/** The element that a text's ground is written at. */
function groundElementOf(mail: Mail, { at, background }: TextContrast): MailElement | undefined {
  for (let element: MailElement | undefined = at; element; element = element.parent) {
    const { backgroundColor, backgroundImage } = mail.styleOf(element);
    if (backgroundImage || (backgroundColor.a > 0 && backgroundColor.a < 1)) return undefined;
    if (backgroundColor.a === 1) return isSame(backgroundColor, background) ? element : undefined;
  }
  return undefined;
}

function isSame(one: Color, other: Color): boolean {
  return one.r === other.r && one.g === other.g && one.b === other.b && one.a === other.a;
}

/** The outermost element with a text's ground that holds nothing but this text, and is a link or holds one. */
function buttonOf(mail: Mail, text: TextContrast): MailElement | undefined {
  const ground = groundElementOf(mail, text);
  const words = ground && textOf(ground);
  if (!ground || !words || words.length > BUTTON_TEXT_LENGTH_MAX) return undefined;
  let button = ground;
  for (let at = ground.parent; at && textOf(at) === words; at = at.parent)
    if (isSame(mail.styleOf(at).backgroundColor, text.background)) button = at;
  const inside = [...below(button)];
  const isLink = [button, ...inside, ground.parent].some((element) => element?.tag === 'a') || linkAround(ground);
  return isLink && !inside.some((element) => element.tag === 'img' || mail.styleOf(element).backgroundImage)
    ? button
    : undefined;
}

function linkAround(element: MailElement): boolean {
  for (let at: MailElement | undefined = element; at; at = at.parent) if (at.tag === 'a') return true;
  return false;
}

/** The button's ground, its borders of the same color, and the shape that Word draws instead of it. */
function proposeGround(contrasts: Contrasts, button: MailElement, { text, color }: Wanted): void {
  const { mail, proposal, known } = contrasts;
  const parts = [button, ...below(button), ...shapesBeside(mail, button)];
  const { background } = text;
  const texts = parts.filter((part) => known.has(part)).map(({ index }) => index);
  const note =
    `${formatColor(text.foreground)} on ${formatColor(background)} was ${ratioText(text.ratio)}; ` +
    `on ${formatColor(color)} it is ${ratioText(contrastOf(text.foreground, color))}.`;
  const retouches: Retouch[] = [];
  for (const part of parts) {
    const common = { rule: COLOR_CONTRAST.id, note, at: part.index, way: 'ground' as const, texts };
    for (const name of ['bgcolor', 'fillcolor', 'strokecolor']) {
      const written = parseLegacyColor(attr(part, name) ?? '');
      if (written && isSame(written, background))
        retouches.push({ ...common, change: { attribute: name, value: formatColor(color) } });
    }
    const style = attr(part, 'style') ?? '';
    if (withGround(style, background, color) !== style)
      retouches.push({ ...common, change: { ground: background, becomes: color } });
  }
  const isWritten = retouches.some(({ at }) => at === groundElementOf(mail, text)?.index);
  const reason = isWritten
    ? retouches.map(({ at }) => obstacle(mail, mail.elements[at]!)).find(Boolean)
    : 'Its ground is said by a style sheet.';
  if (reason) leave(contrasts, text, reason);
  else proposal.retouches.push(...retouches);
}

/** Elements in conditional comments around a button: in it, or beside it. */
function shapesBeside(mail: Mail, button: MailElement): MailElement[] {
  const around = button.parent ?? button;
  return mail.elements
    .slice(around.index, around.last + 1)
    .filter(({ isCommented, parent }) => isCommented && parent !== undefined && outside(parent, around, button));
}

/** Whether a comment stands directly in `around`, or in the button. */
function outside(element: MailElement, around: MailElement, button: MailElement): boolean {
  let at: MailElement | undefined = element;
  while (at?.isCommented) at = at.parent;
  return at === around || (at !== undefined && at.index >= button.index && at.index <= button.last);
}
