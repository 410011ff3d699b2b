// Spam traps: addresses that nobody who asked writes to. Hits are told by Galley's own traps, by imported reports and by feeds;
// each says which, and neither stands for a network that it is not.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { queueFeeds, readOne } from './feeds-jobs.ts';
import { jobs } from './jobs.ts';
import { trappedMail } from './mail.ts';
import { endpoints } from './routes.ts';

export { countHits, isWatched, type HitDimension } from './store.ts';

export default defineFeature({
  name: 'spam-traps',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [...jobs, readOne, queueFeeds],
  mailReceivers: [trappedMail],
});
