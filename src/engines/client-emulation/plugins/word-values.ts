// CSS values as Word reads them.

const LENGTH = /^([+-]?(?:\d+\.?\d*|\.\d+))(px|pt|pc|in|cm|mm|em|ex|rem|%)?$/i;
const PIXELS: Record<string, number> = { px: 1, pt: 96 / 72, pc: 16, in: 96, cm: 96 / 2.54, mm: 9.6 / 2.54 };

interface Length {
  amount: number;
  /** Lower case; empty for a bare number. */
  unit: string;
}

/** A number with or without a unit, or undefined. */
export function lengthOf(value: string): Length | undefined {
  // No number is longer, and the pattern is slow on what is.
  const found = value.length > 80 ? undefined : LENGTH.exec(value.trim());
  return found ? { amount: Number(found[1]), unit: (found[2] ?? '').toLowerCase() } : undefined;
}

/** CSS pixels of an absolute length; a bare number takes `bareUnit`. Undefined for relative units. */
export function pixelsOf(value: string, bareUnit: 'px' | 'pt' = 'px'): number | undefined {
  const length = lengthOf(value);
  const factor = length && PIXELS[length.unit || bareUnit];
  return factor === undefined ? undefined : round(length!.amount * factor);
}

export function round(amount: number): number {
  return Math.round(amount * 1000) / 1000;
}

/**
 * The values of top, right, bottom and left in a shorthand such as `margin`; undefined when it isn't one to four words.
 */
export function sidesOf(value: string): [string, string, string, string] | undefined {
  if (value.length > 200 || value.includes('(')) return undefined;
  const words = value.trim().split(/\s+/);
  const [top, right = top, bottom = top, left = right] = words;
  return top && words.length <= 4 ? [top, right!, bottom!, left!] : undefined;
}
