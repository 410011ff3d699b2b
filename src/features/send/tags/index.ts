// Tags that messages have had: what is said of them, their figures, and their older form, domain by domain.
import { defineFeature } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export default defineFeature({ name: 'tags', endpoints });
