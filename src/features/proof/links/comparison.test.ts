import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { sql } from '../../../platform/db/index.ts';
import { xlsxWith } from '../../../platform/spreadsheets/sheets.fixture.ts';

const PATH = '/v1/inspect/links';
const fixture = (name: string) => readFile(new URL(`../../../platform/spreadsheets/fixtures/${name}`, import.meta.url));

/** A test that ended: the links of the fixtures, each answered as it is expected there. */
const LINKS: [text: string, url: string, statuses: number[], finalUrl?: string][] = [
  ['Shop now', 'https://shop.example/sale?utm_source=mail&utm_medium=email', [200]],
  ['Größen, Farben & Preise', 'https://shop.example/gr%C3%B6%C3%9Fen', [200]],
  ['Two lines and a "quote"', 'https://shop.example/quote', [200]],
  ['Old offer', 'https://shop.example/old', [301, 200], 'https://shop.example/new'],
  ['日本語', 'https://shop.example/ja', [200]],
];

let app: App;
before(async () => {
  app = await startApp();
  await app.call(`POST ${PATH}`, { body: { links: ['tel:112'], userAgent: null } });
  await app.idle();
  await insert('agrees', 'Complete', LINKS);
  await insert('differs', 'Complete', [
    LINKS[0]!,
    ['Größen, Farben & Preise', 'https://shop.example/sizes', [200]],
    LINKS[2]!,
    ['Old offer', 'https://shop.example/old', [404]],
    ['Blog', 'https://shop.example/blog', [200]],
  ]);
  await insert('running', 'Processing', []);
  await insert('failed', 'Failed', []);
});
after(() => app.close());

async function insert(id: string, status: string, links: typeof LINKS): Promise<void> {
  const results = links.map(([text, url, statuses, finalUrl], index) => ({
    url,
    text,
    status: 'pass',
    status_code: statuses.at(-1),
    line: index + 1,
    final_url: finalUrl ?? url,
    passes: [],
    failures: [],
    informational: [],
  }));
  const result =
    status === 'Complete' ? JSON.stringify({ results, statuses: links.map(([, , statuses]) => statuses) }) : null;
  await app.galley.outside.db.run(sql`
    insert into inspections (
      id, account_id, kind, status, version, result, created_at, version_created_at, updated_at, expires_at
    )
    select ${id}, account_id, 'links', ${status}, 1, ${result}::jsonb, now(), now(), now(), now() + interval '90 days'
    from inspections
    limit 1
  `);
}

async function compare(id: string, files: Record<string, Uint8Array | string>): Promise<[number, any]> {
  const form = new FormData();
  for (const [field, value] of Object.entries(files))
    form.append(
      field,
      typeof value === 'string' ? value : new Blob([new Uint8Array(value)]),
      ...((typeof value === 'string' ? [] : ['links.any']) as [string]),
    );
  const { status, body } = await app.call(`POST ${PATH}/${id}/csv`, { body: form });
  return [status, body];
}

const refused = async (csv: Uint8Array) => compare('agrees', { csv });

describe('a comparison with a file of a spreadsheet program', () => {
  for (const name of ['links.csv', 'links.xls', 'links.xlsx', 'links-utf16.tsv']) {
    it(`agrees with ${name}`, async () =>
      assert.deepEqual(await compare('agrees', { csv: await fixture(name) }), [
        200,
        { meta: { status: 'Complete' }, items: { valid: true, errors: [] } },
      ]));
  }

  it('names every difference by its row', async () => {
    for (const name of ['links.xlsx', 'links.xls', 'links.csv']) {
      assert.deepEqual(await compare('differs', { csv: await fixture(name) }), [
        200,
        {
          meta: { status: 'Complete' },
          items: {
            valid: false,
            errors: [
              {
                row: 3,
                message:
                  '“Größen, Farben & Preise” should lead to https://shop.example/größen, but leads to ' +
                  'https://shop.example/sizes.',
                alert: {
                  type: 'other_url',
                  expected: 'https://shop.example/größen',
                  actual: 'https://shop.example/sizes',
                  line: 2,
                },
              },
              {
                row: 6,
                message: 'https://shop.example/old should answer with 301, but answers with 404.',
                alert: { type: 'status', expected: '301', actual: '404', line: 4 },
              },
              {
                row: 6,
                message:
                  'https://shop.example/old should end at https://shop.example/new, but ends at ' +
                  'https://shop.example/old.',
                alert: {
                  type: 'final_url',
                  expected: 'https://shop.example/new',
                  actual: 'https://shop.example/old',
                  line: 4,
                },
              },
              {
                row: 7,
                message: 'https://shop.example/ja is not in the test.',
                alert: { type: 'missing', expected: 'https://shop.example/ja', actual: null },
              },
              {
                row: 0,
                message: 'https://shop.example/blog (“Blog”) is in the test, but not in the file.',
                alert: { type: 'unexpected', expected: null, actual: 'https://shop.example/blog', line: 5 },
              },
            ],
          },
        },
      ]);
    }
  });

  it('takes a bare list of addresses', async () => {
    const csv = Buffer.from(LINKS.map(([, url]) => url).join('\r\n'));
    assert.deepEqual((await compare('agrees', { csv }))[1].items, { valid: true, errors: [] });
  });
});

describe('a file that cannot be compared', () => {
  it('is protected with a password', async () => {
    for (const name of ['password.xlsx', 'password.xls'])
      assert.deepEqual(await refused(await fixture(name)), [
        400,
        { message: 'csv is protected with a password; save it without one.' },
      ]);
  });

  it('is a zip bomb, honest or lying', async () => {
    const bomb = xlsxWith(Buffer.alloc(65 * 1024 * 1024, ' '));
    assert.ok(bomb.length < 1024 * 1024);
    assert.deepEqual(await refused(bomb), [400, { message: 'csv unpacks to more than 64 MB.' }]);
    const lying = xlsxWith(deflateRawSync(Buffer.alloc(1024 * 1024)));
    lying.writeUInt32LE(0xffffffff, lying.length - 6);
    assert.deepEqual(await refused(lying), [
      400,
      { message: 'csv is a damaged archive: its directory and its contents contradict each other.' },
    ]);
  });

  it('is broken, of another kind, empty, or too large', async () => {
    const cases: [Uint8Array, RegExp][] = [
      [(await fixture('links.xls')).subarray(0, 2_000), /^csv is damaged and cannot be read as a workbook\.$/],
      [(await fixture('links.xlsx')).subarray(0, 3_000), /^csv is damaged/],
      [await fixture('links.ods'), /^csv is an archive without an Excel workbook in it/],
      [Buffer.from('%PDF-1.7\n\u0000\u0001'), /^csv is neither a CSV file nor an Excel workbook/],
      [Buffer.from('<html><table></table></html>'), /^csv is a web page/],
      [Buffer.from('url\n"https://a.example/\n'), /^csv has a quotation mark that is never closed\.$/],
      [Buffer.alloc(0), /^csv is an empty file\.$/],
      [Buffer.alloc(10 * 1024 * 1024 + 1, 'a'), /^csv is larger than 10 MB\.$/],
      [await fixture('empty.xlsx'), /^csv has no column of links/],
      [Buffer.from('Name,Size\na,b\n'), /^csv has no column of links/],
      [Buffer.from('URL,Status\n'), /^csv names its columns, but has no rows with links\.$/],
    ];
    for (const [file, message] of cases) {
      const [status, body] = await refused(file);
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(body.message, message);
    }
    const [status, body] = await refused(Buffer.alloc(17 * 1024 * 1024, 'a'));
    assert.deepEqual([status, Object.keys(body)], [413, ['message']]);
  });

  it('is not there, or no file', async () => {
    assert.deepEqual(await compare('agrees', { other: Buffer.from('x') }), [400, { message: 'csv is required.' }]);
    assert.deepEqual(await compare('agrees', { csv: 'https://a.example/' }), [
      400,
      { message: 'csv must be a file: send a multipart body.' },
    ]);
    const json = await app.call(`POST ${PATH}/agrees/csv`, { body: { csv: 'x' } });
    assert.deepEqual([json.status, json.body], [400, { message: 'csv must be a file: send a multipart body.' }]);
  });

  it('has no finished test to be compared with', async () => {
    const csv = await fixture('links.csv');
    assert.deepEqual(await compare('unknown', { csv }), [404, { message: 'No link test has the id "unknown".' }]);
    assert.deepEqual(await compare('running', { csv }), [
      409,
      { message: 'The links are still being checked; compare when the test is complete.' },
    ]);
    assert.deepEqual(await compare('failed', { csv }), [
      409,
      { message: 'The test failed, so there is nothing to compare; reprocess it first.' },
    ]);
  });
});
