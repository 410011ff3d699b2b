// What dark mode makes of one color.

import { contrastOf, fromLab, parseColor, toLab, type Color } from '../color/index.ts';
import type { ClientProfile } from './types.ts';

/** Backgrounds lighter than this (CIE L*) count as light. */
const LIGHT_FROM = 50;
/** The contrast that the Outlooks hold text to (WCAG 2, level AA). */
const CONTRAST_MIN = 4.5;
/** L* 21.247 is #333333, the base of Outlook on the web when a client's own isn't known. */
const DEFAULT_BASE = '#333333';

/** The colors that one client's dark mode makes; each gives undefined where a color stays as it is. */
export interface DarkRule {
  base: Color;
  background(color: Color): Color | undefined;
  /** @param behind the background the text stands on, after the change. */
  text(color: Color, behind: Color): Color | undefined;
  border(color: Color): Color | undefined;
}

/**
 * The lightness rule that Outlook on the web publishes: L' = (100 − L)·(100 − base)/100 + base in CIE L*a*b*, with a*
 * and b* kept (microsoft/roosterjs, getDarkColor). White becomes the base color's lightness, black becomes white.
 */
export function darkened(color: Color, base: Color): Color {
  const { l, a, b } = toLab(color);
  const lowest = toLab(base).l;
  return fromLab({ l: ((100 - l) * (100 - lowest)) / 100 + lowest, a, b }, color.a);
}

/**
 * Apple Mail, of a message that says it can be dark: white grounds and black text change, `#fffffe` does not
 * (docs.bird.com/taxi, "Different email clients in dark mode", read 2026-11-26; black text: email-bugs#71, 2019-11-18).
 */
function pureColors(base: Color): DarkRule {
  const is = (color: Color, channel: number) =>
    color.a > 0 && [color.r, color.g, color.b].every((one) => one === channel);
  return {
    base,
    background: (color) => (is(color, 255) ? base : undefined),
    text: (color, behind) => (is(color, 0) && toLab(behind).l < LIGHT_FROM ? darkened(color, base) : undefined),
    border: () => undefined,
  };
}

/** The rule of a client whose strategy changes colors; undefined when it leaves them alone. */
export function darkRuleOf(client: ClientProfile, isDeclared = false): DarkRule | undefined {
  const base = parseColor(client.darkBase) ?? parseColor(DEFAULT_BASE)!;
  if (client.darkStrategy === 'full') {
    const change = (color: Color) => (color.a === 0 ? undefined : darkened(color, base));
    return { base, background: change, text: change, border: change };
  }
  if (isDeclared) return pureColors(base);
  if (client.darkStrategy !== 'partial') return undefined;
  return {
    base,
    background: (color) => (color.a > 0 && toLab(color).l >= LIGHT_FROM ? darkened(color, base) : undefined),
    text: (color, behind) => (color.a > 0 ? readable(color, behind, base) : undefined),
    border: () => undefined,
  };
}

/** Text changes only where it can't be read on what is behind it, and then as far as reading needs. */
function readable(color: Color, behind: Color, base: Color): Color | undefined {
  if (contrastOf(color, behind) >= CONTRAST_MIN) return undefined;
  const changed = darkened(color, base);
  if (contrastOf(changed, behind) >= CONTRAST_MIN) return changed;
  const { l, a, b } = toLab(changed);
  let [low, high] = [l, 100];
  for (let step = 0; step < 6; step++) {
    const middle = (low + high) / 2;
    if (contrastOf(fromLab({ l: middle, a, b }), behind) >= CONTRAST_MIN) high = middle;
    else low = middle;
  }
  return fromLab({ l: high, a, b }, color.a);
}
