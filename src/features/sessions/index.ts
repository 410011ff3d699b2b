// Dashboard sessions: an API key is exchanged for a cookie that scripts cannot read.
import { defineFeature } from '../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export { authenticateSession } from './actions.ts';

export default defineFeature({ name: 'sessions', endpoints });
