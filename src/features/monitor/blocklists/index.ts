// Blocklists: which of them an account's addresses and domains are on. Every list is tested before it is believed, and
// a listing is told when two looks agree.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { beginSweep, expire, sweep } from './jobs.ts';
import { endpoints } from './routes.ts';

export { admitWatched, listingsOf, unwatch, watch } from './watch.ts';
export { accountsOf, pageOfEvents } from './actions.ts';
export { Listed } from './contract.ts';
export { askedLists } from './lists.ts';
export { lookOnce, type Looked } from './look-once.ts';
export { resolverOf } from './resolver.ts';

export default defineFeature({
  name: 'blocklists',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [sweep, beginSweep, expire],
});
