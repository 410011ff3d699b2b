// Who may be written to by the sandbox domain of an account once it delivers: five addresses, whose owners agreed.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { recipientChecks } from '../messages/index.ts';
import { refuseStrangers } from './actions.ts';
import { sendAgain, sendNow } from './jobs.ts';
import { endpoints } from './routes.ts';

export default defineFeature({
  name: 'sandbox-recipients',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  adds: [addTo(recipientChecks, refuseStrangers)],
  jobs: [sendNow, sendAgain],
});
