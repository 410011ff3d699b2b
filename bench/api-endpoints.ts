// Every endpoint that takes a message, a picture or a list, with what `bench/api.ts` posts to it.
import { randomBytes } from 'node:crypto';

export const PREVIEWS = '/v2/preview/tests';
const LINKS = '/v1/inspect/links';
const IMAGES = '/v1/inspect/images';
const SPAM = '/v1/inspect/spam';
const PLACEMENTS = '/v4/inbox/results';

/** What the server's process has made ready. */
export interface Prepared {
  /** Before a size in bytes: the address of a page of that size, which the server may read. */
  pageUrl: string;
  /** Domain that placement tests may be sent from. */
  sandbox: string;
}

interface Galley extends Prepared {
  url: string;
  ask(method: string, url: string, body?: object): Promise<any>;
}

interface Request {
  path: string;
  /** A value is sent as JSON. */
  body: object | Buffer;
  contentType?: string;
}

export interface Endpoint {
  name: string;
  request(html: string, galley: Galley): Promise<Request>;
  /**
   * Where the state of what was started is read and deleted, and whether it has ended; left out: nothing is started.
   */
  state?(answer: any): string;
  hasEnded?(state: any): boolean;
  /** The answer says that it cannot be taken. */
  isRefused?: boolean;
  /** What is asked for once when it has ended. */
  read?(url: string): string;
}

/** An ordinary message of that size: rows of a table, a few links and pictures. */
export function message(sizeBytes: number): string {
  const rows: string[] = [];
  let length = 0;
  for (let n = 0; length < sizeBytes - 400; n += 1) {
    const shown = `<img src="https://shop.invalid/${n}.png" alt="Offer ${n}" width="80">`;
    const link = n < 40 ? `<a href="https://shop.invalid/offer/${n}">Offer ${n}</a>${shown}` : `Offer ${n}`;
    const style = `padding:${n % 40}px;color:#${(0x111111 + n * 977).toString(16).slice(0, 6)}`;
    const row = `<tr><td style="${style}"><p>${link}: flat in a <b>rigid</b> sleeve, sent within two days.</p></td></tr>\n`;
    rows.push(row);
    length += row.length;
  }
  const table = `<table role="presentation">${rows.join('')}</table>`;
  return `<!doctype html><html lang="en"><head><title>Offers</title></head><body>${table}</body></html>`;
}

const FIELDS = [
  'From: shop@shop.invalid',
  'To: reader@shop.invalid',
  'Subject: Offers',
  'MIME-Version: 1.0',
  'Content-Type: text/html; charset=utf-8',
];
const mimeOf = (html: string): string => `${FIELDS.join('\r\n')}\r\n\r\n${html.replaceAll('\n', '\r\n')}`;

const isInspected = (state: any): boolean => state.meta.status !== 'Processing';
export const isShown = (info: any): boolean => info.processing.length === 0;

function inspection(name: string, path: string, body: (html: string) => object = (html) => ({ html })): Endpoint {
  const base = path.replace('/html-validate', '');
  return {
    name,
    request: async (html) => ({ path, body: body(html) }),
    state: (answer) => `${base}/${answer.items.id}`,
    hasEnded: isInspected,
    read: (url) => url.replace(/\/v1\/inspect\/.*\//, '/v1/inspections/').concat('/report?format=sarif'),
  };
}

const CHECKS = { link_validation: true, image_validation: true, accessibility: true, code_analysis: true };

function preview(name: string, body: (html: string, galley: Galley) => object): Endpoint {
  return {
    name,
    request: async (html, galley) => ({ path: PREVIEWS, body: { subject: 'Offers', ...body(html, galley) } }),
    state: (answer) => `${PREVIEWS}/${answer.id}`,
    hasEnded: isShown,
  };
}

function spamTest(name: string, body: (html: string) => object): Endpoint {
  const hasEnded = (answer: any): boolean => answer.item.status !== 'processing';
  return {
    name,
    request: async (html) => ({ path: SPAM, body: body(html) }),
    state: (answer) => `${SPAM}/${answer.item.id}`,
    hasEnded,
  };
}

function placement(name: string, body: (html: string) => object): Endpoint {
  return {
    name,
    request: async (html, { sandbox }) => ({
      path: '/v4/inbox/tests',
      body: { from: `bench@${sandbox}`, subject: 'Offers', seeds_per_provider: 1, ...body(html) },
    }),
    state: (answer) => `${PLACEMENTS}/${answer.result_id}`,
    hasEnded: ({ result }) => result.status === 'complete',
  };
}

/** A list of addresses, as long as the message or as a body without a message may be. */
function addresses(html: string): string[] {
  return Array.from({ length: Math.floor(Math.min(html.length, 900_000) / 36) }, (_, n) => `https://shop.invalid/${n}`);
}

/** Rows of expected links, as long as the message, as many as a sheet may have. */
function sheetOf(html: string): string {
  const count = Math.min(45_000, Math.floor(html.length / 60));
  const filling = 'x'.repeat(Math.max(1, Math.floor(html.length / count) - 50));
  const rows = Array.from({ length: count }, (_, n) => `https://shop.invalid/offer/${n},Offer ${n} ${filling},200,`);
  return `URL,Link text,Status,Final URL\n${rows.join('\n')}\n`;
}

function formOf(
  field: string,
  { name, type, body }: { name: string; type: string; body: Buffer },
): { body: Buffer; contentType: string } {
  const boundary = 'galley-benchmark-boundary';
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n` +
    `Content-Type: ${type}\r\n\r\n`;
  return {
    body: Buffer.concat([Buffer.from(head), body, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

/** A picture of that size whose pixels are noise: a bitmap, so that the bytes need no encoder. */
function pictureOf(sizeBytes: number): Buffer {
  const side = Math.floor(Math.sqrt(sizeBytes / 4));
  const head = Buffer.alloc(54);
  head.write('BM', 0, 'latin1');
  head.writeUInt32LE(54 + side * side * 4, 2);
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(side, 18);
  head.writeInt32LE(side, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(32, 28);
  return Buffer.concat([head, randomBytes(side * side * 4)]);
}

/** A link test that is complete, to compare sheets with. */
async function testedLinks({ url, ask }: Galley): Promise<string> {
  const links = Array.from({ length: 20 }, (_, n) => `https://shop.invalid/offer/${n}`);
  const { items } = await ask('POST', `${url}${LINKS}`, { links });
  while (!isInspected(await ask('GET', `${url}${LINKS}/${items.id}`)))
    await new Promise((resolve) => setTimeout(resolve, 250));
  return items.id;
}

/** Merge tags throughout, and blocks as far as a template may be long. */
const withTags = (html: string): string => html.replaceAll('Offer ', '{{name}} ').slice(0, 5_000_000);
const DATA = { name: 'Ada', products: [{ title: 'Rose' }, { title: 'Tomato' }] };

export const ENDPOINTS: readonly Endpoint[] = [
  inspection('accessibility', '/v1/inspect/accessibility'),
  inspection('links of a message', `${LINKS}/html-validate`),
  inspection('list of links, at most 1 MB', LINKS, (html) => ({ links: addresses(html) })),
  inspection('images of a message', `${IMAGES}/html-validate`),
  inspection('list of images, at most 1 MB', IMAGES, (html) => ({ links: addresses(html) })),
  inspection('code analysis', '/v1/inspect/analyze'),
  inspection('code analysis of a whole message', '/v1/inspect/analyze', (html) => ({ mime: mimeOf(html) })),
  inspection('gate', '/v1/inspect/gate'),
  inspection('gate with data', '/v1/inspect/gate', (html) => ({ html: withTags(html), data: DATA })),
  preview('preview with checks, default clients', (html) => ({ html, content_checking: CHECKS })),
  preview('preview of a message, checks, one client', (html) => ({
    mime: mimeOf(html),
    clients: ['gmail_chrome'],
    content_checking: CHECKS,
  })),
  preview('preview of a page, checks, one client', (html, { pageUrl }) => ({
    url: `${pageUrl}/${html.length}`,
    clients: ['gmail_chrome'],
    content_checking: CHECKS,
  })),
  preview('preview with data, one client', (html) => ({ html: withTags(html), data: DATA, clients: ['gmail_chrome'] })),
  spamTest('spam test of a message', (html) => ({ mime: mimeOf(html) })),
  spamTest('spam test of HTML', (html) => ({ subject: 'Offers', html })),
  spamTest('spam test of HTML with data', (html) => ({ subject: 'Offers', html: withTags(html), data: DATA })),
  placement('placement test', (html) => ({ html })),
  placement('placement test with variables, at most 1 MB', (html) => ({
    html: html.slice(0, 1_000_000),
    variables: DATA,
  })),
  {
    name: 'merge data that is too long',
    isRefused: true,
    request: async (html) => ({
      path: PREVIEWS,
      body: { subject: 'x', html: 'x', data: { rows: Array.from({ length: html.length / 10 }, (_, n) => ({ a: n })) } },
    }),
  },
  {
    name: 'field of the wrong type',
    isRefused: true,
    request: async (html) => ({
      path: PREVIEWS,
      body: { subject: 'x', html: Array.from({ length: html.length / 2 }, () => 1) },
    }),
  },
  {
    name: 'upload of an image',
    request: async (html) => ({
      path: `${IMAGES}/upload`,
      ...formOf('image', { name: 'noise.bmp', type: 'image/bmp', body: pictureOf(html.length) }),
    }),
    state: (answer) => `${IMAGES}/${answer.items.id}`,
    hasEnded: isInspected,
  },
  {
    name: 'comparison with a sheet',
    request: async (html, galley) => ({
      path: `${LINKS}/${await testedLinks(galley)}/csv`,
      ...formOf('csv', { name: 'links.csv', type: 'text/csv', body: Buffer.from(sheetOf(html)) }),
    }),
  },
];
