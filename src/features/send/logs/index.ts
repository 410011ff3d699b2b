// Logs: what happened to messages, over all domains of an account and its subaccounts, asked for by one query.
import { defineFeature } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export default defineFeature({ name: 'logs', endpoints });
