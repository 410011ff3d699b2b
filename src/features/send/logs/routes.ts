import { endpoint } from '../../../platform/feature/index.ts';
import { queryLogs } from './actions.ts';
import * as contracts from './contract.ts';

export const endpoints = [endpoint(contracts.queryLogs, (ctx, { body }) => queryLogs(ctx, body))];
