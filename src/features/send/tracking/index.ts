// What of the mail of a domain is tracked: clicks, opens, and the footer with which readers unsubscribe.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export { decideTracking, hasFooterLink, type Tracked } from './decide.ts';

export default defineFeature({ name: 'tracking', endpoints, migrations: migrationsIn(import.meta.url) });
