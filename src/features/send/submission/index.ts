// Submission by SMTP: programs log in with a credential of a domain and send whole messages, as they do through the
// sending API.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { certificateChanged } from './facts.ts';
import { lookAtCertificate } from './jobs.ts';
import { listenForSubmission } from './listen.ts';
import { listenForPop3 } from './pop3.ts';
import { endpoints } from './routes.ts';

export { findServedCertificate } from './certificate.ts';
export { certificateChanged } from './facts.ts';

export default defineFeature({
  name: 'submission',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [lookAtCertificate],
  tells: [certificateChanged],
  listeners: [
    { name: 'submission', role: 'mail', start: (outside) => listenForSubmission(outside, { random: Math.random }) },
    { name: 'pop3', role: 'mail', start: listenForPop3 },
  ],
});
