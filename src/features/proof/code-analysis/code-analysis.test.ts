import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../../platform/db/index.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { analysisView } from './result.ts';

let app: App;
before(async () => {
  app = await startApp();
});
after(() => app.close());

const PATH = '/v1/inspect/analyze';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Right in all that hygiene asks of a document, with one feature that clients differ in. */
const MAIL = `<!doctype html>
<html lang="en" dir="ltr"><head><meta charset="utf-8"><title>Tea</title></head>
<body><p style="gap:4px">Fresh tea from the hills of Assam, picked in spring.</p>
<p style="gap:8px">Order now.</p></body></html>`;

async function analyzed(body: object): Promise<string> {
  const { body: answer } = await app.call(`POST ${PATH}`, { body });
  await app.idle();
  return answer.items.id;
}

const answerOf = async (operation: string, body?: unknown): Promise<unknown[]> => {
  const answer = await app.call(operation, body === undefined ? {} : { body });
  return [answer.status, answer.body];
};

describe('code analyses', () => {
  it('start at once and end with features, support and sums', async () => {
    const { status, body } = await app.call(`POST ${PATH}`, { body: { html: MAIL } });
    const { id } = body.items;
    assert.deepEqual(
      [status, body],
      [200, { meta: { status: 'Processing', version: 1 }, items: { id, links: { self: `${PATH}/${id}` } } }],
    );
    await app.idle();
    const { body: done } = await app.call(`GET ${PATH}/${id}?slug=css-gap&application_type=web`);
    assert.deepEqual(
      [done.meta.status, done.meta.version, done.meta.count, done.meta.audience],
      ['Completed', 1, 1, { id: 'b2c', name: 'Consumers' }],
    );
    assert.deepEqual(Object.keys(done.meta.application_support), ['desktop', 'mobile', 'web']);
    for (const sums of [
      ...Object.values<any>(done.meta.application_support),
      done.meta.inbox_provider_support.apple_mail,
      done.meta.market_support,
    ]) {
      assert.deepEqual(Object.keys(sums), ['supported', 'partial_support', 'unsupported', 'unknown']);
      assert.ok(
        Math.abs(sums.supported + sums.partial_support + sums.unsupported + sums.unknown - 100) < 0.01,
        JSON.stringify(sums),
      );
    }
    const partly = 'Partial. Supports column-gap for flexbox.';
    assert.deepEqual(done.items.features, [
      {
        slug: 'css-gap',
        name: 'gap, column-gap, row-gap',
        description: 'Sets the space between flex or grid items.',
        category: 'css',
        notes_lookup: {
          1: partly,
          2:
            'Partial. Supports gap and column-gap for flexbox. Supports gap for multi-column layout (i.e. ' +
            'in conjunction with CSS column-count property)',
        },
        instances: [
          { id: 'css-gap-3-17', line: 3, column: 17, resolved: false },
          { id: 'css-gap-4-11', line: 4, column: 11, resolved: false },
        ],
        instance_count: 2,
        support: {
          y: [
            'free-fr.desktop-webmail.2022-12',
            'hey.desktop-webmail.2022-12',
            'laposte.desktop-webmail.2022-12',
            'mail-ru.desktop-webmail.2022-12',
            'protonmail.desktop-webmail.2022-12',
            'sfr.desktop-webmail.2022-12',
            't-online-de.desktop-webmail.2022-12',
          ].map((variant) => ({ id: variant, notes: [] })),
          a: [
            { id: 'fastmail.desktop-webmail.2022-12', notes: ['2'] },
            { id: 'gmail.desktop-webmail.2022-12', notes: ['1'] },
            { id: 'outlook.outlook-com.2022-12', notes: ['1'] },
            { id: 'outlook.outlook-com.2023-12', notes: ['1'] },
          ],
          n: [
            'aol.desktop-webmail.2022-12',
            'gmail.mobile-webmail.2022-12',
            'gmx.desktop-webmail.2022-12',
            'orange.desktop-webmail.2022-12',
            'yahoo.desktop-webmail.2022-12',
          ].map((variant) => ({ id: variant, notes: [] })),
        },
        suggestion: 'Use `padding` on cells.',
        last_test_date: '2022-12-28',
        url: 'https://www.caniemail.com/features/css-gap/',
      },
    ]);
    const { body: grouped } = await app.call(
      `GET ${PATH}/${id}?slug=css-gap&support_type=a&application_type=mobile&group_by=notes`,
    );
    assert.equal(grouped.meta.grouped_by, 'notes');
    assert.deepEqual(grouped.items.features[0].support, {
      a: [
        {
          note: partly,
          variants: ['gmail.android.2022-12', 'gmail.ios.2022-12', 'outlook.android.2022-12', 'outlook.ios.2022-12'],
        },
      ],
    });
    const { body: unknown } = await app.call(`GET ${PATH}/${id}?support_type=u`);
    assert.deepEqual(
      [unknown.meta.count, unknown.items.features.map(({ slug, support }: any) => [slug, Object.keys(support)])],
      [1, [['html-lang', ['u']]]],
    );
    const { body: none } = await app.call(`GET ${PATH}/${id}?slug=css-display-flex`);
    assert.deepEqual([none.meta.count, none.items.features], [0, []]);
  });

  it('show status and version, and no features, before they are complete and when they failed', () => {
    const made = {
      id: 'x',
      accountId: 'a',
      kind: 'code',
      name: 'Tea',
      version: 2,
      summary: {},
      result: null,
      findings: [],
      createdAt: new Date(0),
      versionCreatedAt: new Date(0),
      updatedAt: new Date(0),
      expiresAt: new Date(0),
    };
    const wanted = { filter: {}, resolved: new Set<string>() };
    assert.deepEqual(analysisView({ ...made, status: 'Processing', error: null }, wanted), {
      meta: { status: 'Processing', version: 2 },
      items: { id: 'x', version: 2, features: [] },
    });
    assert.deepEqual(analysisView({ ...made, status: 'Failed', error: 'No memory.' }, wanted), {
      meta: { status: 'Failed', version: 2, error: 'No memory.' },
      items: { id: 'x', version: 2, features: [] },
    });
  });

  it('score by the audience, and say what to write instead', async () => {
    const id = await analyzed({ html: MAIL, audience: { 'apple-mail.ios': 3, 'outlook.windows@2016': 1 } });
    const {
      body: { meta, items },
    } = await app.call(`GET ${PATH}/${id}`);
    assert.deepEqual(meta.audience, { name: 'your own shares' });
    assert.deepEqual(
      items.score.per_client.map(({ client, share, score }: any) => [client, share, score === 100]),
      [
        ['apple-mail.ios', 0.75, true],
        ['outlook.windows@2016', 0.25, false],
      ],
    );
    const [apple, word] = items.score.per_client;
    assert.equal(items.score.overall, Math.round((0.75 * apple.score + 0.25 * word.score) * 10) / 10);
    assert.equal(word.breaks[0], 'css-gap');
    assert.deepEqual(
      [items.suggestions[0].suggestion, items.suggestions[0].slugs, items.suggestions[0].instance_count],
      ['Use `padding` on cells.', ['css-gap'], 2],
    );
    const gap = items.findings.find(({ rule }: any) => rule === 'code/css-gap');
    assert.deepEqual(
      [gap.severity, gap.clients, gap.where, gap.details.instances],
      [
        'error',
        ['Outlook 2016 (Windows)'],
        {
          line: 3,
          column: 17,
          offset: MAIL.indexOf('gap:4px'),
          snippet: 'gap:4px',
          selector: 'body > p:nth-of-type(1)',
        },
        2,
      ],
    );
    const { body: forMobile } = await app.call(`GET ${PATH}/${id}?audience=mobile-first`);
    assert.deepEqual(forMobile.meta.audience, { id: 'mobile-first', name: 'Mostly on phones' });
    assert.notDeepEqual(forMobile.items.score, items.score);
    assert.notDeepEqual(forMobile.items.findings.find(({ rule }: any) => rule === 'code/css-gap').clients, gap.clients);
    const hygiene = (findings: any[]) => findings.filter(({ rule }) => rule.startsWith('hygiene/'));
    assert.deepEqual(hygiene(forMobile.items.findings), hygiene(items.findings));
    const { body: written } = await app.call(`GET ${PATH}/${id}?audience=apple-mail.ios:3,outlook.windows@2016:1`);
    assert.deepEqual(
      [written.meta.audience, written.items.score, written.items.findings],
      [meta.audience, items.score, items.findings],
    );
    const profile = { name: 'Ours', clients: [{ client: 'gmail.android', share: 1, name: 'Gmail on phones' }] };
    const { body: own } = await app.call(`GET ${PATH}/${await analyzed({ html: MAIL, audience: profile })}`);
    assert.deepEqual([own.meta.audience, own.items.score.per_client[0].name], [{ name: 'Ours' }, 'Gmail on phones']);
  });

  it('tell of what no support data covers: one finding for many places, rows of inboxes, header fields', async () => {
    const html = MAIL.replace('Order now.', '<b style="gap:1px"></b>'.repeat(500) + 'Dear {{first_name}}');
    const mime = ['From: a@example.com', 'Subject: Tea', 'Content-Type: text/html; charset=utf-8', '', html].join(
      '\r\n',
    );
    const {
      body: { items },
    } = await app.call(`GET ${PATH}/${await analyzed({ mime })}`);
    assert.equal(items.findings.filter(({ rule }: any) => rule === 'code/css-gap').length, 1);
    const gap = items.features.find(({ slug }: any) => slug === 'css-gap');
    assert.deepEqual([gap.instance_count, gap.instances.length], [502, 200]);
    const found = (rule: string) => items.findings.find((finding: any) => finding.rule === rule)?.severity;
    assert.deepEqual(
      ['hygiene/merge-tag', 'hygiene/text-part', 'hygiene/list-unsubscribe', 'hygiene/doctype'].map((rule) => [
        rule,
        found(rule) ?? 'none',
      ]),
      [
        ['hygiene/merge-tag', 'error'],
        ['hygiene/text-part', 'warning'],
        ['hygiene/list-unsubscribe', 'warning'],
        ['hygiene/doctype', 'pass'],
      ],
    );
    assert.deepEqual(items.inbox.find(({ client }: any) => client === 'gmail-android').subject, {
      shown: 'Tea',
      is_cut: false,
    });
    const { body: titled } = await app.call(
      `GET ${PATH}/${await analyzed({ html: MAIL, subject: 'A subject that is a good deal too long for a phone' })}`,
    );
    assert.deepEqual(titled.items.inbox.find(({ client }: any) => client === 'samsung').subject, {
      shown: 'A subject that is a good deal to…',
      is_cut: true,
    });
    assert.deepEqual(Object.keys(titled.items.inbox[0].source), ['what', 'url', 'date']);
  });

  it('find in a whole message what its HTML does not tell, and say what could not be looked for', async () => {
    const part = (type: string, body: string, ...fields: string[]) =>
      ['--x', `Content-Type: ${type}`, ...fields, '', body].join('\r\n');
    const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    const mime = [
      'From: a@example.com',
      'Subject: Tea',
      'MIME-Version: 1.0',
      'BIMI-Selector: v=BIMI1; s=default',
      'Content-Type: multipart/related; boundary=x',
      '',
      part('text/html; charset=utf-8', MAIL.replace('Order now.', '<img alt="Tea" src="cid:tea">')),
      part('text/x-amp-html', '<!doctype html><html amp4email></html>'),
      part('application/octet-stream', gif, 'Content-ID: <tea>', 'Content-Transfer-Encoding: base64'),
      '--x--',
      '',
    ].join('\r\n');
    const slugsOf = ({ items }: any) =>
      items.features.map(({ slug }: any) => slug).filter((slug: string) => ['amp', 'bimi', 'image-gif'].includes(slug));
    const { body: whole } = await app.call(`GET ${PATH}/${await analyzed({ mime })}`);
    assert.deepEqual([slugsOf(whole), whole.items.not_looked_for], [['amp', 'bimi', 'image-gif'], []]);
    const { body: alone } = await app.call(`GET ${PATH}/${await analyzed({ html: MAIL })}`);
    assert.deepEqual([slugsOf(alone), alone.items.not_looked_for.map(({ slug }: any) => slug)], [[], ['amp', 'bimi']]);
    const { body: text } = await app.call(`GET ${PATH}/${await analyzed({ mime: 'Subject: Tea\r\n\r\nOnly text.' })}`);
    assert.deepEqual(
      [text.meta.status, text.meta.count, text.items.score.overall, text.items.findings.map(({ rule }: any) => rule)],
      ['Completed', 0, 100, ['hygiene/no-html']],
    );
  });

  it('find a charset that a part does not name, or names wrongly, and lose none of its characters', async () => {
    const messageOf = async (contentType: string): Promise<unknown[]> => {
      const mime = Buffer.from(
        `Subject: Tea\r\nContent-Type: ${contentType}\r\n\r\n<p>Gr\xfc\xdfe</p>`,
        'latin1',
      ).toString('base64');
      const { body } = await app.call(`GET ${PATH}/${await analyzed({ mime, transfer_encoding: 'base64' })}`);
      return body.items.findings
        .filter(({ rule }: any) => rule === 'hygiene/part-charset')
        .map(({ severity, message }: any) => [severity, message]);
    };
    assert.deepEqual(await messageOf('text/html'), [
      ['error', 'The HTML part names no charset and has characters outside ASCII; it was read as windows-1252.'],
    ]);
    assert.deepEqual(await messageOf('text/plain; charset=utf-8'), [
      ['error', 'The text part is declared as "utf-8", but its bytes are no valid UTF-8; it was read as windows-1252.'],
    ]);
    assert.deepEqual(await messageOf('text/html; charset=iso-8859-1'), [
      ['pass', 'Every part is in the charset that it names.'],
    ]);
  });

  it('keep their versions; what was resolved stays resolved where its place is the same', async () => {
    const id = await analyzed({ html: MAIL });
    assert.deepEqual(await answerOf(`POST ${PATH}/${id}/resolve/css-gap-3-17`), [
      200,
      { message: 'The instance is marked as resolved.', items: { id: 'css-gap-3-17', version: 1, resolved: true } },
    ]);
    const again = await app.call(`POST ${PATH}/${id}`, {
      body: { html: MAIL.replace('<p style="gap:8px">', '\n<p style="gap:8px">') },
    });
    assert.deepEqual(
      [again.status, again.body],
      [200, { meta: { status: 'Processing', version: 2 }, items: { id, links: { self: `${PATH}/${id}` } } }],
    );
    await app.idle();
    const instancesOf = async (path: string) =>
      (await app.call(`GET ${path}?slug=css-gap`)).body.items.features[0].instances.map((instance: any) => [
        instance.id,
        instance.resolved,
      ]);
    assert.deepEqual(await instancesOf(`${PATH}/${id}`), [
      ['css-gap-3-17', true],
      ['css-gap-5-11', false],
    ]);
    assert.deepEqual(await instancesOf(`${PATH}/${id}/versions/1`), [
      ['css-gap-3-17', true],
      ['css-gap-4-11', false],
    ]);
    const { body: versions } = await app.call(`GET ${PATH}/${id}/versions`);
    assert.deepEqual(versions, {
      meta: { count: 2 },
      items: {
        versions: [1, 2].map((version) => ({
          version,
          status: 'Completed',
          created_at: versions.items.versions[version - 1].created_at,
          links: { self: `${PATH}/${id}/versions/${version}` },
        })),
      },
    });
    assert.ok(versions.items.versions.every(({ created_at }: any) => TIME.test(created_at)));
    assert.deepEqual(await answerOf(`POST ${PATH}/${id}/resolve/css-gap-3-17`, { resolved: false }), [
      200,
      {
        message: 'The instance is no longer marked as resolved.',
        items: { id: 'css-gap-3-17', version: 2, resolved: false },
      },
    ]);
    assert.deepEqual(await instancesOf(`${PATH}/${id}`), [
      ['css-gap-3-17', false],
      ['css-gap-5-11', false],
    ]);
    assert.deepEqual(await answerOf(`POST ${PATH}/${id}/resolve/css-gap-4-11`), [
      404,
      { message: 'No instance in version 2 of this code analysis has the id "css-gap-4-11".' },
    ]);
    assert.deepEqual(await answerOf(`GET ${PATH}/${id}/versions/3`), [
      404,
      { message: 'No version of this code analysis has the id "3".' },
    ]);
  });

  it('are gone after they were deleted, with their marks', async () => {
    const id = await analyzed({ html: MAIL });
    await app.call(`POST ${PATH}/${id}/resolve/css-gap-3-17`);
    assert.deepEqual(await answerOf(`DELETE ${PATH}/${id}`), [200, { message: 'The code analysis was deleted.' }]);
    const { db } = app.galley.outside;
    assert.deepEqual(await db.rows(sql`select * from code_resolutions where inspection_id = ${id}`), []);
    const message = `No code analysis has the id "${id}".`;
    for (const operation of [
      `GET ${PATH}/${id}`,
      `DELETE ${PATH}/${id}`,
      `GET ${PATH}/${id}/versions`,
      `GET ${PATH}/${id}/versions/1`,
      `POST ${PATH}/${id}/resolve/css-gap-3-17`,
    ])
      assert.deepEqual(await answerOf(operation), [404, { message }]);
    assert.deepEqual(await answerOf(`POST ${PATH}/${id}`, { html: '<p>x' }), [404, { message }]);
  });
});
