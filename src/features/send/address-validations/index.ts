// Address validation: what is known of an address by its text, by DNS, by public lists and by the account's own mail.
// What cannot be known is said to be unknown. Servers of recipients are asked only where the operator switched that on.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { addressesValidated } from './facts.ts';
import { expire, forget, validatePart } from './jobs.ts';
import { endpoints } from './routes.ts';

export { startMembersJob } from './actions.ts';
export { ValidationJobView } from './bulk-contract.ts';
export { addressesValidated } from './facts.ts';
export { deleteJob, findJob } from './store.ts';
export { jobView } from './view.ts';

export default defineFeature({
  name: 'address-validations',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [validatePart, expire, forget],
  tells: [addressesValidated],
});
