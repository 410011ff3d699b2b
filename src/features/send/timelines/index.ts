// The timeline of a message: what happened to it for each recipient, with what was said to servers, and, for those who
// still wait, why and until when.
import { defineFeature } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export default defineFeature({ name: 'timelines', endpoints });
