// Reports of DMARC and TLS: they arrive by mail or are uploaded, and say who sends in the name of a domain, whether it
// passes, and what a stricter policy would refuse.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { expire } from './jobs.ts';
import { reportsByMail } from './mail.ts';
import { nameSources } from './naming.ts';
import { endpoints } from './routes.ts';

export default defineFeature({
  name: 'dmarc-reports',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [nameSources, expire],
  mailReceivers: [reportsByMail],
});
