// Smaller files for the images of a test: made by a job for each stored file, shown in the test from then on.
import { Type } from 'typebox';
import { AppError, notFound } from '../../../platform/errors/index.ts';
import { defineJob, type Context, type Outside } from '../../../platform/feature/index.ts';
import { optimize, type Optimization as Encoding, type OptimizedImage } from '../../../platform/images/index.ts';
import { readImageFile } from './read-file.ts';
import { imageTests } from './inspection.ts';
import { fileKey, folderKey, keepFile, type Folder } from './objects.ts';
import type { CheckedImage, ImageTestResult } from './result.ts';
import {
  beginOptimizations,
  endOptimization,
  listOptimizations,
  type Optimization,
  type OptimizationOutcome,
  type OptimizedFile,
  type TestVersion,
} from './store.ts';

const ATTEMPTS = 2;
const TIMEOUT_MS = 90_000;
const ENCODE_TIMEOUT_MS = 30_000;
const RESIZE_TIMEOUT_MS = 15_000;
/** AVIF takes five times as long as the rest together. */
const AVIF_PIXELS_MAX = 1_500_000;
/** Dense screens show two pixels for each CSS pixel; an image that has a tenth more is worth scaling. */
const PIXELS_PER_CSS_PIXEL = 2;
const SURPLUS = 1.1;
/** How long a request waits for the job before it is answered that the work goes on. */
const WAIT_MS = 8_000;
const POLL_MS = 60;

const PROBLEMS = {
  unsupported: 'Nothing here re-encodes this kind of image.',
  unreadable: 'The image is damaged and cannot be decoded.',
  damaged: 'The image is damaged: it ends before its picture does, or breaks the rules of its format.',
  too_large: 'The image unfolds to more pixels than can be held in memory.',
  timeout: 'Encoding the image takes too long.',
} as const;

/** Makes every smaller file of one original. */
export const optimizeJob = defineJob({
  name: 'images.optimize',
  payload: Type.Object({
    id: Type.String(),
    version: Type.Integer(),
    folder: Type.String(),
    file: Type.String(),
    widthMax: Type.Union([Type.Integer(), Type.Null()]),
  }),
  lane: 'render',
  partOf: ({ id }) => id,
  attempts: ATTEMPTS,
  timeoutMs: TIMEOUT_MS,
  async run(outside, { id, version, folder: name, file, widthMax }) {
    const folder = { id, name };
    const outcome = await optimizeFile(outside, { folder, file, widthMax });
    const test: TestVersion = { id, version };
    if (
      await endOptimization(outside.db, test, {
        file,
        status: 'Complete',
        outcome,
        error: null,
        at: outside.clock.now(),
      })
    )
      return;
    // The test was deleted or ran again, so the file that was just written has no owner.
    await outside.blobs.deleteAll(folderKey(folder));
  },
  async gaveUp({ db, clock }, { id, version, file }, { reason }) {
    await endOptimization(
      db,
      { id, version },
      { file, status: 'Failed', outcome: null, error: reason, at: clock.now() },
    );
  },
});

interface Wanted {
  folder: Folder;
  file: string;
  widthMax: number | null;
}

async function optimizeFile(
  outside: Pick<Outside, 'blobs' | 'compute'>,
  { folder, file, widthMax }: Wanted,
): Promise<OptimizationOutcome> {
  const bytes = await outside.blobs.get(fileKey(folder, file));
  if (!bytes) throw new Error(`The file ${file} of image test ${folder.id} is missing.`);
  const facts = await readImageFile(outside.compute, bytes);
  const isAvifWorthwhile = facts.width * facts.height <= AVIF_PIXELS_MAX;
  const full = await optimize(bytes, facts, {
    alternatives: ['jpeg', 'png', 'webp', ...(isAvifWorthwhile ? (['avif'] as const) : [])],
    timeoutMs: ENCODE_TIMEOUT_MS,
  });
  const scaled =
    widthMax === null
      ? undefined
      : await optimize(bytes, facts, { alternatives: [], maxWidth: widthMax, timeoutMs: RESIZE_TIMEOUT_MS });
  const made: [OptimizedFile['kind'], OptimizedImage][] = [
    ...(full.sameFormat ? [['same_format', full.sameFormat] as [OptimizedFile['kind'], OptimizedImage]] : []),
    ...(scaled?.sameFormat && scaled.sameFormat.bytes < (full.sameFormat?.bytes ?? bytes.length)
      ? [['resized', scaled.sameFormat] as [OptimizedFile['kind'], OptimizedImage]]
      : []),
    ...full.alternatives.map((one): [OptimizedFile['kind'], OptimizedImage] => ['alternative', one]),
  ];
  const files: OptimizedFile[] = [];
  for (const [kind, { body, ...one }] of made)
    files.push({ kind, ...one, file: await keepFile(outside, folder, { body, format: one.format }) });
  return { files, problem: problemOf(full) };
}

/** A problem counts only when nothing came of it: a missing alternative is no fault of the image. */
function problemOf({ problem, sameFormat, alternatives }: Encoding): string | null {
  return problem && !sameFormat && alternatives.length === 0 ? PROBLEMS[problem] : null;
}

/** A complete test, with the files that optimizing has made so far. */
interface OptimizedTest {
  id: string;
  version: number;
  result: ImageTestResult;
  optimizations: Map<string, Optimization>;
}

/** Optimizes the images of a test, or one of them: what is done is not done again. Waits a few seconds for the end. */
export async function optimizeImages(
  ctx: Pick<Context, 'db' | 'jobs' | 'clock' | 'principal'>,
  testId: string,
  imageId?: string,
): Promise<OptimizedTest & { images: CheckedImage[] }> {
  const { id, version, status, result } = await imageTests.get(ctx, testId);
  if (status === 'Processing')
    throw new AppError(
      'conflict',
      'The image test is still processing; its images can be optimized when it is complete.',
      { headers: { 'retry-after': '1' } },
    );
  if (!result)
    throw new AppError('conflict', 'The image test failed, so that there is nothing to optimize; run it again.');
  const images = imageId === undefined ? result.images : result.images.filter((image) => image.id === imageId);
  if (imageId !== undefined && images.length === 0) throw notFound('image in this test', imageId);
  const files = [...new Set(images.flatMap(({ file }) => file ?? []))];
  await queue(ctx, { id, version, result }, files);
  const optimizations = await waitFor(ctx, { id, version }, files);
  return { id, version, result, images, optimizations };
}

async function queue(
  ctx: Pick<Context, 'db' | 'jobs' | 'clock' | 'principal'>,
  { id, version, result }: TestVersion & { result: ImageTestResult },
  files: readonly string[],
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const begun = await beginOptimizations(tx, { id, version }, { files, at: ctx.clock.now() });
    const payloads = begun.map((file) => ({
      id,
      version,
      folder: result.folder,
      file,
      widthMax: widthMaxOf(result.images.filter((image) => image.file === file)),
    }));
    await ctx.jobs.enqueue(tx, optimizeJob, { payloads, account: ctx.principal.accountId });
  });
  ctx.jobs.wake();
}

/**
 * Twice the largest width that the message shows a file at; null when that is not known everywhere, or not much less
 * than it has.
 */
function widthMaxOf(images: readonly CheckedImage[]): number | null {
  const facts = images[0]?.facts;
  const widths = images.map(({ display }) => display?.width ?? 0);
  if (!facts || facts.format === 'svg' || widths.some((width) => width < 2)) return null;
  const wanted = Math.ceil(Math.max(...widths) * PIXELS_PER_CSS_PIXEL);
  return facts.width > wanted * SURPLUS ? wanted : null;
}

async function waitFor(
  { db }: Pick<Outside, 'db'>,
  test: TestVersion,
  files: readonly string[],
): Promise<Map<string, Optimization>> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const found = await listOptimizations(db, test, files);
    const isDone = found.every(({ status }) => status !== 'Processing');
    if (isDone || performance.now() > deadline) return new Map(found.map((one) => [one.file, one]));
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** What optimizing the images of a test came to so far, by file. */
export async function optimizationsOf(
  { db }: Pick<Outside, 'db'>,
  test: TestVersion & { result: ImageTestResult | null },
): Promise<Map<string, Optimization>> {
  const files = [...new Set(test.result?.images.flatMap(({ file }) => file ?? []) ?? [])];
  if (files.length === 0) return new Map();
  return new Map((await listOptimizations(db, test, files)).map((one) => [one.file, one]));
}
