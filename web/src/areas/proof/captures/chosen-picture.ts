// The screenshot that a person chose, dropped or pasted: read and judged here, before it is sent.
import { bytes, figure } from '../../../ground/words.ts';

/** Bounds of the service: a picture beyond them is refused without being sent. */
const BYTES_MAX = 10_000_000;
const PIXELS_MAX = 25_000_000;
const SIDE_MIN = 40;
const TYPES = ['image/png', 'image/jpeg', 'image/webp'];
export const SCALES = [1, 1.25, 1.5, 2, 2.5, 3, 3.5, 4] as const;
/** How far the widths may be apart where a scale is guessed. */
const SLACK = 0.04;

export interface ChosenPicture {
  file: File;
  /** For an `img`; freed by {@link forget}. */
  url: string;
  width: number;
  height: number;
}

/** Reads a picture. Rejects with a sentence that says what is wrong, and what is valid. */
export async function readChosen(file: File | undefined): Promise<ChosenPicture> {
  if (!file) throw new Error('There is no picture in it. Copy a screenshot, or choose a PNG, JPEG or WebP file.');
  if (!TYPES.includes(file.type))
    throw new Error(`“${file.name}” is no picture of a kind that is taken: PNG, JPEG or WebP.`);
  if (file.size > BYTES_MAX) throw new Error(`The picture has ${bytes(file.size)}; ${bytes(BYTES_MAX)} are the most.`);
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) throw new Error('The picture is damaged. Take the screenshot again.');
  const { width, height } = bitmap;
  bitmap.close();
  if (width * height > PIXELS_MAX)
    throw new Error(`The picture has ${figure(width)} by ${figure(height)} pixels; 25 megapixels are the most.`);
  if (Math.min(width, height) < SIDE_MIN)
    throw new Error(`The picture has ${width} by ${height} pixels; it must be at least ${SIDE_MIN} wide and high.`);
  return { file, url: URL.createObjectURL(file), width, height };
}

export function forget({ url }: ChosenPicture): void {
  URL.revokeObjectURL(url);
}

/** The scale at which the screenshot is as wide as the preview; 1 where none is. */
export function scaleFor(width: number, previewWidth: number | undefined): number {
  if (!previewWidth) return 1;
  return SCALES.find((scale) => Math.abs(width / scale / previewWidth - 1) <= SLACK) ?? 1;
}

/** The first picture, or else the first file, that the clipboard holds. */
export function fileInClipboard(data: DataTransfer | null): File | undefined {
  const files = [...(data?.files ?? [])];
  return files.find(({ type }) => type.startsWith('image/')) ?? files[0];
}
