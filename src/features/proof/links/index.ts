// Link tests: the links of an email, or of a list, followed to their ends; compared with spreadsheets of expected
// links.
import { defineFeature } from '../../../platform/feature/index.ts';
import { linkTests } from './inspection.ts';
import { endpoints } from './routes.ts';

export { linkTests } from './inspection.ts';

export default defineFeature({ name: 'links', endpoints, jobs: [linkTests.job] });
