// Rows of a list of preview tests: what the dashboard would otherwise ask for test by test. Six statements, however
// many rows.
import { defineFeature, endpoint } from '../../../platform/feature/index.ts';
import { listSummaries } from './contract.ts';
import { summaries } from './summaries.ts';

export default defineFeature({
  name: 'preview-summaries',
  endpoints: [endpoint(listSummaries, (ctx, { query }) => summaries(ctx, query))],
});
