// Figures: how many events there were, by hour and day and by what they are told apart by. Events are gathered from the
// log into sums; metrics, stats, tags and classes of bounces are read from those.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { expire, makeSpanSums } from './jobs.ts';
import { startGathering } from './service.ts';

export { furtherFigures } from './additions.ts';
export { COUNTERS, type Counter } from './counters.ts';
export {
  bucketsIn,
  HOURS_KEPT_DAYS,
  keptSince,
  readFigures,
  wholeRange,
  type FigureCondition,
  type FigureDimension,
  type FigureRow,
  type Resolution,
} from './read.ts';
export { TAGS_MAX } from './store.ts';
export { forgetTag } from './tags.ts';

export default defineFeature({
  name: 'figures',
  endpoints: [],
  migrations: migrationsIn(import.meta.url),
  jobs: [expire, makeSpanSums],
  listeners: [
    {
      name: 'figures',
      role: 'send',
      start: (outside) => Promise.resolve({ about: 'events become figures', close: startGathering(outside).close }),
    },
  ],
});
