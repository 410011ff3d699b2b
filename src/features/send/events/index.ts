// What happened to messages, as programs read it: one shape for lists, logs and webhooks, and the older list of a
// domain's events, whose pages are addresses.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { expire } from './jobs.ts';
import { endpoints } from './routes.ts';
import { startSending } from './service.ts';

export { readEvents } from './pages.ts';
export { listRetentions } from './store.ts';
export { predicateOf, type Selection } from './selection.ts';
export { eventView } from './view.ts';

export default defineFeature({
  name: 'events',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [expire],
  listeners: [
    {
      name: 'events',
      role: 'send',
      start: (outside) =>
        Promise.resolve({
          about: outside.config.clickHouseUrl === undefined ? 'the database keeps them' : 'ClickHouse keeps them',
          close: startSending(outside).close,
        }),
    },
  ],
});
