// Inspections: one check of an email each, all run by the same machine. States: Processing, then Complete or Failed.
// The input is stored before the call is answered; the result, findings included, is kept for 90 days.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { erase, expire } from './jobs.ts';
import { endpoints } from './routes.ts';

export { defineInspection, type Inspected, type InspectionMachine, type Run } from './actions.ts';
export { objectsOf } from './objects.ts';
export { countFindings, findInspectionOwner, findInspections, type FindingCounts } from './store.ts';
export type { Conditions, Inspection, InspectionStatus } from './store.ts';
export { FindingView } from './contract.ts';
export { Deleted, nameView, pageFields, Paging, pagingView, Started, startedView, TOOL } from './views.ts';

export default defineFeature({
  name: 'inspections',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [erase, expire],
});
