// Accounts own everything. The first one is made at first start; an account may have subaccounts, one level deep.
// A call acts for its key's account, or for one of that account's subaccounts when it names it in a header.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { accountChanged } from './facts.ts';
import { erase } from './jobs.ts';
import { endpoints } from './routes.ts';

export { changeAccess, recallAccess } from './access.ts';
export {
  ensureFirstAccount,
  getSubaccount,
  isAccountOpen,
  isOperator,
  recallAccount,
  requireProduct,
} from './actions.ts';
export { accountChanged } from './facts.ts';
export { admitStored, admitWork } from './quota.ts';
export { SESSION_SECONDS } from './settings.ts';
export { type Account, findAccount, findFirstAccount, listOpenIds, listSubaccountIds } from './store.ts';

export default defineFeature({
  name: 'accounts',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [erase],
  tells: [accountChanged],
});
