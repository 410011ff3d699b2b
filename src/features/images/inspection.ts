// Image tests: every image of a message, of a list of addresses, or one that was uploaded.
import { createHash } from 'node:crypto';
import type { Finding } from '../../engines/findings/index.ts';
import { findImages, judgeImage, judgeImages, readImage, type ImageSubject } from '../../engines/images/index.ts';
import type { Outside } from '../../platform/feature/index.ts';
import { pixelFacts } from '../../platform/images/index.ts';
import { readMessage, type StoredSource } from '../email-sources/index.ts';
import { defineInspection } from '../inspections/index.ts';
import { loadImages, type LoadedImage } from './load-images.ts';
import { keepFile, newFolder, type Folder } from './objects.ts';
import type { CheckedImage, ImageTestResult, ImageVerdict } from './result.ts';
import { summaryOf } from './summary.ts';

/** Addresses, or the bytes of one image in base64. */
export type ImageList = { kind: 'links'; links: string[] } | { kind: 'upload'; name: string; body: string };
export type ImageInput = StoredSource | ImageList;

const TIMEOUT_MS = 180_000;
/** What is left of the time is for storing what was found. */
const PIXELS_TIMEOUT_MS = 60_000;
const FILES_AT_ONCE = 2;
const URL_SHOWN_MAX = 2_000;
const DATA_URL_SHOWN_MAX = 60;

/** An image with what loading it came to. */
interface Loaded extends LoadedImage {
  subject: ImageSubject;
}

/** Reads every file of the input, looks at its pixels, judges it, and keeps it where optimising and readers find it. */
export const imageTests = defineInspection<ImageInput, ImageTestResult>({
  kind: 'images',
  noun: 'image test',
  lane: 'net',
  timeoutMs: TIMEOUT_MS,
  async inspect(outside, input, { id, signal }) {
    const loaded = await load(outside, input, signal);
    const folder = newFolder(id);
    const files = await lookAtAll(loaded, { outside, folder, signal });
    const looked = loaded.map(({ bytes }) => bytes && files.get(bytes));
    const subjects = loaded.map(({ subject }, index): ImageSubject => ({ ...subject, ...looked[index]?.known }));
    const judged = subjects.map((subject) => judgeImage(subject));
    const idOf = idsWithin(id);
    const images = subjects.map((subject, index): CheckedImage => ({ id: idOf(subject.url), ...imageOf(subject, judged[index]!), ...(looked[index]?.kept ?? NOT_KEPT) }));
    const findings = [...judged.flat(), ...judgeImages(subjects)];
    const result: ImageTestResult = { folder: folder.name, images, ...totals(subjects) };
    return { result, findings, summary: summaryOf(result, findings) };
  },
});

async function load({ fetch }: Outside, input: ImageInput, signal: AbortSignal): Promise<Loaded[]> {
  if (input.kind === 'upload') {
    const bytes = Buffer.from(input.body, 'base64');
    return [{ subject: { url: input.name }, bytes }];
  }
  if (input.kind === 'links') {
    const wanted = input.links.map((url) => ({ url, resolvedUrl: url }));
    const loaded = await loadImages(wanted, { fetch, signal });
    return loaded.map((one, index) => ({ ...one, subject: { url: input.links[index]!, ...said(one) } }));
  }
  const message = await readMessage(input);
  const found = findImages(message.html, message.baseUrl);
  const loaded = await loadImages(found, { fetch, message, signal });
  return loaded.map((one, index) => ({ ...one, subject: { url: found[index]!.url, found: found[index]!, ...said(one) } }));
}

function said({ load: answer, skipped }: LoadedImage): Pick<ImageSubject, 'load' | 'skipped'> {
  return { ...(answer && { load: answer }), ...(skipped && { skipped }) };
}

type Kept = Pick<CheckedImage, 'file' | 'firstFrame'>;

interface LookedAt {
  known: Pick<ImageSubject, 'facts' | 'pixels' | 'isUndecodable'>;
  kept: Kept;
}

const NOT_KEPT: Kept = { file: null, firstFrame: null };

interface LookOptions {
  outside: Outside;
  folder: Folder;
  signal: AbortSignal;
}

/** Header and pixels of every distinct file; an image that stands in the message ten times is decoded and kept once. */
async function lookAtAll(loaded: readonly Loaded[], { outside, folder, signal }: LookOptions): Promise<Map<Buffer, LookedAt>> {
  const distinct = new Set(loaded.flatMap(({ bytes }) => (bytes ? [bytes] : [])));
  const looked = new Map<Buffer, LookedAt>();
  const waiting = distinct.values();
  const deadline = performance.now() + PIXELS_TIMEOUT_MS;
  const work = async (): Promise<void> => {
    for (const bytes of waiting) {
      signal.throwIfAborted();
      const known = await lookAt(bytes, deadline);
      looked.set(bytes, { known, kept: await keep(outside, folder, { ...known, bytes }) });
    }
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, work));
  return looked;
}

async function lookAt(bytes: Buffer, deadline: number): Promise<LookedAt['known']> {
  const facts = readImage(bytes);
  // The header says enough of a bomb; nothing here decodes it.
  if (facts.format === null || facts.isOverLimit || performance.now() > deadline) return { facts };
  const outcome = await pixelFacts(bytes, facts);
  if (outcome.ok) return { facts, pixels: outcome.pixels };
  return { facts, ...(outcome.problem === 'unreadable' && { isUndecodable: true }) };
}

/** Only what is an image by its bytes is kept: nothing else can become a file that is served from here. */
async function keep(outside: Outside, folder: Folder, { facts, pixels, bytes }: LookedAt['known'] & { bytes: Buffer }): Promise<Kept> {
  if (!facts?.format) return NOT_KEPT;
  const file = await keepFile(outside, folder, { body: bytes, format: facts.format });
  const { firstFrame } = pixels ?? {};
  return { file, firstFrame: firstFrame ? await keepFile(outside, folder, { body: Buffer.from(firstFrame), format: 'png' }) : null };
}

/** Ids by address, and by how often the address stood before. */
function idsWithin(testId: string): (url: string) => string {
  const seen = new Map<string, number>();
  return (url) => {
    const count = seen.get(url) ?? 0;
    seen.set(url, count + 1);
    return createHash('sha256').update(JSON.stringify([testId, url, count])).digest('hex').slice(0, 24);
  };
}

function shownUrl(url: string): string {
  const max = /^data:/i.test(url) ? DATA_URL_SHOWN_MAX : URL_SHOWN_MAX;
  return url.length > max ? `${url.slice(0, max)}…` : url;
}

/** The image is what is judged here: without an alternative text it is as good a picture as before. */
function verdictOf({ skipped }: ImageSubject, findings: readonly Finding[]): ImageVerdict {
  if (findings.some(({ severity, rule }) => severity === 'error' && !rule.startsWith('images/alt'))) return 'Invalid';
  return skipped ? 'Skipped' : 'Valid';
}

function imageOf(subject: ImageSubject, findings: readonly Finding[]): Omit<CheckedImage, 'id' | 'file' | 'firstFrame'> {
  const { url, found, load: answer, facts, pixels } = subject;
  return {
    url: shownUrl(url),
    status: verdictOf(subject, findings),
    place: found ? { line: found.line, column: found.column, offset: found.offset, selector: found.selector, where: found.where } : null,
    alt: found?.alt && found.alt.state !== 'missing' ? found.alt.text : null,
    display: found ? { width: found.size.width ?? null, height: found.size.height ?? null } : null,
    facts: facts?.format ? facts : null,
    hasTransparency: facts?.hasAlpha === true && pixels?.isOpaque !== true,
    loadTimeMs: answer?.loadTimeMs ?? null,
    finalUrl: answer?.finalUrl ?? null,
    findingCount: findings.length,
  };
}

function totals(subjects: readonly ImageSubject[]): Pick<ImageTestResult, 'totalBytes' | 'totalLoadTimeMs'> {
  const files = new Map(subjects.filter(({ facts }) => facts).map((subject) => [subject.found?.resolvedUrl ?? subject.url, subject]));
  const times = [...files.values()].flatMap(({ load: answer }) => answer?.loadTimeMs ?? []);
  return {
    totalBytes: [...files.values()].reduce((sum, { facts }) => sum + facts!.bytes, 0),
    totalLoadTimeMs: times.length > 0 ? times.reduce((sum, time) => sum + time, 0) : null,
  };
}
