// Workbooks made for a test.
import { readFile } from 'node:fs/promises';
import { utils, write, type BookType } from '@e965/xlsx';
import { zipSync } from 'fflate';

export const fixture = (name: string): Promise<Buffer> => readFile(new URL(`fixtures/${name}`, import.meta.url));

export function workbook(rows: string[][], bookType: BookType): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'Sheet1');
  return Buffer.from(write(book, { type: 'buffer', bookType }) as Uint8Array);
}

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGES = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** An .xlsx whose only sheet is the given XML. */
export function xlsxWith(sheet: string | Uint8Array): Buffer {
  const xml = (text: string) => Buffer.from(`<?xml version="1.0"?>${text}`);
  const files = {
    '[Content_Types].xml': xml(
      `<Types xmlns="${PACKAGES}/content-types"><Override PartName="/xl/workbook.xml" ` +
        `ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ` +
        `ContentType="${TYPES}.worksheet+xml"/></Types>`,
    ),
    '_rels/.rels': xml(
      `<Relationships xmlns="${PACKAGES}/relationships"><Relationship Id="a" Type="${RELATIONSHIPS}/officeDocument" ` +
        'Target="xl/workbook.xml"/></Relationships>',
    ),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><sheets><sheet name="a" sheetId="1" ` +
        'r:id="b"/></sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships xmlns="${PACKAGES}/relationships"><Relationship Id="b" Type="${RELATIONSHIPS}/worksheet" ` +
        'Target="worksheets/sheet1.xml"/></Relationships>',
    ),
    'xl/worksheets/sheet1.xml':
      typeof sheet === 'string' ? xml(sheet.replace('<worksheet>', `<worksheet xmlns="${MAIN}">`)) : sheet,
  };
  return Buffer.from(zipSync(files, { level: 1 }));
}
