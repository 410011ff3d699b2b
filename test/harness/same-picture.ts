import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';

/**
 * Fails unless two PNGs have the same pixels. Says how many differ and within which box, and keeps both files: what
 * differs once in a thousand runs can't be made again to be looked at.
 */
export async function assertSamePicture(made: Buffer, expected: Buffer, what: string): Promise<void> {
  if (made.equals(expected)) return;
  const [one, two] = await Promise.all(
    [made, expected].map((png) => sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })),
  );
  const { width, height } = one!.info;
  const folder = await mkdtemp(join(tmpdir(), 'galley-pictures-'));
  await Promise.all([writeFile(join(folder, 'made.png'), made), writeFile(join(folder, 'expected.png'), expected)]);
  const kept = `both are in ${folder}`;
  if (width !== two!.info.width || height !== two!.info.height)
    assert.fail(`${what}: ${width} x ${height} instead of ${two!.info.width} x ${two!.info.height}; ${kept}`);
  let count = 0;
  const box = { left: width, top: height, right: 0, bottom: 0 };
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (one!.data.readUInt32LE(pixel * 4) === two!.data.readUInt32LE(pixel * 4)) continue;
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    count += 1;
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x);
    box.bottom = Math.max(box.bottom, y);
  }
  if (count > 0) assert.fail(`${what}: ${count} pixels differ within ${JSON.stringify(box)}; ${kept}`);
}
