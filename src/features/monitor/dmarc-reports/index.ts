// Reports of DMARC and TLS: they arrive by mail, are read from mailboxes or uploaded, and say who sends in the name of a domain, whether it
// passes, and what a stricter policy would refuse.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { expire } from './jobs.ts';
import { reportsByMail } from './mail.ts';
import { queueMailboxes, readOne } from './mailboxes-jobs.ts';
import { mailboxEndpoints } from './mailboxes-routes.ts';
import { nameSources } from './naming.ts';
import { endpoints } from './routes.ts';

export default defineFeature({
  name: 'dmarc-reports',
  endpoints: [...endpoints, ...mailboxEndpoints],
  migrations: migrationsIn(import.meta.url),
  jobs: [nameSources, expire, readOne, queueMailboxes],
  mailReceivers: [reportsByMail],
});
