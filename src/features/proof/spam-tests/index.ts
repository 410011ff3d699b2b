// Spam tests: a message goes over SMTP to local receivers and to the account's mailboxes; where each files it, what its
// filters say and how authentication ends is shown side by side, with what to change. `processing` until every seed has
// an outcome, at the deadline at the latest. Also the check behind `galley spam`, which asks the receivers without
// sending.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { spamTestEnded } from './facts.ts';
import { judgeUnsent, seedDeliveries, spamTests } from './inspection.ts';
import { endpoints } from './routes.ts';

export {
  checkSpamEmail,
  getSpamAnalysis,
  removeTest as removeSpamTest,
  startSpamTest,
  type SpamEmail,
} from './actions.ts';
export { spamTestEnded } from './facts.ts';
export { MeasuredBeside, PATH as SPAM_PATH } from './contract.ts';
export { findTest as findSpamTest, listStatuses as listSpamStatuses } from './store.ts';
export { composeTest, senderOfNobody, type SpamInput } from './message.ts';
export type { UnsentVerdicts } from './inspection.ts';
export { judgeUnsent };

export default defineFeature({
  name: 'spam-tests',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [spamTests.job, ...seedDeliveries.jobs],
  tells: [spamTestEnded],
  mailReceivers: [seedDeliveries.mailReceiver],
});
