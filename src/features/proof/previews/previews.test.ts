import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { assetServer, type AssetServer } from '../../../../test/harness/asset-server.ts';
import { previewEmail } from '../../../../test/harness/preview-email.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const CLIENTS = ['gmail_chrome', 'ol2021', 'applemail_26_dm'];
const ID = /^[0-9a-f]{24}$/;

let app: App;
let assets: AssetServer;
before(async () => {
  assets = await assetServer();
  app = await startApp({ GALLEY_ALLOW_HOSTS: '127.0.0.1' });
});
after(async () => {
  await app.close();
  await assets.close();
});

interface NewTest {
  subject?: string;
  [field: string]: unknown;
}

async function create(body: NewTest = {}): Promise<string> {
  const { status, body: answer } = await app.call('POST /v2/preview/tests', {
    body: { subject: 'Spring proofs', html: previewEmail(assets.url), clients: CLIENTS, ...body },
  });
  assert.equal(status, 200, JSON.stringify(answer));
  return answer.id;
}

/** Waits until every client is done. */
async function finished(id: string): Promise<any> {
  for (;;) {
    const { body } = await app.call(`GET /v2/preview/tests/${id}`);
    if (body.processing.length === 0) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function pixels(url: string): Promise<{ width: number; height: number; data: Buffer }> {
  const { status, headers, body } = await app.call(`GET ${url}`, { key: null });
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'image/png');
  const { data, info } = await sharp(body).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

function has({ data }: { data: Buffer }, [red, green, blue]: [number, number, number]): boolean {
  for (let at = 0; at < data.length; at += 3)
    if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) return true;
  return false;
}

describe('POST /v2/preview/tests', () => {
  it('renders every client at its width, each in its own way', async () => {
    const { body: created } = await app.call('POST /v2/preview/tests', {
      body: {
        subject: 'Spring proofs',
        html: previewEmail(assets.url),
        clients: [...CLIENTS, 'bogus_client'],
        image_blocking: true,
        reference_id: 'r-1',
        customer_id: 'c-1',
        color: 'red',
      },
    });
    assert.match(created.id, ID);
    assert.deepEqual(created, {
      id: created.id,
      reference_id: 'r-1',
      customer_id: 'c-1',
      warnings: [
        { name: 'invalid_client', message: 'Unknown client id: bogus_client' },
        { name: 'unknown_field', message: 'Unknown field: color' },
      ],
      content_checking: {},
    });
    const info = await finished(created.id);
    const { date, expires_at, ...rest } = info;
    assert.equal(expires_at - date, 90 * 86_400);
    assert.deepEqual(rest, {
      subject: 'Spring proofs',
      name: 'Spring proofs',
      completed: ['applemail_26_dm', 'gmail_chrome', 'ol2021'],
      processing: [],
      bounced: [],
      content_checking: {},
      headers: {},
      reference_id: 'r-1',
      customer_id: 'c-1',
      image_blocking: true,
      pane_width: null,
    });

    const { body: catalog } = await app.call('GET /v1/preview/tests/clients');
    const { body: results } = await app.call(`GET /v1/preview/tests/${created.id}/results`);
    const pictureOf = async (id: string) => {
      const picture = await pixels(results[id].screenshots.default);
      assert.equal(picture.width, catalog.clients[id].viewport.width);
      return picture;
    };
    const [gmail, outlook, dark] = [
      await pictureOf('gmail_chrome'),
      await pictureOf('ol2021'),
      await pictureOf('applemail_26_dm'),
    ];
    assert.ok(has(gmail, [0xff, 0xe0, 0x8a]) && has(gmail, [0xd0, 0, 0]), 'Gmail shows the card and the image');
    assert.ok(has(outlook, [0, 0x80, 0]) && !has(gmail, [0, 0x80, 0]), 'only Outlook shows what is meant for it');
    assert.ok(
      has(dark, [0x20, 0x30, 0x50]) && !has(dark, [0xff, 0xe0, 0x8a]),
      "Apple Mail follows the message's dark colors",
    );
    const blocked = await pixels(results['gmail_chrome'].screenshots.no_images);
    assert.ok(!has(blocked, [0xd0, 0, 0]), 'the image is blocked');
  });

  it('gives one client in full, in the words of both spellings', async () => {
    const id = await create({ clients: ['gmail_chrome'] });
    await finished(id);
    const { status, body } = await app.call(`GET /v2/preview/tests/${id}/results/gmail_chrome`);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['gmail_chrome']);
    const { sources, notes, engine, pictures, published_behaviors: behaviors, ...result } = body.gmail_chrome;
    assert.deepEqual(Object.keys(behaviors), ['family', 'published', 'reproduced', 'measured']);
    assert.equal(behaviors.family, 'Gmail');
    assert.ok(behaviors.reproduced > 0 && behaviors.reproduced <= behaviors.published);
    assert.match(behaviors.measured, /^\d{4}-\d\d-\d\d$/);
    assert.ok(sources.length > 0 && Array.isArray(notes));
    assert.match(engine, /^\D+\d+/);
    assert.equal(pictures.default.is_cut, false);
    const details = result.statusdetails;
    assert.ok(Number.isInteger(details.submitted) && details.completed >= details.submitted);
    const file = result.screenshots.default.replace('/default.png', '');
    assert.match(file, new RegExp(`^${app.url}/files/previews/[0-9a-f]{40}/gmail_chrome$`));
    assert.deepEqual(result, {
      id: 'gmail_chrome',
      displayname: result.display_name,
      display_name: result.displayname,
      client: 'Gmail',
      os: result.os,
      category: 'Web',
      browser: 'Chrome',
      screenshots: { default: `${file}/default.png` },
      thumbnail: `${file}/default.thumbnail.jpg`,
      fullthumbnail: `${file}/default.full-thumbnail.jpg`,
      full_thumbnail: `${file}/default.full-thumbnail.jpg`,
      status: 'complete',
      statusdetails: {
        submitted: details.submitted,
        completed: details.completed,
        bouncecode: '',
        bouncemessage: '',
        bounce_code: '',
        bounce_message: '',
        attempts: 1,
      },
      status_details: details,
      fidelity: 'engine',
      undecided: [],
      family: 'Gmail',
      color_scheme: 'light',
      findings: [],
      findings_measured: true,
      audience_share: 13,
      last_compared: null,
    });
    for (const url of [result.thumbnail, result.fullthumbnail]) {
      const picture = await app.call(`GET ${url}`, { key: null });
      assert.equal(picture.headers.get('content-type'), 'image/jpeg');
      assert.equal((await sharp(picture.body).metadata()).format, 'jpeg');
    }
  });

  it('names the features of the message that nobody tried in a client, and where they stand', async () => {
    const html =
      '<!doctype html><title>A</title><style>@media (min-width:1px){p{letter-spacing:1px}}</style>\n' +
      '<p style="cursor:pointer;text-orientation:mixed">One\n<p style="text-orientation:mixed">Two';
    const id = await create({ html, clients: ['gmail_chrome', 'fastmail_chrome'] });
    await finished(id);
    const { body } = await app.call(`GET /v1/preview/tests/${id}/results`);
    assert.deepEqual(body.gmail_chrome.undecided, []);
    const [{ tested, places, ...open }, ...others] = body.fastmail_chrome.undecided;
    assert.deepEqual(
      [open, others],
      [{ feature: 'css-text-orientation', title: 'text-orientation', reason: 'not tested', place_count: 2 }, []],
    );
    assert.match(tested, /^\d{4}-\d\d-\d\d$/);
    assert.deepEqual(
      places.map(({ line }: { line: number }) => line),
      [2, 3],
    );
  });

  it('tells which pictures look the same, and not only which are equal', async () => {
    const html = '<div style="height:300px;background:#144a78"></div><p>text</p>';
    const loud = html.replace('#144a78', '#b00020');
    const lookOf = async (source: string, clients: string[]): Promise<Map<string, { id: string; look: string }>> => {
      const id = await create({ html: source, clients, image_blocking: false });
      await finished(id);
      const { body } = await app.call(`GET /v1/preview/tests/${id}/results`);
      return new Map(clients.map((client) => [client, body[client].pictures.default]));
    };
    const clients = ['gmail_chrome', 'aol_chrome', 'fastmail_chrome', 'applemail_26'];
    const pictures = await lookOf(html, clients);
    const ids = new Set([...pictures.values()].map(({ id }) => id));
    for (const { id, look } of pictures.values()) {
      assert.ok(ids.has(look), 'a look is named by the picture that has it first');
      for (const other of pictures.values()) if (other.id === id) assert.equal(other.look, look);
    }
    const other = (await lookOf(loud, ['gmail_chrome'])).get('gmail_chrome')!;
    assert.equal(other.look, other.id, 'the first picture of a test is its own look');
  });

  it('takes the default clients when none are named', async () => {
    const { body } = await app.call('GET /v1/preview/tests/clients');
    const wanted = Object.values<any>(body.clients)
      .filter((client) => client.default)
      .map((client) => client.id)
      .sort();
    const id = await create({ clients: undefined });
    const { body: info } = await app.call(`GET /v2/preview/tests/${id}`);
    assert.deepEqual([...info.completed, ...info.processing, ...info.bounced].sort(), wanted);
    await app.call(`DELETE /v2/preview/tests/${id}`);
  });

  it('reads a page by its URL, with addresses relative to it', async () => {
    assets.set('/mail/index.html', 'text/html', '<title>Page</title><img src="../red.png" width="120" height="80">');
    const id = await create({ html: undefined, url: `${assets.url}/mail/index.html`, clients: ['gmail_chrome'] });
    await finished(id);
    const { body } = await app.call(`GET /v2/preview/tests/${id}/results/gmail_chrome`);
    assert.ok(has(await pixels(body.gmail_chrome.screenshots.default), [0xd0, 0, 0]));
    assert.deepEqual(body.gmail_chrome.notes, [
      '1 relative address of an image or link is completed by the address of the page, ' +
        `${assets.url}/mail/index.html; sent as a message, it leads nowhere.`,
    ]);
  });

  it('does not draw what only a page could complete, and says nothing of a page where there is none', async () => {
    const mime = [
      'Subject: s',
      'Content-Type: text/html',
      '',
      '<img src="/red.png" width="120" height="80"><p>text</p>',
    ].join('\r\n');
    for (const source of [
      { html: '<img src="red.png" width="120" height="80"><p>text</p>' },
      { html: undefined, mime },
    ]) {
      const id = await create({ ...source, clients: ['gmail_chrome'] });
      await finished(id);
      const { body } = await app.call(`GET /v2/preview/tests/${id}/results/gmail_chrome`);
      assert.ok(!has(await pixels(body.gmail_chrome.screenshots.default), [0xd0, 0, 0]));
      assert.deepEqual(body.gmail_chrome.notes, []);
    }
  });

  it('reads a whole message and shows the images it carries', async () => {
    const blue = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#0000c0' } })
      .png()
      .toBuffer();
    const mime = [
      'From: a@example.com',
      'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
      'X-Campaign: spring',
      'MIME-Version: 1.0',
      'Content-Type: multipart/related; boundary=b',
      '',
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>Hi</p><img src="cid:logo@x">',
      '--b',
      'Content-Type: image/png',
      'Content-ID: <logo@x>',
      'Content-Transfer-Encoding: base64',
      '',
      blue.toString('base64'),
      '--b--',
      '',
    ].join('\r\n');
    const id = await create({ html: undefined, mime, clients: ['gmail_chrome'] });
    const info = await finished(id);
    assert.equal(info.headers['x-campaign'], 'spring');
    const { body } = await app.call(`GET /v2/preview/tests/${id}/results/gmail_chrome`);
    assert.ok(has(await pixels(body.gmail_chrome.screenshots.default), [0, 0, 0xc0]));
  });

  it('decodes base64 and quoted-printable in the charset given', async () => {
    const latin = Buffer.from('<p>Grüße</p>', 'latin1');
    const id = await create({
      subject: 'R3L832U=',
      html: latin.toString('base64'),
      transfer_encoding: 'base64',
      charset: 'iso-8859-1',
      clients: ['gmail_chrome'],
    });
    assert.deepEqual((await app.call(`GET /v1/preview/tests/${id}/content`)).body, { content: '<p>Grüße</p>' });
    const quoted = await create({
      html: '<p>Gr=C3=BC=C3=9Fe</p>',
      transfer_encoding: 'quoted-printable',
      clients: ['gmail_chrome'],
    });
    assert.deepEqual((await app.call(`GET /v1/preview/tests/${quoted}/content/textonly`)).body, { content: 'Grüße' });
  });

  const wrong: [name: string, body: object, status: number, message: RegExp][] = [
    ['no subject', { html: '<p>' }, 400, /^subject is required\.$/],
    ['no source', { subject: 's' }, 400, /^html, url, mime: give exactly one of them\.$/],
    [
      'two sources',
      { subject: 's', html: '<p>', url: 'http://x/' },
      400,
      /^html, url, mime: give exactly one of them; html and url were given\.$/,
    ],
    ['an empty source', { subject: 's', html: '  ' }, 400, /^html is empty\.$/],
    ['a wrong type', { subject: 7, html: '<p>' }, 400, /^subject must be string\.$/],
    ['no client', { subject: 's', html: '<p>', clients: [] }, 400, /^clients must not have fewer than 1 items\.$/],
    ['an unknown encoding', { subject: 's', html: '<p>', transfer_encoding: 'rot13' }, 400, /^transfer_encoding /],
    ['a URL that is none', { subject: 's', url: 'ftp://x/' }, 400, /^url must be an absolute http or https URL\.$/],
    [
      'a message with nothing to show',
      { subject: 's', mime: 'Content-Type: image/png\r\n\r\nx' },
      400,
      /^mime has neither an HTML nor a text part\.$/,
    ],
  ];
  for (const [name, body, status, message] of wrong) {
    it(`answers ${status} to ${name}`, async () => {
      const answer = await app.call('POST /v2/preview/tests', { body });
      assert.equal(answer.status, status);
      assert.match(answer.body.Reason, message);
      assert.equal(answer.body.message, answer.body.Reason);
    });
  }

  it('answers 413 above 5 MiB of HTML', async () => {
    const { status, body } = await app.call('POST /v2/preview/tests', {
      body: { subject: 's', html: 'x'.repeat(5 * 1024 * 1024 + 1) },
    });
    assert.equal(status, 413);
    assert.equal(body.message, 'html is 5242881 bytes of HTML; at most 5242880 (5 MiB) are accepted.');
    assert.equal(body.error.message, body.message);
  });
});

describe('GET /v2/preview/tests', () => {
  it('lists newest first and searches', async () => {
    const first = await create({
      subject: 'Needle ONE',
      clients: ['gmail_chrome'],
      customer_id: 'acme',
      headers: { 'X-Campaign': 'a' },
    });
    const second = await create({ subject: 'needle two', clients: ['gmail_chrome'] });
    const { status, body } = await app.call('GET /v2/preview/tests?subject=NEEDLE');
    assert.equal(status, 200);
    assert.deepEqual(body, [
      { id: second, date: body[0].date, type: 'email-test', subject: 'needle two', headers: {} },
      { id: first, date: body[1].date, type: 'email-test', subject: 'Needle ONE', headers: { 'X-Campaign': 'a' } },
    ]);
    assert.deepEqual(
      (await app.call('GET /v2/preview/tests?customer_id=acme')).body.map((test: { id: string }) => test.id),
      [first],
    );
    assert.deepEqual(
      (await app.call('GET /v2/preview/tests?subject=needle&results=1&page=2')).body.map(
        (test: { id: string }) => test.id,
      ),
      [first],
    );
    assert.deepEqual((await app.call('GET /v2/preview/tests?page=999')).body, []);
    assert.deepEqual((await app.call(`GET /v2/preview/tests?to=${body[0]?.date - 3600}`)).body, []);
    assert.equal(
      (
        await app.call(
          'GET /v2/preview/tests?subject=needle&from=' +
            `${encodeURIComponent(new Date(Date.now() - 60_000).toISOString())}`,
        )
      ).body.length,
      2,
    );
  });

  it('answers 400 naming a wrong parameter', async () => {
    assert.equal((await app.call('GET /v2/preview/tests?results=201')).body.Reason, 'results must be <= 200.');
    assert.equal(
      (await app.call('GET /v2/preview/tests?from=yesterday')).body.Reason,
      'from is "yesterday"; give Unix seconds, an ISO 8601 date or an RFC 2822 date.',
    );
  });
});

describe('the deprecated v1 calls', () => {
  it('work, and say what to use instead', async () => {
    const { status, body, headers } = await app.call('POST /v1/preview/tests', {
      body: { subject: 'v1', html: '<p>Hi</p>', clients: ['gmail_chrome'] },
    });
    assert.equal(status, 200);
    assert.equal(headers.get('deprecation'), '@1735689600');
    assert.equal(headers.get('link'), '</v2/preview/tests>; rel="successor-version"');
    assert.equal((await app.call(`GET /v1/preview/tests/${body.id}`)).body.subject, 'v1');
    assert.ok((await app.call('GET /v1/preview/tests')).body.some((test: { id: string }) => test.id === body.id));
    await finished(body.id);
    assert.equal((await app.call(`GET /v1/preview/tests/${body.id}/results`)).body.gmail_chrome.status, 'Complete');
    assert.deepEqual((await app.call(`DELETE /v1/preview/tests/${body.id}`)).body, { success: true });
  });
});

describe('errors by id', () => {
  const unknown = '0123456789abcdef01234567';
  for (const operation of [
    `GET /v2/preview/tests/${unknown}`,
    `GET /v1/preview/tests/${unknown}`,
    `DELETE /v2/preview/tests/${unknown}`,
    `GET /v1/preview/tests/${unknown}/results`,
    `GET /v2/preview/tests/${unknown}/results/gmail_chrome`,
    `GET /v1/preview/tests/${unknown}/content`,
  ]) {
    it(`answers 404 to ${operation}`, async () => {
      const { status, body } = await app.call(operation);
      const message = `No preview test has the id "${unknown}".`;
      assert.deepEqual([status, body], [404, { error: { name: 'InvalidTestID', message }, message }]);
    });
  }

  it('answers a stranger the same 404, whatever is asked', async () => {
    const id = await create({ clients: ['gmail_chrome'] });
    const { body } = await app.call('POST /v5/accounts/subaccounts?name=stranger');
    const made = await app.call('POST /v1/keys', {
      headers: { 'x-service-account-id': body.subaccount.id },
      body: { role: 'admin' },
    });
    for (const operation of [
      `GET /v2/preview/tests/${id}`,
      `DELETE /v2/preview/tests/${id}`,
      `GET /v1/preview/tests/${id}/results`,
      `GET /v1/preview/tests/${id}/content`,
      `GET /v1/preview/sharing/${id}`,
      `GET /v2/preview/tests/${id}/exports`,
    ]) {
      assert.equal((await app.call(operation, { key: made.body.key.secret })).status, 404, operation);
    }
  });

  it('answers 400 to a client that is not part of the test', async () => {
    const id = await create({ clients: ['gmail_chrome'] });
    for (const client of ['ol2021', 'nonsense']) {
      const { status, body } = await app.call(`GET /v2/preview/tests/${id}/results/${client}`);
      assert.deepEqual([status, body.Reason], [400, `The client "${client}" is not part of this test.`]);
    }
  });

  it('answers 400 to a content that is neither inlinecss nor textonly', async () => {
    const id = await create({ clients: ['gmail_chrome'] });
    assert.match(
      (await app.call(`GET /v1/preview/tests/${id}/content/pdf`)).body.Reason,
      /^content must be one of inlinecss, textonly\.$/,
    );
    const { body } = await app.call(`GET /v1/preview/tests/${id}/content/inlinecss`);
    assert.match(body.content, /<td[^>]+style="[^"]*border-radius: ?24px/);
  });
});

describe('PUT /v1/preview/tests/{test_id}/results/reprocess', () => {
  it('fetches the images anew and makes the picture again, twenty times at most', async () => {
    assets.set(
      '/changing.png',
      'image/png',
      await sharp({ create: { width: 10, height: 10, channels: 3, background: '#00b000' } })
        .png()
        .toBuffer(),
    );
    const id = await create({
      html: `<img src="${assets.url}/changing.png" width="100" height="100">`,
      clients: ['gmail_chrome', 'ol2021'],
    });
    await finished(id);
    assets.set(
      '/changing.png',
      'image/png',
      await sharp({ create: { width: 10, height: 10, channels: 3, background: '#b000b0' } })
        .png()
        .toBuffer(),
    );
    const { status, body } = await app.call(`PUT /v1/preview/tests/${id}/results/reprocess`, {
      body: { clients: ['gmail_chrome', 'thunderbird'] },
    });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      gmail_chrome: {
        success: true,
        remaining_reprocesses: 19,
        regional: false,
        screenshot: { id: 'gmail_chrome', type: 'resubmit', sent: body.gmail_chrome.screenshot.sent, completed: 0 },
      },
      thunderbird: {
        success: false,
        reason: 'This client is not part of the test.',
        remaining_reprocesses: 20,
        regional: false,
      },
    });
    await finished(id);
    const { body: results } = await app.call(`GET /v1/preview/tests/${id}/results`);
    assert.ok(has(await pixels(results.gmail_chrome.screenshots.default), [0xb0, 0, 0xb0]));
    assert.ok(
      has(await pixels(results.ol2021.screenshots.default), [0, 0xb0, 0]),
      'the other client keeps its picture',
    );
  });
});

describe('a message that a service refuses', () => {
  it('is listed in bounced with code and message, and cannot be retried', async () => {
    const { body: catalog } = await app.call('GET /v1/preview/tests/clients');
    assert.ok(catalog.clients.gmx_chrome);
    const filler = 'x'.repeat(76) + '\r\n';
    const mime =
      'Subject: Big\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n' +
      'Content-Type: text/html\r\n\r\n<p>Hi</p>\r\n--b\r\nContent-Type: application/octet-stream\r\n\r\n' +
      `${filler.repeat(350_000)}\r\n--b--\r\n`;
    const id = await create({ html: undefined, mime, clients: ['outlookcom_chrome', 'thunderbird'] });
    const info = await finished(id);
    assert.deepEqual([info.completed, info.bounced], [['thunderbird'], ['outlookcom_chrome']]);
    const { body } = await app.call(`GET /v2/preview/tests/${id}/results/outlookcom_chrome`);
    const { status, screenshots, thumbnail, statusdetails } = body.outlookcom_chrome;
    assert.deepEqual(
      { status, screenshots, thumbnail, code: statusdetails.bouncecode },
      { status: 'bounced', screenshots: {}, thumbnail: '', code: '552' },
    );
    assert.match(
      statusdetails.bouncemessage,
      /^5\.3\.4 The message is \d+ bytes; this client's service accepts \d+\.$/,
    );
    const again = await app.call(`PUT /v1/preview/tests/${id}/results/reprocess`, {
      body: { clients: ['outlookcom_chrome'] },
    });
    assert.equal(again.body.outlookcom_chrome.reason, 'This client bounced; that cannot be retried.');
  });
});

describe('pictures', () => {
  it('answer 425 with Retry-After before they are made, and 404 to a wrong token, client or name', async () => {
    const id = await create({ clients: ['gmail_chrome'] });
    const { body } = await app.call(`GET /v2/preview/tests/${id}/results/gmail_chrome`);
    const url: string = body.gmail_chrome.screenshots.default;
    if (body.gmail_chrome.status === 'processing') {
      const early = await app.call(`GET ${url}`, { key: null });
      if (early.status !== 200) assert.deepEqual([early.status, early.headers.get('retry-after')], [425, '2']);
    }
    await finished(id);
    const whole = await app.call(`GET ${url}`, { key: null });
    assert.equal(whole.status, 200);
    assert.equal(
      (await app.call(`GET ${url}`, { key: null, headers: { 'if-none-match': whole.headers.get('etag') ?? '' } }))
        .status,
      304,
    );
    for (const missing of [
      url.replace(/previews\/\w{4}/, 'previews/0000'),
      url.replace('gmail_chrome', 'ol2021'),
      url.replace('default.png', 'default.jpg'),
      url.replace('default.png', 'none.png'),
    ])
      assert.equal((await app.call(`GET ${missing}`, { key: null })).status, 404, missing);
  });
});

describe('DELETE /v2/preview/tests/{test_id}', () => {
  it('deletes rows, objects and pictures for good', async () => {
    const id = await create({ clients: ['gmail_chrome'] });
    await finished(id);
    const { body } = await app.call(`GET /v2/preview/tests/${id}/results/gmail_chrome`);
    // Small pictures are made when they are first asked for.
    for (const url of [body.gmail_chrome.thumbnail, body.gmail_chrome.full_thumbnail])
      assert.equal((await app.call(`GET ${url}`, { key: null })).status, 200);
    assert.ok((await app.galley.outside.blobs.count(`previews/${id}`)) >= 5);
    assert.deepEqual((await app.call(`DELETE /v2/preview/tests/${id}`)).body, { success: true });
    assert.equal((await app.call(`GET /v2/preview/tests/${id}`)).status, 404);
    assert.equal((await app.call(`GET ${body.gmail_chrome.screenshots.default}`, { key: null })).status, 404);
    assert.equal(await app.galley.outside.blobs.count(`previews/${id}`), 0);
  });
});

describe('the private-address guard', () => {
  const refused = [
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://172.16.0.1/',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://[::1]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[64:ff9b::a00:1]/',
    'http://[2002:a00:1::]/',
    'http://2886729729/',
    'http://0xa000001/',
    'http://224.0.0.1/',
    'http://240.0.0.1/',
  ];
  it('refuses a URL preview of every private address', async () => {
    for (const url of refused) {
      const { status, body } = await app.call('POST /v2/preview/tests', { body: { subject: 's', url } });
      assert.equal(status, 400, url);
      assert.ok(body.Reason.length > 0);
    }
  });
});
