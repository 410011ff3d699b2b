import { defineAging } from '../../../platform/feature/retention.ts';
import { DAYS_KEPT } from './delivery-contract.ts';
import { deleteOld, deleteUnusedUrls } from './log-store.ts';

/** Deletes deliveries whose time has ended, and URLs that nobody names any more. */
export const expire = defineAging({ name: 'webhooks', days: DAYS_KEPT, deleteOld, afterwards: deleteUnusedUrls });
