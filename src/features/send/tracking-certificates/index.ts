// Certificates of tracking hosts: asked from an authority and renewed, or the operator's own; https for those hosts.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { trackingCertificateChanged } from './facts.ts';
import { jobs } from './jobs.ts';
import { listenForReaders } from './listen.ts';
import { endpoints } from './routes.ts';

export { findEndingCertificate } from './ending-store.ts';
export { trackingCertificateChanged } from './facts.ts';
export { linkBaseOf } from './link-base.ts';

export default defineFeature({
  name: 'tracking-certificates',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs,
  tells: [trackingCertificateChanged],
  listeners: [{ name: 'tracking hosts over https', role: 'api', start: listenForReaders }],
});
