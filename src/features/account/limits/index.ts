// Limits on what accounts use. Features count their uses here, and are refused; the API of limits stands above, in
// features/monitor/thresholds, which also tells people what is used up.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { limitReached, messageLimitReached } from './facts.ts';
import { expire } from './jobs.ts';
import { endpoints } from './routes.ts';

export { limitReached, messageLimitReached } from './facts.ts';
export { countSent } from './message-limits.ts';
export {
  addFurtherUses,
  countLimits,
  deleteLimit,
  findLimit,
  findLimitById,
  findLimitSettings,
  type FurtherUse,
  insertLimit,
  LIMIT_DIMENSIONS,
  listLimits,
  listUsesUnder,
  putLimit,
  saveLimitSettings,
  sumUses,
  USE_METRICS,
  type Limit,
  type LimitChannel,
  type LimitFilter,
  type LimitSettings,
  type UsePeriod,
  type UseUnder,
  windowOf,
} from './store.ts';
export { checkUse, countUse, findRefusal, refusingMail, USE_WORDS } from './uses.ts';

export default defineFeature({
  name: 'limits',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [expire],
  tells: [limitReached, messageLimitReached],
});
