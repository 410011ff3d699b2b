// Exports as European spreadsheets save them: each is read right, or refused with row, column and what is valid.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ENCODINGS } from '../../../../test/harness/european-files.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
let accounts = 0;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
});
after(() => app?.close());

/** Every file is of an account of its own, so that a file says all that is there. */
async function upload(content: string | Buffer<ArrayBuffer>, provider: 'google' | 'yahoo' | 'snds') {
  const made = await app.call('POST /v5/accounts/subaccounts', { body: { name: `Files ${++accounts}` } });
  const headers = { 'x-service-account-id': made.body.subaccount.id };
  const form = new FormData();
  form.append('provider', provider);
  form.append('file', new File([content], 'export.csv'));
  const { status, body } = await app.call('POST /v1/galley/postmaster/uploads', { body: form, headers });
  await app.idle();
  return { status, body, headers };
}

async function sharesOf(content: string | Buffer<ArrayBuffer>): Promise<[string, number | null, number | null][]> {
  const { status, body, headers } = await upload(content, 'google');
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body.problems, []);
  const { items } = (await app.call('GET /v1/galley/postmaster/records?days=730', { headers })).body;
  return items.map((item: any) => [item.date, item.spam_ratio, item.delivered]).toSorted();
}

const WANTED = [
  ['2026-11-05', 0.0012, 1234],
  ['2026-11-21', 0.004, 12_345],
];
const HEAD = 'Date;Domain;Spam rate (%);Delivered;Größe und "Notiz"\r\n';
const NOTE = '"Zwei\r\nZeilen; mit ""Größe"""';

describe('an export of a dashboard', () => {
  for (const [encoding, encode] of ENCODINGS)
    it(`is read in ${encoding}, with points in dates, commas in numbers and line breaks in quotes`, async () => {
      const text = `${HEAD}05.11.2026;shop.example;0,12;1.234;${NOTE}\r\n21.11.2026 00:00;shop.example;0,4;12 345;\r\n`;
      assert.deepEqual(await sharesOf(encode(text)), WANTED);
    });

  it('is read with slashes in dates, where one of them says that the day comes first', async () => {
    const text = `${HEAD}05/11/2026;shop.example;0,12;1.234;\r\n21/11/2026;shop.example;0,4;12.345;\r\n`;
    assert.deepEqual(await sharesOf(text), WANTED);
  });

  it('is read with tabs, and with a line that names the delimiter', async () => {
    const rows = (sign: string): string =>
      [
        ['Date', 'Domain', 'Spam rate', 'Delivered'],
        ['5.11.26', 'SHOP.example', '0,12 %', "1'234"],
        ['21.11.26', 'shop.example.', '0,4%', '12.345'],
      ]
        .map((row) => row.join(sign))
        .join('\r\n');
    assert.deepEqual(await sharesOf(rows('\t')), WANTED);
    assert.deepEqual(await sharesOf(`sep=;\r\n${rows(';')}`), WANTED);
  });

  const wrong: [what: string, text: string, problems: [row: number, message: string][]][] = [
    [
      'dates that may be two days',
      'Date;Domain;Spam rate\r\n05/11/2026;a.example;0,1 %\r\n06/11/2026;a.example;0,1 %\r\n11/11/2026;a.example;1 %',
      [
        [
          2,
          'date "05/11/2026" may be two days, and no date of the file says which; give it as 2026-11-22 or 22.11.2026.',
        ],
        [
          3,
          'date "06/11/2026" may be two days, and no date of the file says which; give it as 2026-11-22 or 22.11.2026.',
        ],
      ],
    ],
    [
      'numbers that may be shares or percentages',
      'Date;Domain;Spam rate\r\n05.11.2026;a.example;0,5\r\n06.11.2026;a.example;1,2\r\n07.11.2026;a.example;0,3 %',
      [
        [
          2,
          'column "Spam rate": "0,5" may be a share or a percentage, as the column holds numbers above 1 too; write 0.12 %.',
        ],
        [3, 'column "Spam rate": "1,2" is no share, such as 0.0012 or 0.12 %.'],
      ],
    ],
    [
      'counts, names and reputations that are none, below quoted line breaks',
      'Date;Domain;Delivered;Reputation;Notiz\r\n05.11.2026;a.example;7;;"eins\r\nzwei"\r\n' +
        '06.11.2026;a.example;1,5;;\r\n07.11.2026;Größe;1;;\r\n08.11.2026;a.example;;HOCH;',
      [
        [3, 'column "Delivered": "1,5" is no whole number, such as 1234.'],
        [4, 'column "Domain": "Größe" is no domain, such as example.com.'],
        [5, 'column "Reputation": "HOCH" is not high, medium, low or bad.'],
      ],
    ],
  ];
  for (const [what, text, problems] of wrong)
    it(`leaves out ${what}, and names row and column`, async () => {
      const { status, body } = await upload(text, 'google');
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual([body.records, body.problems], [1, problems.map(([row, message]) => ({ row, message }))]);
    });

  it('is refused where no date says which day it is, or columns are named in another language', async () => {
    const doubtful = await upload('Date,Domain,Spam rate\n05/11/2026,a.example,0.1%\n', 'yahoo');
    assert.equal(doubtful.status, 400);
    assert.match(
      doubtful.body.message,
      /^file has no row that can be read; row 2: date "05\/11\/2026" may be two days/,
    );
    const german = await upload('Datum;Domäne;Spamrate\r\n05.11.2026;a.example;0,1 %\r\n', 'google');
    assert.equal(german.status, 400);
    assert.match(german.body.message, /^file must name a column date in its first row, which reads "Datum, Domäne/);
  });
});

describe('a report of SNDS', () => {
  const text = [
    'IP Address;Activity period;Message recipients;Filter result;Complaint rate;Trap hits;Comments',
    '192.0.2.7;23/11/2026 01:00;1.234;GREEN;< 0,1%;2;"Größe;\r\nzweite Zeile"',
    '192.0.2.7;05/11/2026 01:00;12 345;RED;1,5 %;-;',
    '192.0.2.8;23.11.2026 01:00;1,5;GREEN;;;',
    '192.0.2.9;31/11/2026 01:00;1;GREEN;;;',
    '192.0.2.9;23/11/2026 01:00;1;GRÜN;;;',
  ].join('\r\n');
  for (const [encoding, encode] of ENCODINGS)
    it(`is read in ${encoding}, and what is wrong in it is named`, async () => {
      const { status, body, headers } = await upload(encode(text), 'snds');
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(
        [body.records, body.problems],
        [
          2,
          [
            { row: 4, message: 'message recipients "1,5" is no whole number, such as 1234.' },
            { row: 5, message: 'date "31/11/2026 01:00" is not a day; give it as 2026-11-22 or 22.11.2026.' },
            { row: 6, message: 'filter result "GRÜN" is not GREEN, YELLOW or RED.' },
          ],
        ],
      );
      const { summary } = (await app.call('GET /v1/reputationanalytics/snds/192.0.2.7', { headers })).body;
      assert.deepEqual(
        summary
          .map((one: any) => [one.date, one.recipients, one.filter_result, one.complaint_rate, one.trap_hits])
          .toSorted(),
        [
          ['2026-11-05T00:00:00Z', 12_345, 'RED', '1.5 %', null],
          ['2026-11-23T00:00:00Z', 1234, 'GREEN', '< 0.1%', 2],
        ],
      );
    });

  it('is read without a header', async () => {
    const row = '192.0.2.7;5.11.2026 0:00;5.11.2026 23:59;300;290;280;GREEN;< 0,1%;;;0;mail.shop.example;;';
    const { status, body } = await upload(`${row}\r\n${row.replace('.7', '.8')}`, 'snds');
    assert.deepEqual([status, body.records, body.problems], [200, 2, []]);
  });
});
