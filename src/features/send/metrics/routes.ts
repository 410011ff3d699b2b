import { endpoint } from '../../../platform/feature/index.ts';
import { queryMetrics } from './actions.ts';
import * as contracts from './contract.ts';
import { queryUsage } from './usage.ts';

export const endpoints = [
  endpoint(contracts.queryMetrics, (ctx, { body }) => queryMetrics(ctx, body)),
  endpoint(contracts.queryUsage, (ctx, { body }) => queryUsage(ctx, body)),
];
