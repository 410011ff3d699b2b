// Sending by SMTP: programs log in with the credentials of a domain, and what they hand over is accepted as by the
// sending API.
import { defineFeature } from '../../../platform/feature/index.ts';
import { listenForSubmission } from './listen.ts';
import { endpoints } from './routes.ts';

export default defineFeature({
  name: 'submission',
  endpoints,
  listeners: [{ name: 'submission', role: 'mail', start: listenForSubmission }],
});
