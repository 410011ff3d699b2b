// What of a picture stands on its background: a window is wider than the message in it.
import type { Picture } from './compare-pictures.ts';
import { isColorNear } from './difference.ts';

/** How far a color may be from the background and still be it: what JPEG does to a plain area is less. */
const THRESHOLD = 0.04;

interface Content {
  picture: Picture;
  /** Of the picture that it was cut from. */
  top: number;
  /** Red, green, blue. */
  background: [number, number, number];
}

/** The color that most pixels of the left and right edges have. */
function backgroundOf({ width, height, data }: Picture): [number, number, number] {
  const counts = new Map<number, number>();
  for (let row = 0; row < height; row++) {
    for (const x of [0, width - 1]) {
      const at = (row * width + x) * 4;
      const color = ((data[at] as number) << 16) | ((data[at + 1] as number) << 8) | (data[at + 2] as number);
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
  }
  let [most, best] = [0, 0xffffff];
  for (const [color, count] of counts) if (count > most) [most, best] = [count, color];
  return [best >> 16, (best >> 8) & 255, best & 255];
}

/** Cut to the rows and columns in which anything is not the background. An empty picture stays as it is. */
export function contentOf(picture: Picture): Content {
  const { width, height, data } = picture;
  const background = backgroundOf(picture);
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let row = 0, at = 0; row < height; row++) {
    for (let x = 0; x < width; x++, at += 4) {
      if (isColorNear(data, at, { to: background, threshold: THRESHOLD })) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (row < top) top = row;
      bottom = row;
    }
  }
  if (right < 0) return { picture, top: 0, background };
  const cut = { width: right - left + 1, height: bottom - top + 1 };
  const kept = new Uint8Array(cut.width * cut.height * 4);
  for (let row = 0; row < cut.height; row++) {
    const from = ((top + row) * width + left) * 4;
    kept.set(data.subarray(from, from + cut.width * 4), row * cut.width * 4);
  }
  return { picture: { ...cut, data: kept }, top, background };
}
