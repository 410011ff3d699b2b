// Image tests: the images of an email, judged from their bytes, pixels and markup, and optimised.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { imageTests } from './inspection.ts';
import { optimiseJob } from './optimisation.ts';
import { endpoints } from './routes.ts';

export { allFindings, checkImages, type CheckedImages } from './check-images.ts';
export { readImageFile } from './read-file.ts';
export { imageTests } from './inspection.ts';
export { IMAGE_ACCEPT } from './load-images.ts';
export { fileUrl, keepFile, newFolder } from './objects.ts';

export default defineFeature({
  name: 'images',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [imageTests.job, optimiseJob],
});
