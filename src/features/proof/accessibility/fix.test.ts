import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
before(async () => {
  app = await startApp();
});
after(() => app.close());

const PATH = '/v1/inspect/accessibility';

async function testOf(body: object): Promise<string> {
  return (await app.call(`POST ${PATH}`, { body })).body.items.id;
}

const answerOf = async (operation: string, body?: unknown): Promise<unknown[]> => {
  const answer = await app.call(operation, body === undefined ? {} : { body });
  return [answer.status, answer.body];
};

describe('repairing the message of an accessibility test', () => {
  it('answers the repaired message with a diff, what was done, and what is left', async () => {
    const head =
      '<html lang="en" dir="ltr">\n<head><title>Sale</title></head>\n<body>\n' +
      '<div lang="en" dir="ltr">\n<h1>Sale</h1>\n';
    const table = '<table width="600"><tr><td>Tea</td></tr></table>\n';
    const rest = '<p style="color:#999999">Come in.</p>\n</div>\n</body></html>\n';
    const id = await testOf({ html: head + table + rest });
    const [status, body] = (await answerOf(`POST ${PATH}/${id}/fix`)) as [number, any];
    const { before: counted, after: recounted, remaining, ...done } = body;
    const written = table.replace('<table', '<table role="presentation"');
    assert.deepEqual(
      [status, done],
      [
        200,
        {
          html: head + written + rest,
          diff: [
            '--- a/message.html',
            '+++ b/message.html',
            '@@ -3,7 +3,7 @@',
            ' <body>',
            ' <div lang="en" dir="ltr">',
            ' <h1>Sale</h1>',
            `-${table.trim()}`,
            `+${written.trim()}`,
            ' <p style="color:#999999">Come in.</p>',
            ' </div>',
            ' </body></html>',
            '',
          ].join('\n'),
          fixes: [
            {
              rule: 'layout-table-role',
              line: 6,
              before: '<table width="600">',
              after: '<table role="presentation" width="600">',
              note: done.fixes[0].note,
              check: false,
              changes_look: false,
            },
          ],
        },
      ],
    );
    assert.deepEqual(Object.keys(counted), [
      'checks',
      'passes',
      'failures',
      'needs_review',
      'failing_places',
      'fixable_places',
    ]);
    assert.deepEqual(
      [
        counted.fixable_places,
        recounted.fixable_places,
        counted.failures - recounted.failures,
        recounted.passes - counted.passes,
      ],
      [1, 0, 1, 1],
    );
    assert.deepEqual(
      remaining.map(({ rule, instance_count, lines, reasons }: any) => [rule, instance_count, lines, reasons]),
      [['color-contrast', 1, [7], []]],
    );
    const again = await testOf({ html: body.html });
    const [, second] = (await answerOf(`POST ${PATH}/${again}/fix`)) as [number, any];
    assert.deepEqual([second.html, second.diff, second.fixes], [body.html, '', []]);
  });

  it('adjusts the looks when asked to, by the smallest change, and marks what looks different', async () => {
    const head =
      '<html lang="en" dir="ltr">\n<head><title>Sale</title></head>\n<body>\n' +
      '<div lang="en" dir="ltr">\n<h1>Sale</h1>\n';
    const text = (color: string, size: number, ground: string): string =>
      `<p style="color:${color};font-size:${size}px">Come in.</p>\n` +
      `<p><a href="/a" style="background:${ground};color:#ffffff">Shop</a></p>\n`;
    const rest =
      '<div style="background:#dddddd url(a.png)"><p style="color:#eeeeee">Over a picture.</p></div>\n' +
      '</div>\n</body></html>\n';
    const id = await testOf({ html: head + text('#999999', 12, '#d2973b') + rest });
    const [status, body] = (await answerOf(`POST ${PATH}/${id}/fix`, { looks: 'adjust' })) as [number, any];
    assert.equal(status, 200);
    assert.equal(body.html, head + text('#767676', 14, '#a16b00') + rest);
    const before = '<p style="color:#999999;font-size:12px">';
    const after = '<p style="color:#767676;font-size:14px">';
    assert.deepEqual(body.fixes, [
      { rule: 'text-size', line: 6, before, after, note: 'From 12 to 14 pixels.', check: false, changes_look: true },
      {
        rule: 'color-contrast',
        line: 6,
        before,
        after,
        note: '#999999 on #ffffff was 2.84:1; #767676 is 4.54:1.',
        check: false,
        changes_look: true,
      },
      {
        rule: 'color-contrast',
        line: 7,
        before: '<a href="/a" style="background:#d2973b;color:#ffffff">',
        after: '<a href="/a" style="background:#a16b00;color:#ffffff">',
        note: '#ffffff on #d2973b was 2.55:1; on #a16b00 it is 4.54:1.',
        check: false,
        changes_look: true,
      },
    ]);
    assert.deepEqual([body.before.fixable_places, body.after.fixable_places], [3, 0]);
    assert.deepEqual(
      body.remaining.map(({ rule, lines }: any) => [rule, lines]),
      [['contrast-images-blocked', [8]]],
    );
    const again = await testOf({ html: body.html });
    const [, second] = (await answerOf(`POST ${PATH}/${again}/fix`, { looks: 'adjust' })) as [number, any];
    assert.deepEqual([second.html, second.diff, second.fixes], [body.html, '', []]);
    const [, kept] = (await answerOf(`POST ${PATH}/${id}/fix`, { looks: 'keep' })) as [number, any];
    assert.deepEqual(kept.fixes, []);
    assert.deepEqual(await answerOf(`POST ${PATH}/${id}/fix`, { looks: 'better' }), [
      400,
      {
        errors: [{ status: '400', title: 'Bad Request', detail: ['looks must be one of keep, adjust.'] }],
        message: 'looks must be one of keep, adjust.',
      },
    ]);
  });

  it('leaves nothing of what can be repaired in the example when its looks may be adjusted', async () => {
    const html = await readFile(new URL('../../../../docs/example/mail.html', import.meta.url), 'utf8');
    const id = await testOf({ html });
    const [, fixed] = (await answerOf(`POST ${PATH}/${id}/fix`, { looks: 'adjust' })) as [number, any];
    assert.deepEqual(
      fixed.fixes
        .map(({ rule, changes_look: changesLook }: any) => [rule, changesLook])
        .filter(([, changesLook]: any) => changesLook),
      [['text-size', true]],
    );
    assert.deepEqual([fixed.after.failing_places, fixed.after.fixable_places, fixed.remaining], [0, 0, []]);
  });

  it('takes language and subject, and says why something was left', async () => {
    const id = await testOf({
      mime:
        'From: a@example.com\r\nSubject: Tee\r\nContent-Type: text/html\r\n\r\n' +
        '<style>[role]{color:red}</style><table width="9"><tr><td>Tee</td></tr></table>',
    });
    const [status, body] = (await answerOf(`POST ${PATH}/${id}/fix`, { language: 'de' })) as [number, any];
    assert.equal(status, 200);
    assert.ok(body.html.startsWith('<html lang="de" dir="ltr"><title>Tee</title>'), body.html);
    assert.match(
      body.remaining.find(({ rule }: any) => rule === 'layout-table-role').reasons[0],
      /selects by \[role\]/,
    );
    const [, renamed] = (await answerOf(`POST ${PATH}/${id}/fix`, { language: 'de', subject: 'Grüner Tee' })) as [
      number,
      any,
    ];
    assert.ok(renamed.html.includes('<title>Grüner Tee</title>'), renamed.html);
  });

  it('keeps the example’s looks, to the pixel', async () => {
    const html = (await readFile(new URL('../../../../docs/example/mail.html', import.meta.url), 'utf8'))
      .replaceAll(/ (?:role="presentation"|alt="[^"]*"|lang="\w+"|dir="\w+")/g, '')
      .replace(/<title>.*<\/title>\n/, '');
    const id = await testOf({ html });
    const [, fixed] = (await answerOf(`POST ${PATH}/${id}/fix`, { subject: 'The autumn prints are here' })) as [
      number,
      any,
    ];
    assert.ok(fixed.before.fixable_places > 10, JSON.stringify(fixed.before));
    assert.equal(fixed.after.fixable_places, 0, JSON.stringify(fixed.remaining));
    const png = await readFile(new URL('../../../../docs/example/images/print-1.png', import.meta.url));
    const { browser } = app.galley.outside;
    for (const pane of [
      { width: 800, colorScheme: 'light' },
      { width: 390, colorScheme: 'dark' },
    ] as const) {
      const shoot = (shown: string) =>
        browser.renderers[0]!.render(
          {
            html: shown,
            documentUrl: 'https://news.example/',
            scope: 'fix',
            height: 900,
            heightMax: 8_000,
            pixelRatio: 1,
            forceDark: false,
            assets: async () => ({ status: 200, contentType: 'image/png', body: png }),
            ...pane,
          },
          AbortSignal.timeout(240_000),
        );
      const [before, repaired] = await Promise.all([shoot(html), shoot(fixed.html)]);
      assert.ok(before.height > 600 && before.png.equals(repaired.png), pane.colorScheme);
    }
  });

  it('says what cannot be repaired', async () => {
    assert.deepEqual(await answerOf(`POST ${PATH}/none/fix`), [
      404,
      { message: 'No accessibility test has the id "none".' },
    ]);
    const id = await testOf({ html: '<p>x' });
    const detail = 'language must be a language tag, such as en or pt-BR.';
    assert.deepEqual(await answerOf(`POST ${PATH}/${id}/fix`, { language: 'klingon' }), [
      400,
      { errors: [{ status: '400', title: 'Bad Request', detail: [detail] }], message: detail },
    ]);
    const text = await testOf({ mime: 'Subject: Tea\r\nContent-Type: text/plain\r\n\r\nOnly text.' });
    assert.deepEqual(await answerOf(`POST ${PATH}/${text}/fix`), [
      409,
      { message: 'The message of this accessibility test has no HTML part; there is nothing to repair.' },
    ]);
    assert.equal((await app.call(`POST ${PATH}/${id}/fix`, { key: null })).status, 401);
  });
});
