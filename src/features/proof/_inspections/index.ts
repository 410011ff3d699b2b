// Inspections: one check of an email each, all run by the same machine. States: Processing, then Complete or Failed.
// The input is stored before the call is answered; the result, findings included, is kept for 90 days.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { erase, expire } from './jobs.ts';
import { endpoints } from './routes.ts';

export { defineInspection } from './actions.ts';
export { inspectionFeature } from './feature-of-kind.ts';
export { inspectionKinds, knownOnly, pictured, toldBeside, type ListedKind } from './kinds.ts';
export type { CheckDoors, Checked, GatedEmail, ImageFile, Run } from './listing.ts';
export { standardEndpoints } from './standard.ts';
export type { EndDoors, Inspected, InspectionMachine, StartDoors } from './machine.ts';
export { objectsOf } from './objects.ts';
export { countFindings, findInspectionOwner, findInspections, type FindingCounts } from './store.ts';
export type { Conditions, Inspection, InspectionStatus } from './store.ts';
export { FindingView } from './contract.ts';
export { Deleted, nameView, Started, startedView, TOOL } from './views.ts';

export default defineFeature({
  name: 'inspections',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [erase, expire],
});
