// What an image test says of an image, in words.
import { pathOf } from '../../../ground/api.ts';
import type { CheckedImage, Optimized, Severity } from '../../../shared/report/report-api.ts';
import { bytes } from '../../../ground/words.ts';

type WireFinding = CheckedImage['failures'][number];

/** The end of its path, or what it is instead. */
export function nameOf({ url }: Pick<CheckedImage, 'url'>): string {
  if (/^data:/i.test(url)) return 'Inline image';
  if (/^cid:/i.test(url)) return url.slice(4);
  const path = url.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1) || url;
}

export function severityOf({ details }: WireFinding): Severity {
  const severity = details.find((one) => typeof one['severity'] === 'string')?.['severity'];
  return (severity as Severity | undefined) ?? 'warning';
}

/** The worst that was found. */
export function worstOf(image: CheckedImage): Severity {
  if (image.status === 'Invalid') return 'error';
  if (image.failures.some((finding) => severityOf(finding) === 'error')) return 'error';
  if (image.failures.length > 0) return 'warning';
  return image.status === 'Skipped' ? 'info' : 'pass';
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}

/** Names and values; only what is known. */
export function factsOf(image: CheckedImage): [name: string, value: string][] {
  const { width, height, display_width: shownWidth, display_height: shownHeight, gif } = image;
  const factor = width && shownWidth ? width / shownWidth : undefined;
  const shown = shownWidth || shownHeight ? `${shownWidth ?? 'auto'} × ${shownHeight ?? 'auto'} px` : 'actual size';
  const facts: [string, string | false | null | undefined][] = [
    ['Actual size', width && height ? `${width} × ${height} px` : null],
    ['Displayed size', width ? `${shown}${factor ? ` (${factor.toFixed(factor < 10 ? 1 : 0)}×)` : ''}` : null],
    [
      'File size',
      image.size_bytes !== null && `${bytes(image.size_bytes)}${image.format ? ` ${image.format.toUpperCase()}` : ''}`,
    ],
    ['Load time', image.load_time_ms !== null && image.stored_url !== null && `${image.load_time_ms} ms`],
    [
      'Colors',
      image.color_depth !== null &&
        `${image.color_depth} bit${gif?.palette_colors ? `, palette of ${gif.palette_colors}` : ''}` +
          `${image.has_transparency ? ', transparent' : ''}`,
    ],
    [
      'Animation',
      gif &&
        gif.frames > 1 &&
        `${gif.frames} frames, ${seconds(gif.played_duration_ms)}, ` +
          `${gif.loops === 'endless' ? 'endlessly' : gif.loops === 1 ? 'once' : `${gif.loops} times`}`,
    ],
    ['Alternative text', image.alt === null ? 'none' : image.alt === '' ? 'empty (decorative)' : `“${image.alt}”`],
    ['Used in', image.found_in && `${image.found_in}${image.line === undefined ? '' : `, line ${image.line}`}`],
  ];
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
}

export const KINDS: Record<NonNullable<Optimized['kind']>, { name: string; about: string }> = {
  same_format: { name: 'Same format', about: 'Replaces the original in every client.' },
  resized: { name: 'Resized', about: 'Twice the displayed size, for high-resolution screens.' },
  alternative: { name: 'Other format', about: 'Smaller, but not every client shows this format.' },
  original: { name: 'Nothing smaller', about: 'No smaller file was found.' },
};

/** Files that may take the place of an image. */
export function betterOf(optimized: readonly Optimized[], imageId: string): Optimized[] {
  return optimized.filter(
    (one) =>
      one.original_image_id === imageId &&
      one.status === 'Complete' &&
      one.kind !== 'original' &&
      one.optimized_url !== undefined,
  );
}

export function fileOf(url: string): string {
  return pathOf(url);
}
