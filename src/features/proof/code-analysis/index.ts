// Code analyses: the HTML and CSS features of an email, who shows them, a score over an audience, and the hygiene
// checks that no support data covers. Versions are kept: the code changes, and what was resolved stays resolved.
import { migrationsIn } from '../../../platform/feature/index.ts';
import { inspectionFeature } from '../_inspections/index.ts';
import { codeAnalyses } from './inspection.ts';
import { endpoints } from './routes.ts';

export default inspectionFeature(codeAnalyses, {
  name: 'code-analysis',
  endpoints,
  migrations: migrationsIn(import.meta.url),
});
