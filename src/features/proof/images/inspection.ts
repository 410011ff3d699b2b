// Image tests: every image of a message, of a list of addresses, or one that was uploaded.
import { createHash } from 'node:crypto';
import type { Finding } from '../../../engines/findings/index.ts';
import { nameOfEmail } from '../../../engines/html/index.ts';
import type { ImageSubject } from '../../../engines/images/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { nameOfAddresses, nameOfSource } from '../_message/index.ts';
import { defineInspection, knownOnly, pictured, toldBeside, type ImageFile } from '../_inspections/index.ts';
import { allFindings, checkImages, type CheckedImages, type ImageInput, type LookedAt } from './check-images.ts';
import { PATH, TAG } from './contract.ts';
import { keepFile, newFolder, type Folder } from './objects.ts';
import type { CheckedImage, ImageTestResult, ImageVerdict } from './result.ts';
import { summaryOf } from './summary.ts';

const TIMEOUT_MS = 180_000;
const URL_SHOWN_MAX = 2_000;
const DATA_URL_SHOWN_MAX = 60;

type Kept = Pick<CheckedImage, 'file' | 'firstFrame'>;

const NOT_KEPT: Kept = { file: null, firstFrame: null };

function nameOfInput(input: ImageInput): string {
  if (input.kind === 'links') return nameOfAddresses(input.links);
  return input.kind === 'upload' ? nameOfEmail({ fileName: input.name }) : nameOfSource(input);
}

/** Judges every image of the input, and keeps the files where optimizing and readers find them. */
export const imageTests = defineInspection<ImageInput, ImageTestResult, 'fetch' | 'compute' | 'blobs'>({
  kind: 'images',
  noun: 'image test',
  lane: 'net',
  timeoutMs: TIMEOUT_MS,
  listing: {
    path: PATH,
    label: 'Images',
    about: 'Checks the size, format, alternative text and dark mode of every image.',
    tag: { name: TAG, about: 'Checks and optimizes the images of an email.' },
    page: 'images',
    contentChecking: { field: 'image_validation', order: 20 },
    gate: {
      check: 'images',
      order: 30,
      groups: { images: 'Images' },
      limits: [
        {
          name: 'image_bytes_max',
          order: 30,
          about: 'Bytes of all images together.',
          of: { measure: 'imageBytes' },
          label: 'Max image size (KB)',
        },
      ],
      async run(outside, email, { signal, keepImages }) {
        const checked = await checkImages(outside, pictured(email), { signal });
        await keepImages?.(imageFiles(checked));
        return {
          findings: toldBeside(await knownOnly(outside, allFindings(checked), false), email),
          measures: { imageBytes: checked.totalBytes },
        };
      },
    },
  },
  nameOf: nameOfInput,
  async inspect(outside, input, { id, signal }) {
    const folder = newFolder(id);
    const files = new Map<Buffer, Kept>();
    const {
      subjects,
      bytes,
      findings: own,
      together,
      totalBytes,
      totalLoadTimeMs,
    } = await checkImages(outside, input, {
      signal,
      onFile: async (body, looked) => void files.set(body, await keep(outside, folder, { ...looked, body })),
    });
    const idOf = idsWithin(id);
    const images = subjects.map((subject, index): CheckedImage => {
      const kept = bytes[index] && files.get(bytes[index]);
      return { id: idOf(subject.url), ...imageOf(subject, own[index]!), ...(kept ?? NOT_KEPT) };
    });
    const findings = [...own.flat(), ...together];
    const result: ImageTestResult = { folder: folder.name, images, totalBytes, totalLoadTimeMs };
    return { result, findings, summary: summaryOf(result, findings) };
  },
});

/** What is an image by its bytes, by its address as written; one that is written into the message is there already. */
function imageFiles({ subjects, bytes }: CheckedImages): ImageFile[] {
  return subjects.flatMap(({ url, facts }, index) => {
    const body = bytes[index];
    return body && facts?.format && !/^data:/i.test(url) ? [{ url, body, format: facts.format }] : [];
  });
}

/** Only what is an image by its bytes is kept: nothing else can become a file that is served from here. */
async function keep(
  outside: Pick<Outside, 'blobs'>,
  folder: Folder,
  { facts, pixels, body }: LookedAt & { body: Buffer },
): Promise<Kept> {
  if (!facts?.format) return NOT_KEPT;
  const file = await keepFile(outside, folder, { body, format: facts.format });
  const { firstFrame } = pixels ?? {};
  return {
    file,
    firstFrame: firstFrame ? await keepFile(outside, folder, { body: Buffer.from(firstFrame), format: 'png' }) : null,
  };
}

/** Ids by address, and by how often the address stood before. */
function idsWithin(testId: string): (url: string) => string {
  const seen = new Map<string, number>();
  return (url) => {
    const count = seen.get(url) ?? 0;
    seen.set(url, count + 1);
    return createHash('sha256')
      .update(JSON.stringify([testId, url, count]))
      .digest('hex')
      .slice(0, 24);
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

function imageOf(
  subject: ImageSubject,
  findings: readonly Finding[],
): Omit<CheckedImage, 'id' | 'file' | 'firstFrame'> {
  const { url, found, load: answer, facts, pixels } = subject;
  return {
    url: shownUrl(url),
    status: verdictOf(subject, findings),
    place: found
      ? { line: found.line, column: found.column, offset: found.offset, selector: found.selector, where: found.where }
      : null,
    alt: found?.alt && found.alt.state !== 'missing' ? found.alt.text : null,
    display: found ? { width: found.size.width ?? null, height: found.size.height ?? null } : null,
    facts: facts?.format ? facts : null,
    hasTransparency: facts?.hasAlpha === true && pixels?.isOpaque !== true,
    loadTimeMs: answer?.loadTimeMs ?? null,
    finalUrl: answer?.finalUrl ?? null,
    findingCount: findings.length,
  };
}
