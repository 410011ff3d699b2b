// The names under which fontconfig knows a face (OpenType 1.9 "name", "OS/2", "head").
import type { FontWeight } from './families.ts';
import type { Sfnt } from './sfnt.ts';
import { tableOf } from './glyphs.ts';

interface FaceName {
  family: string;
  weight: FontWeight;
  isItalic: boolean;
}

const STYLES: Record<FontWeight, string> = {
  300: 'Light',
  400: 'Regular',
  500: 'Medium',
  600: 'SemiBold',
  700: 'Bold',
};
/** Bits of OS/2 fsSelection. */
const ITALIC = 0x0001;
const BOLD = 0x0020;
const REGULAR = 0x0040;
const WINDOWS_UNICODE_ENGLISH = [3, 1, 0x409];
/** Copyright, trademark, manufacturer, designer, license and its address stay as they are. */
const KEPT_IDS = new Set([0, 7, 8, 9, 13, 14]);

function readNames(table: Buffer): Map<number, Buffer> {
  const names = new Map<number, Buffer>();
  const storage = table.readUInt16BE(4);
  for (let index = 0; index < table.readUInt16BE(2); index += 1) {
    const entry = 6 + index * 12;
    if (!WINDOWS_UNICODE_ENGLISH.every((value, field) => table.readUInt16BE(entry + field * 2) === value)) continue;
    const start = storage + table.readUInt16BE(entry + 10);
    names.set(table.readUInt16BE(entry + 6), table.subarray(start, start + table.readUInt16BE(entry + 8)));
  }
  return names;
}

function writeNames(names: ReadonlyMap<number, Buffer>): Buffer {
  const sorted = [...names].sort(([a], [b]) => a - b);
  const header = Buffer.alloc(6 + sorted.length * 12);
  header.writeUInt16BE(sorted.length, 2);
  header.writeUInt16BE(header.length, 4);
  let offset = 0;
  for (const [index, [id, text]] of sorted.entries()) {
    [...WINDOWS_UNICODE_ENGLISH, id, text.length, offset].forEach((value, field) =>
      header.writeUInt16BE(value, 6 + index * 12 + field * 2),
    );
    offset += text.length;
  }
  return Buffer.concat([header, ...sorted.map(([, text]) => text)]);
}

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

/** The font under another family and weight; who made it and its license stay. */
export function withName(font: Sfnt, { family, weight, isItalic }: FaceName): Sfnt {
  const style = `${STYLES[weight]}${isItalic ? ' Italic' : ''}`;
  const names = new Map([...readNames(tableOf(font, 'name'))].filter(([id]) => KEPT_IDS.has(id)));
  const texts: [number, string][] = [
    [1, family],
    [2, style],
    [3, `${family} ${style}`],
    [4, `${family} ${style}`],
    [6, `${family.replaceAll(' ', '')}-${style.replaceAll(' ', '')}`],
  ];
  for (const [id, text] of texts) names.set(id, utf16(text));
  const os2 = Buffer.from(tableOf(font, 'OS/2'));
  os2.writeUInt16BE(weight, 4);
  const selection = os2.readUInt16BE(62) & ~(ITALIC | BOLD | REGULAR);
  os2.writeUInt16BE(
    selection | (isItalic ? ITALIC : 0) | (weight === 700 ? BOLD : 0) | (weight === 400 && !isItalic ? REGULAR : 0),
    62,
  );
  const head = Buffer.from(tableOf(font, 'head'));
  head.writeUInt16BE((weight === 700 ? 1 : 0) | (isItalic ? 2 : 0), 44);
  const tables = new Map(font.tables);
  tables.set('name', writeNames(names)).set('OS/2', os2).set('head', head);
  return { flavor: font.flavor, tables };
}
