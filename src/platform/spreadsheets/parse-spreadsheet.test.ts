import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { zipSync } from 'fflate';
import { parseSpreadsheet } from './parse-spreadsheet.ts';
import { SpreadsheetError, type SpreadsheetProblem } from './problems.ts';
import { fixture, workbook, xlsxWith } from './sheets.fixture.ts';

/** The sheet that all `links.*` fixtures hold. */
const LINKS = [
  ['Link text', 'URL', 'Status', 'Final URL'],
  ['Shop now', 'https://shop.example/sale?utm_source=mail&utm_medium=email', '200'],
  ['Größen, Farben & Preise', 'https://shop.example/größen', '200'],
  [],
  ['Two\nlines and a "quote"', 'https://shop.example/quote', '200'],
  ['Old offer', 'https://shop.example/old', '301', 'https://shop.example/new'],
  ['日本語', 'https://shop.example/ja', '200'],
];

const parseText = (text: string) => parseSpreadsheet(Buffer.from(text));

function expectProblem(bytes: Buffer | string, problem: SpreadsheetProblem): void {
  assert.throws(
    () => parseSpreadsheet(Buffer.from(bytes as string)),
    (error: unknown) => error instanceof SpreadsheetError && (assert.equal(error.problem, problem), true),
  );
}

describe('parseSpreadsheet: files of a spreadsheet program', () => {
  for (const name of ['links.xlsx', 'links.xls', 'links.csv', 'links-utf16.tsv']) {
    it(`reads ${name} row by row, empty rows kept`, async () =>
      assert.deepEqual(parseSpreadsheet(await fixture(name)), LINKS));
  }
  it('reads a semicolon file in the western code page', async () => {
    assert.deepEqual(parseSpreadsheet(await fixture('links-western.csv')), LINKS.slice(0, 6));
  });
  it('gives no rows for an empty sheet', async () =>
    assert.deepEqual(parseSpreadsheet(await fixture('empty.xlsx')), []));
  it('gives the address of a text that leads somewhere', async () => {
    assert.deepEqual(parseSpreadsheet(await fixture('hyperlinks.xlsx')), [
      ['Label'],
      ['https://shop.example/sale'],
      ['plain'],
    ]);
  });
  it('sees a password in both formats', async () => {
    for (const name of ['password.xlsx', 'password.xls']) expectProblem(await fixture(name), 'password');
  });
  it('refuses OpenDocument', async () => expectProblem(await fixture('links.ods'), 'other_workbook'));
  it('says that a damaged workbook is damaged', async () => {
    expectProblem((await fixture('links.xls')).subarray(0, 2000), 'broken');
    expectProblem((await fixture('links.xlsx')).subarray(0, 3000), 'broken');
  });
});

describe('parseSpreadsheet: the delimiter', () => {
  const A = 'https://a.example/';
  const cases: [string, string, string[][]][] = [
    [
      'semicolons, and prices with decimal commas',
      `Preis;URL\n19,99;${A}1\n5,00;${A}2\n`,
      [
        ['Preis', 'URL'],
        ['19,99', `${A}1`],
        ['5,00', `${A}2`],
      ],
    ],
    [
      'the same without a first row of names',
      `19,99;${A}1\n5,00;${A}2\n`,
      [
        ['19,99', `${A}1`],
        ['5,00', `${A}2`],
      ],
    ],
    [
      'semicolons, and commas in texts and addresses',
      `Name;URL\nJetzt kaufen, heute;${A}?a=1,2\nShop, neu;${A}b\n`,
      [
        ['Name', 'URL'],
        ['Jetzt kaufen, heute', `${A}?a=1,2`],
        ['Shop, neu', `${A}b`],
      ],
    ],
    [
      'tabs, and commas in texts and addresses',
      `Name\tURL\nShop, neu\t${A}b,c\n`,
      [
        ['Name', 'URL'],
        ['Shop, neu', `${A}b,c`],
      ],
    ],
    [
      'semicolons after addresses with commas',
      `URL;Text\n${A}x,y;Alt\n${A}z,w;Neu\n`,
      [
        ['URL', 'Text'],
        [`${A}x,y`, 'Alt'],
        [`${A}z,w`, 'Neu'],
      ],
    ],
    [
      'two columns of addresses',
      `Soll;Ist\n${A}1;${A}2\n`,
      [
        ['Soll', 'Ist'],
        [`${A}1`, `${A}2`],
      ],
    ],
    [
      'quoted cells with the delimiter, quotes and line ends in them',
      `Text;URL\n"Hier; ""jetzt"", bald\nneu";${A}1\n"b";${A}2\n`,
      [
        ['Text', 'URL'],
        ['Hier; "jetzt", bald\nneu', `${A}1`],
        ['b', `${A}2`],
      ],
    ],
    [
      'commas, and semicolons in addresses',
      `URL,Text\n${A}?a=1;b=2,One\n${A}?a=3;b=4,Two\n`,
      [
        ['URL', 'Text'],
        [`${A}?a=1;b=2`, 'One'],
        [`${A}?a=3;b=4`, 'Two'],
      ],
    ],
    [
      'commas, and character references in addresses',
      `${A}?a=1&amp;b=2,One\n${A}?a=3&amp;b=4,Two\n`,
      [
        [`${A}?a=1&amp;b=2`, 'One'],
        [`${A}?a=3&amp;b=4`, 'Two'],
      ],
    ],
    [
      'commas, and semicolons in quoted texts',
      `Text,URL\n"One; two",${A}1\n"Three; four",${A}2\n`,
      [
        ['Text', 'URL'],
        ['One; two', `${A}1`],
        ['Three; four', `${A}2`],
      ],
    ],
    [
      'one column, addresses with commas',
      `URL\n${A}x,y\nhttps://b.example/\n`,
      [['URL'], [`${A}x,y`], ['https://b.example/']],
    ],
    [
      'bars',
      `Text|URL\nOne, two|${A}1\n`,
      [
        ['Text', 'URL'],
        ['One, two', `${A}1`],
      ],
    ],
    [
      'rows of different lengths',
      `Text;URL;Status\nOne;${A}1\nTwo;${A}2;200\nThree;${A}3;200\n`,
      [
        ['Text', 'URL', 'Status'],
        ['One', `${A}1`],
        ['Two', `${A}2`, '200'],
        ['Three', `${A}3`, '200'],
      ],
    ],
    [
      'no address at all',
      'Name;Wert\na;1,5\nb;2,5\n',
      [
        ['Name', 'Wert'],
        ['a', '1,5'],
        ['b', '2,5'],
      ],
    ],
    ['a sep= line of LibreOffice', `"sep=;"\r\na,b;${A}\r\n`, [['a,b', A]]],
    [
      'a sep= line with a tab, and line ends of old Macs',
      `sep=\t\rURL\tText\r${A}\tOne\r`,
      [
        ['URL', 'Text'],
        [A, 'One'],
      ],
    ],
  ];
  const encodings: [string, (text: string) => Buffer][] = [
    ['UTF-8', (text) => Buffer.from(text)],
    ['UTF-8 with a mark', (text) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16, high byte first', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', (text) => Buffer.from(text, 'utf16le')],
  ];
  for (const [name, text, rows] of cases) {
    it(`is found: ${name}`, () => {
      for (const [encoding, encode] of encodings) assert.deepEqual(parseSpreadsheet(encode(text)), rows, encoding);
      assert.deepEqual(
        parseSpreadsheet(
          Buffer.from(text.replaceAll('\r', '\n').replaceAll('\n', '\r\n').replaceAll('\r\n\r\n', '\r\n')),
        ).length,
        rows.length,
      );
    });
  }

  it('is found in the western code page', () => {
    assert.deepEqual(
      parseSpreadsheet(Buffer.from(`Größe;Preis;URL\nklein;1,50 €;${A}1\n`.replace('€', '\x80'), 'latin1')),
      [
        ['Größe', 'Preis', 'URL'],
        ['klein', '1,50 €', `${A}1`],
      ],
    );
  });
});

describe('parseSpreadsheet: other files', () => {
  it('reads a list with one column, and the delimiter that Excel tells', () => {
    assert.deepEqual(parseText('https://a.example/\r\nhttps://b.example/\r\n'), [
      ['https://a.example/'],
      ['https://b.example/'],
    ]);
    assert.deepEqual(parseText('sep=;\na,b;c\n'), [['a,b', 'c']]);
  });
  it('reads a byte order mark away', () =>
    assert.deepEqual(parseText('\ufeffurl\nhttps://a.example/'), [['url'], ['https://a.example/']]));
  it('reads Excel 95', () => {
    assert.deepEqual(parseSpreadsheet(workbook([['URL'], ['https://a.example/']], 'biff5')), [
      ['URL'],
      ['https://a.example/'],
    ]);
  });
  it('refuses Excel 4 and older', () => {
    expectProblem(workbook([['a']], 'biff2'), 'too_old');
  });
  it('tells apart what is no spreadsheet', () => {
    expectProblem('', 'empty');
    expectProblem('%PDF-1.7\n\u0000\u0001', 'not_a_spreadsheet');
    expectProblem('<html><table><tr><td>https://a.example/</td></tr></table>', 'web_page');
    expectProblem('\n<?xml version="1.0"?><Workbook/>', 'web_page');
    expectProblem('url\n"https://a.example/\nhttps://b.example/\n', 'open_quote');
    expectProblem(Buffer.from(zipSync({ 'readme.txt': Buffer.from('hello') })), 'other_workbook');
    expectProblem(workbook([['a']], 'xlsb'), 'other_workbook');
  });
});

describe('parseSpreadsheet: hostile files', () => {
  it('reads two cells at the far ends of a sheet without filling what lies between', () => {
    const cells =
      '<row r="1"><c r="A1" t="inlineStr"><is><t>https://a.example/</t></is></c></row><row r="30000">' +
      '<c r="XFD30000"><v>1</v></c></row>';
    const rows = parseSpreadsheet(xlsxWith(`<worksheet><sheetData>${cells}</sheetData></worksheet>`));
    assert.equal(rows.length, 30_000);
    assert.deepEqual(rows[0], ['https://a.example/']);
    assert.equal(rows[29_999]!.length, 16_384);
  });
  it('refuses more rows or cells than anybody reads', () => {
    expectProblem('a\n'.repeat(50_001), 'too_many_cells');
    expectProblem(`${'a,'.repeat(1000)}b\n`.repeat(1100), 'too_many_cells');
    const wide = Array.from(
      { length: 100 },
      (_, row) => `<row r="${row + 1}"><c r="XFD${row + 1}"><v>1</v></c></row>`,
    ).join('');
    expectProblem(xlsxWith(`<worksheet><sheetData>${wide}</sheetData></worksheet>`), 'too_many_cells');
  });
  it('does not multiply entities', () => {
    const levels = Array.from(
      { length: 20 },
      (_, level) => `<!ENTITY e${level + 1} "&e${level};&e${level};&e${level};&e${level};">`,
    ).join('');
    const cell = '<row r="1"><c r="A1" t="inlineStr"><is><t>&e20;</t></is></c></row>';
    const xml = `<!DOCTYPE x [<!ENTITY e0 "lol">${levels}]><worksheet><sheetData>${cell}</sheetData></worksheet>`;
    assert.ok(parseSpreadsheet(xlsxWith(xml))[0]![0]!.length < 100);
  });
});
