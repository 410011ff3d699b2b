// How like the real Thunderbird its stand-in draws: a table of messages, light and dark. `GALLEY_TEST_MAILS` adds files
// (HTML or MJML, commas between); `GALLEY_BENCH_PICTURES` names a folder that gets both pictures of each.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import replies from '../test/fixtures/replies/pages.json' with { type: 'json' };
import { CLAIMS } from '../test/claims/rows/index.ts';
import { compareStandIn, type Message } from '../test/claims/stand-in.ts';
import { compileMjml } from '../src/engines/mjml/index.ts';
import { HTML as NEWSLETTER } from '../src/engines/spam-rules/newsletter.fixture.ts';
import { openBrowser } from '../src/platform/browser/index.ts';
import { marketingEmail } from './marketing-email.ts';

const root = join(import.meta.dirname, '..');
const IMAGES = 'https://images.example';
const ALIKE_MIN = 0.98;
const HEIGHT_TOLERANCE = 0.01;

async function readMail(path: string): Promise<Message> {
  const text = readFileSync(path, 'utf8');
  const name = basename(path) === 'index.html' ? basename(dirname(path)) : basename(path);
  const html = path.endsWith('.mjml') ? ((await compileMjml(text)) as { html: string }).html : text;
  return { name, html, folder: dirname(path) };
}

async function messages(): Promise<Message[]> {
  const files = process.env['GALLEY_TEST_MAILS']?.split(',').filter(Boolean) ?? [];
  const own = ['docs/example/mail.html', 'test/fixtures/letter.mjml'].map((file) => join(root, file));
  return [
    ...(await Promise.all([...files, ...own].map(readMail))),
    { name: 'marketing', html: marketingEmail(IMAGES, { products: 4, questions: 4 }) },
    { name: 'marketing, long', html: marketingEmail(IMAGES) },
    { name: 'newsletter', html: NEWSLETTER },
    ...replies.map(({ name, given }) => ({ name, html: given })).filter(({ html }) => html.length > 400),
    ...CLAIMS.filter(({ clients }) => clients.some((client) => client.startsWith('thunderbird'))).map(
      ({ id, head = '', body = '', html }) => ({
        name: id,
        html: `<!DOCTYPE html><html><head><title>Claim</title>${head}</head><body ${body}>${html}</body></html>`,
      }),
    ),
  ];
}

/** Prints both figures of every message. */
export async function run(): Promise<void> {
  const folder = process.env['GALLEY_BENCH_PICTURES'];
  if (folder) mkdirSync(folder, { recursive: true });
  const browser = await openBrowser({ log: { info() {}, warn: console.warn }, size: 1 });
  let [rows, short] = [0, 0];
  try {
    for (const message of await messages())
      for (const scheme of ['light', 'dark'] as const) {
        const likeness = await compareStandIn(browser, message, scheme).catch((error: unknown) => String(error));
        if (typeof likeness === 'string') {
          console.log(`${message.name.slice(0, 40).padEnd(40)} ${scheme.padEnd(5)} ${likeness}`);
          continue;
        }
        const { alike, height, pictures } = likeness;
        const isShort = alike < ALIKE_MIN || Math.abs(height - 1) > HEIGHT_TOLERANCE;
        rows += 1;
        if (isShort) short += 1;
        const figures = `${(alike * 100).toFixed(2)} %  ${((height - 1) * 100).toFixed(2).padStart(6)} %`;
        console.log(
          `${message.name.slice(0, 40).padEnd(40)} ${scheme.padEnd(5)} ${figures}${isShort ? '  short' : ''}`,
        );
        if (folder)
          for (const [which, png] of Object.entries(pictures))
            writeFileSync(join(folder, `${message.name}-${scheme}-${which}.png`.replaceAll(/[^\w.-]+/g, '-')), png);
      }
    console.log(
      `${rows - short} of ${rows} pictures: 98 % of the pixels within 32 levels, and the height within 1 %. ` +
        'Columns: pixels alike, height of the stand-in against Thunderbird.',
    );
  } finally {
    await browser.close();
  }
}
