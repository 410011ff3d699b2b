// Webhooks: events of the log, posted to the URLs that an account has named, signed. One loop in each process of the
// role `send` reads the log for every account with webhooks, writes what is to be sent, and posts what is due.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { expire } from './jobs.ts';
import { endpoints } from './routes.ts';
import { startWebhooks } from './service.ts';

export { listPosts } from './log-store.ts';

export default defineFeature({
  name: 'webhooks',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [expire],
  listeners: [
    {
      name: 'webhooks',
      role: 'send',
      start: async (outside) => ({
        about: 'events are posted to the URLs that accounts name',
        close: (await startWebhooks(outside)).close,
      }),
    },
  ],
});
