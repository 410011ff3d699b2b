import { testPrefix } from '../previews/index.ts';
import type { PictureName } from './contract.ts';

interface Named {
  id: string;
  testId: string;
}

/** Below the prefix of the test, so that deleting the test deletes it too. */
export function capturePrefix({ id, testId }: Named): string {
  return `${testPrefix(testId)}/captures/${id}`;
}

export function pictureKey(capture: Named, picture: PictureName): string {
  return `${capturePrefix(capture)}/${picture}.png`;
}
