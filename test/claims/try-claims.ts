// Tries every claim on the product's own pipeline: the message emulated for a client, drawn by Chromium, measured.
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { emulate, findClient, parseMessage, type ClientProfile } from '../../src/engines/client-emulation/index.ts';
import { openBrowser, type Asset, type Browser, type RenderRequest } from '../../src/platform/browser/index.ts';
import { familyOfClient, type ClaimFamily } from './families.ts';
import { missOf, pixelsOf, type Pixels } from './measure.ts';
import type { Claim } from './types.ts';

/** A claim in one family of clients. */
export interface Outcome {
  claim: string;
  family: ClaimFamily;
  hit: boolean;
  /** Per client what its picture shows instead. */
  misses: Record<string, string>;
}

const HEIGHT_MAX = 12_000;
const NEVER = new AbortController().signal;
const SILENT = { info() {}, warn() {} };
/** Pictures that the claims show: their color and size stand in the address. */
const PICTURE = /^https:\/\/pictures\.example\/([0-9a-f]{6})-(\d+)x(\d+)\.(png|svg)$/;

async function picture(url: string): Promise<Asset | undefined> {
  const [, color, width, height, kind] = PICTURE.exec(url) ?? [];
  if (!color) return undefined;
  const size = { width: Number(width), height: Number(height) };
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<rect width="100%" height="100%" fill="#${color}"/></svg>`;
  const body =
    kind === 'svg'
      ? Buffer.from(svg)
      : await sharp({ create: { ...size, channels: 3, background: `#${color}` } })
          .png()
          .toBuffer();
  return { status: 200, contentType: kind === 'svg' ? 'image/svg+xml' : 'image/png', body };
}

/** The message of a claim. */
function messageOf({ html, head = '', body = '', doctype }: Claim): string {
  const start = doctype === false ? '' : '<!DOCTYPE html>\n';
  return `${start}<html><head><title>Claim</title>${head}</head><body${body && ` ${body}`}>${html}</body></html>`;
}

function requestOf(claim: Claim, client: ClientProfile): RenderRequest {
  const images = claim.images ?? true;
  const { html, forceDark } = emulate(parseMessage(messageOf(claim)), client, { images });
  return {
    html,
    scope: 'claims',
    ...client.viewport,
    colorScheme: client.colorScheme,
    forceDark,
    heightMax: HEIGHT_MAX,
    fitWidth: client.category === 'Mobile',
    assets: (url) => (images ? picture(url) : Promise.resolve(undefined)),
  };
}

/** Two clients that show a message alike need one picture. */
function createPainter(browser: Browser): (request: RenderRequest) => Promise<Pixels> {
  const painted = new Map<string, Promise<Pixels>>();
  const renderer = browser.pick('chromium', 'light');
  return (request) => {
    const key = createHash('sha256').update(JSON.stringify(request)).digest('hex');
    let pixels = painted.get(key);
    if (!pixels) {
      pixels = renderer.render(request, NEVER).then(({ png }) => pixelsOf(png));
      painted.set(key, pixels);
    }
    return pixels;
  };
}

async function tryClaim(claim: Claim, paint: (request: RenderRequest) => Promise<Pixels>): Promise<Outcome[]> {
  const outcomes = new Map<ClaimFamily, Outcome>();
  for (const id of claim.clients) {
    const client = findClient(id);
    if (!client) throw new RangeError(`${claim.id} names ${id}, which is no client.`);
    const family = familyOfClient(client);
    const outcome = outcomes.get(family) ?? { claim: claim.id, family, hit: true, misses: {} };
    outcomes.set(family, outcome);
    const pixels = await paint(requestOf(claim, client));
    const misses = claim.expect.map((expectation) => missOf(pixels, expectation)).filter((miss) => miss !== undefined);
    if (misses.length === 0) continue;
    outcome.hit = false;
    outcome.misses[id] = misses.join('; ');
  }
  return [...outcomes.values()];
}

/**
 * Tries claims, two at a time. All are drawn by Chromium, also for clients whose own engine this machine has: the
 * outcome is to be the same everywhere.
 */
export async function tryClaims(claims: readonly Claim[]): Promise<Outcome[]> {
  const browser = await openBrowser({ log: SILENT, size: 2, optionalEngines: false });
  try {
    const paint = createPainter(browser);
    const found = new Map<string, Outcome[]>();
    const waiting = claims.values();
    const work = async () => {
      for (const claim of waiting) found.set(claim.id, await tryClaim(claim, paint));
    };
    await Promise.all([work(), work()]);
    return claims.flatMap(({ id }) => found.get(id)!);
  } finally {
    await browser.close();
  }
}
