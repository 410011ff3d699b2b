// The size of an SVG from the tag of its root (SVG 2 §5.8, CSS Images 3 §5.1). Nothing else of it is read.
import { PLAIN_HEADER, type ImageHeader } from './types.ts';

/** Everything that may stand before the root, which is short in honest files. */
const HEAD_LENGTH_MAX = 64 * 1024;
const PROLOGUE = /^\s*(?:(?:<\?[^>]*\?>|<!--(?:[^-]|-(?!->))*-->|<!DOCTYPE(?:[^>[]|\[[^\]]*\])*>)\s*)*/i;
const ROOT = /^<(?:[\w.-]+:)?svg(?=[\s/>])((?:[^"'>]|"[^"]*"|'[^']*')*)>/i;

/** CSS pixels per unit; `em` and `ex` of 16-pixel text. */
const UNITS = new Map([
  ['', 1],
  ['px', 1],
  ['pt', 4 / 3],
  ['pc', 16],
  ['in', 96],
  ['cm', 96 / 2.54],
  ['mm', 96 / 25.4],
  ['em', 16],
  ['ex', 8],
]);
/** What browsers give to a picture without any size. */
const DEFAULT_SIZE = { width: 300, height: 150 };

function headOf(bytes: Buffer): string {
  const head = bytes.subarray(0, HEAD_LENGTH_MAX);
  if (head[0] === 0xff && head[1] === 0xfe) return head.subarray(2).toString('utf16le');
  return head.toString('utf8').replace(/^\uFEFF/, '');
}

/** The attributes of the root's tag as written; undefined when the bytes are no SVG. */
function rootTag(bytes: Buffer): string | undefined {
  const head = headOf(bytes);
  return ROOT.exec(head.slice(PROLOGUE.exec(head)?.[0].length ?? 0))?.[1];
}

export function isSvg(bytes: Buffer): boolean {
  return rootTag(bytes) !== undefined;
}

/**
 * Width and height in CSS pixels, rounded. The picture counts as transparent, since an SVG has no ground of its own.
 */
export function readSvg(bytes: Buffer): ImageHeader {
  const tag = rootTag(bytes) ?? '';
  const attribute = (name: string) => new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([^"']*)`).exec(tag)?.[1];
  const [, , boxWidth = 0, boxHeight = 0] = (attribute('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const ratio = boxWidth > 0 && boxHeight > 0 ? boxWidth / boxHeight : undefined;
  const [ownWidth, ownHeight] = [lengthOf(attribute('width')), lengthOf(attribute('height'))];
  const width = ownWidth ?? (ownHeight && ratio ? ownHeight * ratio : ratio ? boxWidth : DEFAULT_SIZE.width);
  const height = ownHeight ?? (ratio ? width / ratio : DEFAULT_SIZE.height);
  const isClosed = /<\/(?:[\w.-]+:)?svg\s*>|\/>\s*$/i.test(
    bytes.subarray(-4096).toString('latin1').replaceAll('\0', ''),
  );
  return {
    ...PLAIN_HEADER,
    width: Math.round(width),
    height: Math.round(height),
    transparency: 'alpha',
    status: isClosed ? 'ok' : 'truncated',
  };
}

function lengthOf(text: string | undefined): number | undefined {
  const [, number = '', unit = ''] = /^\s*\+?(\d+\.?\d*|\.\d+)([a-z]*)\s*$/i.exec(text ?? '') ?? [];
  const scale = UNITS.get(unit.toLowerCase());
  const length = Number(number) * (scale ?? 0);
  return length > 0 ? length : undefined;
}
