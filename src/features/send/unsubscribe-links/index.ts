// Where readers unsubscribe from our own mail: one click of a mail client (RFC 8058), and a page that asks.
import { defineFeature } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export { findCopy } from './actions.ts';

export default defineFeature({ name: 'unsubscribe-links', endpoints });
