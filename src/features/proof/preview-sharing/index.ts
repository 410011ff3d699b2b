// Sharing: one public link per test, by an unguessable uuid; it can be disabled, rotated and deleted, and expires.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export { shareUrl } from './routes.ts';
export { listShares, type PreviewShare } from './store.ts';

export default defineFeature({ name: 'preview-sharing', endpoints, migrations: migrationsIn(import.meta.url) });
