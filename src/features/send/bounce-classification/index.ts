// Bounce classification: why receivers refused or delayed mail, in plain words, by who and what was sent.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { furtherFigures } from '../_figures/index.ts';
import { addFailures } from './add.ts';
import { expire } from './jobs.ts';
import { endpoints } from './routes.ts';
import { deleteTagFigures } from './store.ts';

export default defineFeature({
  name: 'bounce-classification',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [expire],
  adds: [addTo(furtherFigures, { add: addFailures, forgetTag: deleteTagFigures })],
});
