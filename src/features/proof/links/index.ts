// Link tests: the links of an email, or of a list, followed to their ends; compared with spreadsheets of expected
// links.
import { inspectionFeature } from '../_inspections/index.ts';
import { linkTests } from './inspection.ts';
import { endpoints } from './routes.ts';

export default inspectionFeature(linkTests, { endpoints });
