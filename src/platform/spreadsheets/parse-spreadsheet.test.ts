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
    it(`reads ${name} row by row, empty rows kept`, async () => assert.deepEqual(parseSpreadsheet(await fixture(name)), LINKS));
  }
  it('reads a semicolon file in the western code page', async () => {
    assert.deepEqual(parseSpreadsheet(await fixture('links-western.csv')), LINKS.slice(0, 6));
  });
  it('gives no rows for an empty sheet', async () => assert.deepEqual(parseSpreadsheet(await fixture('empty.xlsx')), []));
  it('gives the address of a text that leads somewhere', async () => {
    assert.deepEqual(parseSpreadsheet(await fixture('hyperlinks.xlsx')), [['Label'], ['https://shop.example/sale'], ['plain']]);
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

describe('parseSpreadsheet: other files', () => {
  it('reads a list with one column, and the delimiter that Excel tells', () => {
    assert.deepEqual(parseText('https://a.example/\r\nhttps://b.example/\r\n'), [['https://a.example/'], ['https://b.example/']]);
    assert.deepEqual(parseText('sep=;\na,b;c\n'), [['a,b', 'c']]);
  });
  it('reads a byte order mark away', () => assert.deepEqual(parseText('\ufeffurl\nhttps://a.example/'), [['url'], ['https://a.example/']]));
  it('reads Excel 95', () => {
    assert.deepEqual(parseSpreadsheet(workbook([['URL'], ['https://a.example/']], 'biff5')), [['URL'], ['https://a.example/']]);
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
    const cells = '<row r="1"><c r="A1" t="inlineStr"><is><t>https://a.example/</t></is></c></row><row r="30000"><c r="XFD30000"><v>1</v></c></row>';
    const rows = parseSpreadsheet(xlsxWith(`<worksheet><sheetData>${cells}</sheetData></worksheet>`));
    assert.equal(rows.length, 30_000);
    assert.deepEqual(rows[0], ['https://a.example/']);
    assert.equal(rows[29_999]!.length, 16_384);
  });
  it('refuses more rows or cells than anybody reads', () => {
    expectProblem('a\n'.repeat(50_001), 'too_many_cells');
    expectProblem(`${'a,'.repeat(1000)}b\n`.repeat(1100), 'too_many_cells');
    const wide = Array.from({ length: 100 }, (_, row) => `<row r="${row + 1}"><c r="XFD${row + 1}"><v>1</v></c></row>`).join('');
    expectProblem(xlsxWith(`<worksheet><sheetData>${wide}</sheetData></worksheet>`), 'too_many_cells');
  });
  it('does not multiply entities', () => {
    const levels = Array.from({ length: 20 }, (_, level) => `<!ENTITY e${level + 1} "&e${level};&e${level};&e${level};&e${level};">`).join('');
    const cell = '<row r="1"><c r="A1" t="inlineStr"><is><t>&e20;</t></is></c></row>';
    const xml = `<!DOCTYPE x [<!ENTITY e0 "lol">${levels}]><worksheet><sheetData>${cell}</sheetData></worksheet>`;
    assert.ok(parseSpreadsheet(xlsxWith(xml))[0]![0]!.length < 100);
  });
});
