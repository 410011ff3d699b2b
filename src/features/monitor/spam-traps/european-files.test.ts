// Reports of hits as European spreadsheets save them: each is read right, or refused with row, column and what is valid.
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
async function upload(content: string | Buffer<ArrayBuffer>) {
  const made = await app.call('POST /v5/accounts/subaccounts', { body: { name: `Files ${++accounts}` } });
  const headers = { 'x-service-account-id': made.body.subaccount.id };
  const form = new FormData();
  form.append('file', new File([content], 'report.csv'));
  const { status, body } = await app.call('POST /v1/spamtraps/imports', { body: form, headers });
  return { status, body, headers };
}

const HEAD = 'Datum;Typ;Treffer;Domain;Betreff';

describe('a report of spam trap hits', () => {
  for (const [encoding, encode] of ENCODINGS)
    it(`is read in ${encoding}, with points or slashes in dates and line breaks in quotes`, async () => {
      const text = [
        HEAD,
        '05.10.2026;pristine;1.200;a.example;"Größe; ""neu""\r\nzweite Zeile"',
        '23/10/2026 18:02;typo;2;a.example;Über uns',
        '06/10/2026;recycled;3;a.example;Straße',
      ].join('\r\n');
      const { status, body, headers } = await upload(encode(text));
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual([body.rows, body.hits, body.problems], [3, 1205, []]);
      const { items } = (await app.call('GET /v1/spamtraps?start=2026-10-01&end=2026-10-31', { headers })).body;
      assert.deepEqual(
        items.filter(({ total }: any) => total > 0).map(({ date, total }: any) => [date, total]),
        [
          ['2026-10-05', 1200],
          ['2026-10-06', 3],
          ['2026-10-23', 2],
        ],
      );
      const range = 'start=2026-10-01&end=2026-10-31';
      const grouped = (await app.call(`GET /v1/spamtraps?${range}&groupby=subject`, { headers })).body.items;
      assert.deepEqual(grouped.flatMap(Object.keys).toSorted(), ['Größe; "neu" zweite Zeile', 'Straße', 'Über uns']);
    });

  it('names row, column and what is valid for what may be two days, or is no number', async () => {
    const { status, body } = await upload(
      `${HEAD}\r\n05/10/2026;typo;1;;\r\n10/10/2026;typo;1;;\r\n06.10.2026;typo;1,5;;\r\n32.10.2026;typo;1;;\r\n`,
    );
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      [body.rows, body.problems],
      [
        1,
        [
          {
            row: 2,
            message:
              'date "05/10/2026" may be two days, and no date of the file says which; give it as 2026-11-22 or 22.11.2026.',
          },
          { row: 4, message: 'hits must be a whole number from 1 to 1000000; "1,5" is none.' },
          { row: 5, message: 'date "32.10.2026" is not a day; give it as 2026-11-22 or 22.11.2026.' },
        ],
      ],
    );
  });
});
