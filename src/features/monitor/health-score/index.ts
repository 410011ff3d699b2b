// The health score: one number for how sending goes, and what of it costs how much.
import { defineFeature } from '../../../platform/feature/index.ts';
import { jobs } from './jobs.ts';
import { endpoints } from './routes.ts';

export default defineFeature({ name: 'health-score', endpoints, jobs });
