// Pictures that strangers sent: read, and held against previews, in a process of its own.
import { readImage } from '../../../engines/images/index.ts';
import { compareLikeness } from '../../../engines/pictures/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';
import { readPicture, screenshotOf, writePicture } from '../../../platform/images/index.ts';
import { PICTURE_PIXELS_MAX, SIDE_MIN } from './contract.ts';

const FORMATS = ['png', 'jpeg', 'webp'];

/** The picture as a PNG at one CSS pixel a pixel, or the end of a sentence about what is wrong with it. */
export const readCaptured = defineComputation(
  import.meta.url,
  'readCaptured',
  async ({ bytes, scale }: { bytes: Buffer; scale: number }) => {
    const { format, status, width, height, frames } = readImage(bytes);
    if (format === null || !FORMATS.includes(format)) return { fault: 'must be a PNG, JPEG or WebP.' };
    if (width * height > PICTURE_PIXELS_MAX)
      return { fault: `has ${width} by ${height} pixels; 25 megapixels are the most.` };
    const size = { width: Math.round(width / scale), height: Math.round(height / scale) };
    if (Math.min(size.width, size.height) < SIDE_MIN)
      return { fault: `must be at least ${SIDE_MIN} pixels wide and high, at its scale.` };
    if (frames > 1) return { fault: 'moves; send one that stands still.' };
    const png = status === 'ok' ? await screenshotOf(bytes, size) : undefined;
    return png ? { png, ...size } : { fault: 'is damaged; take the screenshot again.' };
  },
);

/** Both are PNG; so is the picture of the difference. */
export const compareCaptured = defineComputation(
  import.meta.url,
  'compareCaptured',
  async ({ captured, preview }: { captured: Buffer; preview: Buffer }) => {
    const { likeness, difference } = compareLikeness(await readPicture(captured), await readPicture(preview));
    return { likeness, difference: await writePicture(difference) };
  },
);
