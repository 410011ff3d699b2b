// Which font Word takes from a stack.

import type { WebFont } from '../../source/index.ts';

/**
 * Families that this service brings along, none of which a Windows machine has: a stack that names one goes on to its
 * next family there, so it must do so here.
 */
const NOT_ON_WINDOWS = new Set([
  'arimo',
  'tinos',
  'cousine',
  'gelasio',
  'carlito',
  'caladea',
  'comic neue',
  'open sans',
  'roboto',
  'dejavu sans',
  'dejavu serif',
  'dejavu mono',
  'dejavu sans mono',
  'noto sans',
  'noto serif',
  'noto color emoji',
  'noto sans jp',
  'noto sans kr',
  'noto sans sc',
  'noto sans arabic',
  'noto sans devanagari',
  'noto sans hebrew',
  'noto sans thai',
  'liberation sans',
  'liberation serif',
]);

const GENERIC: Record<string, string> = {
  swiss: 'Arial',
  roman: '"Times New Roman"',
  modern: '"Courier New"',
  script: '"Comic Sans MS"',
  decorative: '"Times New Roman"',
};

export interface FontRules {
  /** Declared web fonts by lower-case family; empty for a Word that falls through its stacks. */
  webFonts: ReadonlyMap<string, WebFont>;
  /** Families that fell back to another font, for the notes: family -> the font shown. */
  replaced: Map<string, string>;
}

/**
 * A `font-family` value as Word resolves it. A stack that starts with a web font the message declares isn't followed:
 * Word shows the font's `mso-font-alt`, else one of its `mso-generic-font-family`, which is Times New Roman unless
 * said otherwise. Outlook 2007 to 2016; gone in 2019 (hteumeuleu.com, "Today I learned about
 * mso-generic-font-family", 2019-07-17).
 */
export function fontFamilyInWord(value: string, rules: FontRules): string {
  if (value.length > 1000) return value;
  const families = value
    .split(',')
    .map((family) => family.trim())
    .filter((family) => family !== '');
  const first = plainName(families[0] ?? '');
  const font = rules.webFonts.get(first);
  if (font) {
    const shown = font.alternative
      ? `"${font.alternative.replace(/["\\]/g, '')}"`
      : (GENERIC[font.generic] ?? GENERIC['roman']!);
    rules.replaced.set(font.family, shown.replace(/"/g, ''));
    return `${shown},${GENERIC[font.generic] ?? GENERIC['roman']!}`;
  }
  const left = families.filter((family) => !NOT_ON_WINDOWS.has(plainName(family)));
  if (left.length === families.length) return value;
  return left.length > 0 ? left.join(',') : GENERIC['roman']!;
}

function plainName(family: string): string {
  return family
    .replace(/^["']|["']$/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}
