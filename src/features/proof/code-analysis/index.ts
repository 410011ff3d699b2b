// Code analyses: the HTML and CSS features of an email, who shows them, a score over an audience, and the hygiene
// checks that no support data covers. Versions are kept: the code changes, and what was resolved stays resolved.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { codeAnalyses } from './inspection.ts';
import { endpoints } from './routes.ts';

export { codeAnalyses } from './inspection.ts';

export default defineFeature({
  name: 'code-analysis',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [codeAnalyses.job],
});
