// What dark mode makes of one colour.

import { contrastOf, fromLab, parseColour, toLab, type Colour } from '../colour/index.ts';
import type { ClientProfile } from './types.ts';

/** Backgrounds lighter than this (CIE L*) count as light. */
const LIGHT_FROM = 50;
/** The contrast that the Outlooks hold text to (WCAG 2, level AA). */
const CONTRAST_MIN = 4.5;
/** L* 21.247 is #333333, the base of Outlook on the web when a client's own isn't known. */
const DEFAULT_BASE = '#333333';

/** The colours that one client's dark mode makes; each gives undefined where a colour stays as it is. */
export interface DarkRule {
  base: Colour;
  background(colour: Colour): Colour | undefined;
  /** @param behind the background the text stands on, after the change. */
  text(colour: Colour, behind: Colour): Colour | undefined;
  border(colour: Colour): Colour | undefined;
}

/**
 * The lightness rule that Outlook on the web publishes: L' = (100 − L)·(100 − base)/100 + base in CIE L*a*b*, with a*
 * and b* kept (microsoft/roosterjs, getDarkColor). White becomes the base colour's lightness, black becomes white.
 */
export function darkened(colour: Colour, base: Colour): Colour {
  const { l, a, b } = toLab(colour);
  const lowest = toLab(base).l;
  return fromLab({ l: ((100 - l) * (100 - lowest)) / 100 + lowest, a, b }, colour.a);
}

/** The rule of a client whose strategy changes colours; undefined when it leaves them alone. */
export function darkRuleOf(client: ClientProfile): DarkRule | undefined {
  const base = parseColour(client.darkBase) ?? parseColour(DEFAULT_BASE)!;
  if (client.darkStrategy === 'full') {
    const change = (colour: Colour) => (colour.a === 0 ? undefined : darkened(colour, base));
    return { base, background: change, text: change, border: change };
  }
  if (client.darkStrategy !== 'partial') return undefined;
  return {
    base,
    background: (colour) => (colour.a > 0 && toLab(colour).l >= LIGHT_FROM ? darkened(colour, base) : undefined),
    text: (colour, behind) => (colour.a > 0 ? readable(colour, behind, base) : undefined),
    border: () => undefined,
  };
}

/** Text changes only where it can't be read on what is behind it, and then as far as reading needs. */
function readable(colour: Colour, behind: Colour, base: Colour): Colour | undefined {
  if (contrastOf(colour, behind) >= CONTRAST_MIN) return undefined;
  const changed = darkened(colour, base);
  if (contrastOf(changed, behind) >= CONTRAST_MIN) return changed;
  const { l, a, b } = toLab(changed);
  let [low, high] = [l, 100];
  for (let step = 0; step < 6; step++) {
    const middle = (low + high) / 2;
    if (contrastOf(fromLab({ l: middle, a, b }), behind) >= CONTRAST_MIN) high = middle;
    else low = middle;
  }
  return fromLab({ l: high, a, b }, colour.a);
}
