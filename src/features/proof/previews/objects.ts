// The keys of the stored objects of a test.
import type { SharpPlace } from './sharp-store.ts';

/** Everything of a test lies below this. */
export function testPrefix(testId: string): string {
  return `previews/${testId}`;
}

/** Of which test that is the prefix; undefined for another prefix. */
export function testIdOf(prefix: string): string | undefined {
  return /^previews\/([^/]+)$/.exec(prefix)?.[1];
}

/** Says which message it is a test of. */
export function sourceReferenceKey(testId: string): string {
  return `${testPrefix(testId)}/source.json`;
}

/** The source itself, of tests from before messages were kept once. */
export function sourceKey(test: { id: string; source: string }): string {
  return `${testPrefix(test.id)}/source.${test.source === 'mime' ? 'eml' : 'html'}`;
}

export function assetListKey(testId: string): string {
  return `${testPrefix(testId)}/assets.json`;
}

export function assetKey(testId: string, digest: string): string {
  return `${testPrefix(testId)}/assets/${digest}`;
}

type PictureFile = 'picture' | 'thumbnail' | 'full-thumbnail';

export function pictureKey(testId: string, key: string, file: PictureFile): string {
  return `${testPrefix(testId)}/pictures/${key}.${file === 'picture' ? 'png' : `${file}.jpg`}`;
}

/** The colors of a picture in few areas, by which it is told whether others look like it. */
export function sampleKey(testId: string, key: string): string {
  return `${testPrefix(testId)}/pictures/${key}.sample`;
}

export function smallPictureKey(
  { testId, key }: { testId: string; key: string },
  { kind, width }: { kind: string; width: number },
): string {
  return `${testPrefix(testId)}/pictures/${key}.${kind}-${width}.webp`;
}

/** A part of a picture with the pixels of a screen. */
export function sharpKey({ testId, key, pixelRatio, part }: SharpPlace): string {
  return `${testPrefix(testId)}/pictures/${key}.at-${pixelRatio}.${part}.png`;
}

/** The first screens of long pictures lie below this until the test has nothing more to make. */
export function firstScreensPrefix(testId: string): string {
  return `${testPrefix(testId)}/pictures/first`;
}

export function firstScreenKey(testId: string, key: string): string {
  return `${firstScreensPrefix(testId)}/${key}.png`;
}
