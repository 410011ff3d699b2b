// Passkeys: keys in people's devices, with which they sign in without a password and without a code.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { waysOfUser } from '../users/index.ts';
import { expire } from './jobs.ts';
import { endpoints } from './routes.ts';
import { deletePasskeysOfUser } from './store.ts';

export { resetAsOperator } from './reset.ts';

export default defineFeature({
  name: 'passkeys',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [expire],
  adds: [addTo(waysOfUser, deletePasskeysOfUser)],
});
