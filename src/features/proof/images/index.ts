// Image tests: the images of an email, judged from their bytes, pixels and markup, and optimized.
import { migrationsIn } from '../../../platform/feature/index.ts';
import { inspectionFeature } from '../_inspections/index.ts';
import { imageTests } from './inspection.ts';
import { optimizeJob } from './optimization.ts';
import { endpoints } from './routes.ts';

export { readImageFile } from './read-file.ts';
export { IMAGE_ACCEPT } from './load-images.ts';
export { fileUrl, keepFile, newFolder } from './objects.ts';

export default inspectionFeature(imageTests, {
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [optimizeJob],
});
