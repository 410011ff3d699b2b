// Metrics: figures of what was sent and of what was used, in groups, asked for by one query.
import { defineFeature } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export { METRIC_NAMES } from './contract.ts';
export { metricOf, metricsView, type CountName } from './names.ts';
export { accountNames, accountsOf, echoOf, pageOf, rangeOf, type Row } from './query.ts';

export default defineFeature({ name: 'metrics', endpoints });
