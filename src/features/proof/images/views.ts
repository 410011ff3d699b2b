import { createHash } from 'node:crypto';
import { supportWarning, type ImageFormat } from '../../../engines/images/index.ts';
import { shownInList, type Finding } from '../../../engines/findings/index.ts';
import { nameView, type Inspection } from '../_inspections/index.ts';
import type { OptimizedImageView } from './contract.ts';
import { fileUrl, type Folder } from './objects.ts';
import { findingsByImage, type CheckedImage, type ImageTestResult, type ImageTestSummary } from './result.ts';
import type { Optimization, OptimizedFile } from './store.ts';
import { detailsOf, findingId, impactOf, isFailure, ruleName } from './summary.ts';

type Impact = 'critical' | 'serious' | 'moderate' | 'minor';

/** What turns the names of stored files into addresses. */
interface Addresses {
  baseUrl: string;
  folder: Folder;
}

function findingView(finding: Finding, id: string) {
  const impact = impactOf(finding) as Impact | undefined;
  return {
    id,
    rule: ruleName(finding),
    description: finding.message,
    ...(impact && { impact }),
    ...(finding.fix && { recommendation: finding.fix }),
    details: [detailsOf(finding)],
  };
}

function judgedView(ownerId: string, findings: readonly Finding[]) {
  const views = findings.map((finding, index) => ({ finding, view: findingView(finding, findingId(ownerId, index)) }));
  const where = (isWanted: (finding: Finding) => boolean) =>
    views.filter(({ finding }) => isWanted(finding)).map(({ view }) => view);
  return {
    passes: where(({ severity }) => severity === 'pass'),
    failures: where(isFailure),
    informational: where(({ severity }) => severity === 'info'),
  };
}

function fileView(image: CheckedImage, { baseUrl, folder }: Addresses) {
  const { facts, file, firstFrame, hasTransparency } = image;
  const addressOf = (name: string | null) => (name === null ? null : fileUrl(baseUrl, folder, name));
  return {
    width: facts?.width || null,
    height: facts?.height || null,
    format: facts?.format ?? null,
    mime_type: facts?.mediaType ?? null,
    size_bytes: facts?.bytes ?? null,
    color_depth: facts?.colourDepthBits || null,
    has_transparency: facts && hasTransparency,
    stored_url: addressOf(file),
    ...(facts &&
      (facts.isAnimated || facts.format === 'gif') && {
        gif: {
          frames: facts.frames,
          duration_ms: facts.durationMs,
          played_duration_ms: facts.asPlayedDurationMs,
          loops: facts.loops,
          color_depth: facts.colourDepthBits,
          palette_colors: facts.paletteColours,
          has_transparency: hasTransparency,
          // A single frame is the first one.
          first_frame_url: facts.isAnimated ? addressOf(firstFrame) : addressOf(file),
        },
      }),
  };
}

function imageView(image: CheckedImage, findings: readonly Finding[], addresses: Addresses) {
  const { id, url, status, place, alt, display } = image;
  return {
    id,
    url,
    status,
    ...(place && {
      line: place.line,
      column: place.column,
      absolute_index: place.offset,
      ...(place.selector !== undefined && { selector: place.selector }),
    }),
    found_in: place?.where ?? null,
    alt,
    ...fileView(image, addresses),
    display_width: display?.width ?? null,
    display_height: display?.height ?? null,
    load_time_ms: image.loadTimeMs,
    final_url: image.finalUrl,
    ...judgedView(id, findings),
  };
}

function hashId(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}

function optimizedFileView(
  { id, url, facts }: CheckedImage,
  one: OptimizedFile,
  { baseUrl, folder }: Addresses,
): OptimizedImageView {
  const warning =
    one.kind === 'alternative'
      ? supportWarning(one.format as ImageFormat, { isAnimated: facts?.isAnimated ?? false })
      : undefined;
  return {
    id: hashId(id, one.kind, one.format),
    original_image_id: id,
    image_url: url,
    status: 'Complete',
    kind: one.kind,
    optimized_url: fileUrl(baseUrl, folder, one.file),
    optimized_file_size: String(one.bytes),
    optimized_format: one.format,
    optimized_mime_type: one.mediaType,
    load_time_ms: null,
    original_size_bytes: facts?.bytes ?? 0,
    optimized_size_bytes: one.bytes,
    saved_percent: one.savedPercent,
    width: one.width,
    height: one.height,
    encoder: one.encoder,
    visual_difference: { ssim: one.difference.ssim, delta_e: one.difference.deltaE },
    ...(warning !== undefined && { client_support_warning: warning }),
  };
}

/** The original where no smaller file was made, so that the first file of each image is always the best one. */
function originalView({ id, url, facts, file }: CheckedImage, { baseUrl, folder }: Addresses): OptimizedImageView {
  return {
    id: hashId(id, 'original'),
    original_image_id: id,
    image_url: url,
    status: 'Complete',
    kind: 'original',
    load_time_ms: null,
    ...(facts?.format &&
      file && {
        optimized_url: fileUrl(baseUrl, folder, file),
        optimized_file_size: String(facts.bytes),
        optimized_format: facts.format,
        optimized_mime_type: facts.mediaType ?? '',
        original_size_bytes: facts.bytes,
        optimized_size_bytes: facts.bytes,
        saved_percent: 0,
        width: facts.width,
        height: facts.height,
      }),
  };
}

function optimizedViews(
  image: CheckedImage,
  optimization: Optimization | undefined,
  addresses: Addresses,
): OptimizedImageView[] {
  const { id, url } = image;
  const base = { id: hashId(id, 'original'), original_image_id: id, image_url: url, load_time_ms: null };
  if (image.file === null)
    return [{ ...base, status: 'Error', error_message: 'The image could not be loaded, or is none.' }];
  if (!optimization) return [];
  const { status, outcome, error } = optimization;
  if (status === 'Processing') return [{ ...base, status: 'Processing' }];
  if (!outcome || outcome.problem !== null)
    return [
      { ...base, status: 'Error', error_message: outcome?.problem ?? error ?? 'The image could not be optimized.' },
    ];
  const files = outcome.files.map((one) => optimizedFileView(image, one, addresses));
  return files.some(({ kind }) => kind !== 'alternative') ? files : [originalView(image, addresses), ...files];
}

/** What optimizing these images came to so far; the best file that every client shows comes first of each image. */
export function optimizationView(
  id: string,
  images: readonly CheckedImage[],
  { optimizations, ...addresses }: Addresses & { optimizations: ReadonlyMap<string, Optimization> },
) {
  return {
    id,
    optimized_images: images.flatMap((image) => optimizedViews(image, optimizations.get(image.file ?? ''), addresses)),
  };
}

export function isProcessing({ optimized_images }: ReturnType<typeof optimizationView>): boolean {
  return optimized_images.some(({ status }) => status === 'Processing');
}

interface TestParts {
  baseUrl: string;
  optimizations: ReadonlyMap<string, Optimization>;
}

export function testView(test: Inspection<ImageTestResult>, { baseUrl, optimizations }: TestParts) {
  const { id, status, result, findings, error } = test;
  const meta = {
    status,
    created_at: test.createdAt.toISOString(),
    updated_at: test.updatedAt.toISOString(),
    ...(error !== null && { error }),
  };
  if (!result)
    return {
      meta,
      items: {
        id,
        total_load_time_ms: null,
        total_size_bytes: null,
        images: [],
        passes: [],
        failures: [],
        informational: [],
      },
    };
  const addresses = { baseUrl, folder: { id, name: result.folder } };
  const { own, together } = findingsByImage(result, findings);
  return {
    meta,
    items: {
      id,
      total_load_time_ms: result.totalLoadTimeMs,
      total_size_bytes: result.totalBytes,
      images: result.images.map((image, index) => imageView(image, own[index]!, addresses)),
      ...judgedView(id, together),
      ...(optimizations.size > 0 && {
        image_optimization: optimizationView(id, result.images, { ...addresses, optimizations }),
      }),
    },
  };
}

const NO_SUMMARY: ImageTestSummary = {
  image_count: 0,
  invalid_count: 0,
  failures: 0,
  total_bytes: 0,
  total_load_time_ms: null,
  images: [],
};

/** A test in a list, from its summary alone. */
export function briefView(test: Inspection, path: string) {
  const isComplete = test.status === 'Complete';
  const summary: ImageTestSummary = isComplete ? { ...NO_SUMMARY, ...test.summary } : NO_SUMMARY;
  return {
    id: test.id,
    name: nameView(test),
    status: test.status,
    created_at: test.createdAt.toISOString(),
    total_load_time_ms: summary.total_load_time_ms,
    total_size_bytes: isComplete ? summary.total_bytes : null,
    image_count: summary.image_count,
    images: summary.images.map(({ failures, ...image }) => ({
      ...image,
      failures: failures.map(({ impact, ...one }) => ({
        ...shownInList(one),
        ...(impact && { impact: impact as Impact }),
      })),
    })),
    links: { self: `${path}/${test.id}` },
  };
}
