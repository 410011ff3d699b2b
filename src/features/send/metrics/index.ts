// Metrics: figures of what was sent and of what was used, in groups, asked for by one query.
import { defineFeature } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export default defineFeature({ name: 'metrics', endpoints });
