// Loads and checks the images of a message, of a list of addresses, or of an upload. It stores nothing.
import type { Finding } from '../../../engines/findings/index.ts';
import {
  judgeCompleteness,
  judgeImage,
  judgeImages,
  type ImageFacts,
  type ImageSubject,
} from '../../../engines/images/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { pixelFacts } from '../../../platform/images/index.ts';
import { bufferOf, type StoredBytes, type StoredSource } from '../_message/index.ts';
import { findMessageImages } from './computations.ts';
import { loadImages, type LoadedImage } from './load-images.ts';
import { readImageFile } from './read-file.ts';

/** Addresses, or the bytes of one image. */
type ImageList = { kind: 'links'; links: string[] } | { kind: 'upload'; name: string; body: StoredBytes };
export type ImageInput = StoredSource | ImageList;

/** What is left of a run's time is for storing what was found. */
const PIXELS_TIMEOUT_MS = 60_000;
const FILES_AT_ONCE = 2;

/** What the bytes of an image say. */
export type LookedAt = Pick<ImageSubject, 'facts' | 'pixels' | 'isUndecodable'>;

type ImageDoors = Pick<Outside, 'fetch' | 'compute'>;

interface CheckOptions {
  signal: AbortSignal;
  /** Called once for each distinct file. */
  onFile?: (bytes: Buffer, looked: LookedAt) => Promise<void>;
}

export interface CheckedImages {
  /** In the order of the message. */
  subjects: ImageSubject[];
  /** Facts of each image that could be loaded. */
  bytes: (Buffer | undefined)[];
  /** Findings of each image, then findings about all images together. */
  findings: Finding[][];
  together: Finding[];
  totalBytes: number;
  totalLoadTimeMs: number | null;
}

/**
 * Loads and judges every image of the input. Throws the signal's reason, and nothing for what images and servers are
 * like.
 */
export async function checkImages(
  outside: ImageDoors,
  input: ImageInput,
  options: CheckOptions,
): Promise<CheckedImages> {
  const { images: loaded, isCut } = await load(outside, input, options.signal);
  const files = await lookAtAll(outside, loaded, options);
  const subjects = loaded.map(({ subject, bytes }): ImageSubject => ({ ...subject, ...(bytes && files.get(bytes)) }));
  return {
    subjects,
    bytes: loaded.map(({ bytes }) => bytes),
    findings: subjects.map((subject) => judgeImage(subject)),
    together: [...judgeImages(subjects), ...judgeCompleteness(subjects, isCut)],
    ...totals(subjects),
  };
}

/** All findings of a message; images that wait for data have one cause, so they are one finding. */
export function allFindings({ findings, together }: CheckedImages): Finding[] {
  const own = findings.flat();
  const waiting = own.filter(isWaiting);
  const [first] = waiting;
  if (!first) return [...own, ...together];
  const images = waiting.length === 1 ? '1 image was' : `${waiting.length} images were`;
  const message = `${images} not checked: merge tag in the address.`;
  const fix = 'Check the email with data, as a recipient gets it.';
  return [
    ...own.filter((finding) => !isWaiting(finding)),
    ...together,
    { ...first, message, fix, details: { ...first.details, images: waiting.length } },
  ];
}

const isWaiting = ({ rule, details }: Finding): boolean =>
  rule === 'images/not-checked' && details?.['reason'] === 'merge_tag';

/** An image with what loading it came to. */
interface Loaded extends LoadedImage {
  subject: ImageSubject;
}

async function load(
  { fetch, compute }: ImageDoors,
  input: ImageInput,
  signal: AbortSignal,
): Promise<{ images: Loaded[]; isCut: boolean }> {
  if (input.kind === 'upload') {
    const bytes = bufferOf(input.body);
    return { images: [{ subject: { url: input.name }, bytes }], isCut: false };
  }
  if (input.kind === 'links') {
    const wanted = input.links.map((url) => ({ url, resolvedUrl: url }));
    const loaded = await loadImages(wanted, { fetch, signal });
    return {
      images: loaded.map((one, index) => ({ ...one, subject: { url: input.links[index]!, ...said(one) } })),
      isCut: false,
    };
  }
  const { found, isCut, ...message } = await compute.run(findMessageImages, input, { signal });
  const loaded = await loadImages(found, { fetch, message, signal });
  return {
    images: loaded.map((one, index) => ({
      ...one,
      subject: { url: found[index]!.url, found: found[index]!, ...said(one) },
    })),
    isCut,
  };
}

function said({ load: answer, skipped }: LoadedImage): Pick<ImageSubject, 'load' | 'skipped'> {
  return { ...(answer && { load: answer }), ...(skipped && { skipped }) };
}

/** Header and pixels of every distinct file; an image that stands in the message ten times is decoded once. */
async function lookAtAll(
  { compute }: ImageDoors,
  loaded: readonly Loaded[],
  { signal, onFile }: CheckOptions,
): Promise<Map<Buffer, LookedAt>> {
  const distinct = new Set(loaded.flatMap(({ bytes }) => (bytes ? [bytes] : [])));
  const looked = new Map<Buffer, LookedAt>();
  const waiting = distinct.values();
  const deadline = performance.now() + PIXELS_TIMEOUT_MS;
  const work = async (): Promise<void> => {
    for (const bytes of waiting) {
      signal.throwIfAborted();
      const known = await lookAt(bytes, { deadline, facts: await readImageFile(compute, bytes, signal) });
      looked.set(bytes, known);
      await onFile?.(bytes, known);
    }
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, work));
  return looked;
}

async function lookAt(bytes: Buffer, { facts, deadline }: { facts: ImageFacts; deadline: number }): Promise<LookedAt> {
  // The header says enough of a bomb; nothing here decodes it.
  if (facts.format === null || facts.isOverLimit || performance.now() > deadline) return { facts };
  const outcome = await pixelFacts(bytes, facts);
  if (outcome.ok) return { facts, pixels: outcome.pixels };
  return { facts, ...(outcome.problem === 'unreadable' && { isUndecodable: true }) };
}

function totals(subjects: readonly ImageSubject[]): Pick<CheckedImages, 'totalBytes' | 'totalLoadTimeMs'> {
  const files = new Map(
    subjects.filter(({ facts }) => facts).map((subject) => [subject.found?.resolvedUrl ?? subject.url, subject]),
  );
  const times = [...files.values()].flatMap(({ load: answer }) => answer?.loadTimeMs ?? []);
  return {
    totalBytes: [...files.values()].reduce((sum, { facts }) => sum + facts!.bytes, 0),
    totalLoadTimeMs: times.length > 0 ? times.reduce((sum, time) => sum + time, 0) : null,
  };
}
