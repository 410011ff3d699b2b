// Two pictures of a client, pixel by pixel: of a long message that is a hundred megabytes.
import { comparePictures } from '../../../engines/pictures/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';
import { readPicture, writePicture } from '../../../platform/images/index.ts';

/** Both as PNG; the picture that shows the difference is one, too. */
export const comparePngs = defineComputation(
  import.meta.url,
  'comparePngs',
  async ({ before, after, threshold }: { before: Buffer; after: Buffer; threshold: number }) => {
    const { picture, ...compared } = comparePictures(await readPicture(before), await readPicture(after), {
      threshold,
    });
    return { ...compared, picture: picture && (await writePicture(picture)) };
  },
);
