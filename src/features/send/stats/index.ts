// Stats: the older form of metrics, by time alone.
import { defineFeature } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export { aggregateOf, statsOf } from './actions.ts';
export { Stats, statsFields } from './contract.ts';

export default defineFeature({ name: 'stats', endpoints });
