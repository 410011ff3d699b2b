// How large an image is shown, as far as attributes and styles say.
import { parseStyleAttribute } from '../css/index.ts';

export interface DisplaySize {
  /** CSS pixels on a wide screen; undefined when nothing says it, or only in relation to something else. */
  width: number | undefined;
  height: number | undefined;
  /**
   * Of the `width` attribute, which is all that Outlook on Windows reads; undefined when missing or no plain number.
   */
  attributeWidth: number | undefined;
  attributeHeight: number | undefined;
  /** The width follows that of the place it stands in. */
  isFluid: boolean;
  isHidden: boolean;
}

interface Sizing {
  width?: string | undefined;
  height?: string | undefined;
  /** With the style sheets applied. */
  style: string;
}

const UNITS = new Map([
  ['px', 1],
  ['pt', 4 / 3],
  ['pc', 16],
  ['in', 96],
  ['cm', 96 / 2.54],
  ['mm', 96 / 25.4],
  ['em', 16],
  ['rem', 16],
]);

/**
 * CSS goes before attributes, as in browsers; a fluid width counts as its `max-width`, or else as the attribute says.
 */
export function displaySizeOf({ width, height, style }: Sizing): DisplaySize {
  const declared = declarationsByName(style);
  const [attributeWidth, attributeHeight] = [attributeLength(width), attributeLength(height)];
  const cssWidth = declared.get('width');
  const isNatural = cssWidth === 'auto';
  const isFluid = cssWidth !== undefined ? !isNatural && cssLength(cssWidth) === undefined : /%\s*$/.test(width ?? '');
  const bound = cssLength(declared.get('max-width'));
  const own = cssLength(cssWidth) ?? (isNatural ? undefined : isFluid ? (bound ?? attributeWidth) : attributeWidth);
  const cssHeight = declared.get('height');
  return {
    width: own !== undefined && bound !== undefined ? Math.min(own, bound) : own,
    height: cssHeight === undefined ? attributeHeight : cssLength(cssHeight),
    attributeWidth,
    attributeHeight,
    isFluid,
    isHidden: declared.get('display') === 'none' || declared.get('visibility') === 'hidden',
  };
}

function declarationsByName(style: string): Map<string, string> {
  const found = new Map<string, string>();
  const important = new Set<string>();
  for (const { property, value, isImportant, isValid } of parseStyleAttribute(style)) {
    if (!isValid || (important.has(property) && !isImportant)) continue;
    if (isImportant) important.add(property);
    found.set(property, value.toLowerCase());
  }
  return found;
}

/** HTML's rules for dimension values: digits at the start count, a percentage is no length. */
function attributeLength(text: string | undefined): number | undefined {
  const [, number, rest = ''] = /^\s*(\d+(?:\.\d+)?)(.*)$/s.exec(text ?? '') ?? [];
  return number === undefined || rest.startsWith('%') ? undefined : Number(number);
}

function cssLength(value: string | undefined): number | undefined {
  const [, number = '', unit = ''] = /^([\d.]+)([a-z]*)$/.exec(value ?? '') ?? [];
  if (number !== '' && Number(number) === 0) return 0;
  const scale = UNITS.get(unit);
  return scale === undefined ? undefined : Math.round(Number(number) * scale * 100) / 100;
}
