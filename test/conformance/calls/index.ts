// How each operation is called. To add one: a row with its good and its wrong call in the file of its group.
import { BLOCKLIST_CALLS } from './blocklists.ts';
import type { Calls } from '../bed.ts';
import { ACCOUNT_CALLS } from './account.ts';
import { ALERT_CALLS } from './alerts.ts';
import { DOMAIN_KEY_CALLS } from './domain-keys.ts';
import { DYNAMIC_POOL_CALLS } from './dynamic-pools.ts';
import { FIGURE_CALLS } from './figures.ts';
import { INSPECTION_CALLS } from './inspections.ts';
import { IP_CALLS } from './ip-pools.ts';
import { MAILING_LIST_CALLS } from './mailing-lists.ts';
import { MONITORING_CALLS } from './monitoring.ts';
import { IP_WARMUP_CALLS } from './ip-warmups.ts';
import { PLACEMENT_CALLS } from './placement.ts';
import { POSTMASTER_CALLS } from './postmaster.ts';
import { PREVIEW_CALLS } from './previews.ts';
import { ROUTE_CALLS } from './routes.ts';
import { SENDING_CALLS } from './sending.ts';
import { SUPPRESSION_CALLS } from './suppressions.ts';
import { TEMPLATE_CALLS } from './templates.ts';
import { THRESHOLD_CALLS } from './thresholds.ts';
import { CERTIFICATE_CALLS } from './tracking-certificates.ts';
import { USER_CALLS } from './users.ts';
import { WEBHOOK_CALLS } from './webhooks.ts';

/** All of them. */
export const CALLS: Calls = {
  ...PREVIEW_CALLS,
  ...INSPECTION_CALLS,
  ...PLACEMENT_CALLS,
  ...POSTMASTER_CALLS,
  ...ACCOUNT_CALLS,
  ...ROUTE_CALLS,
  ...SENDING_CALLS,
  ...FIGURE_CALLS,
  ...IP_WARMUP_CALLS,
  ...SUPPRESSION_CALLS,
  ...MAILING_LIST_CALLS,
  ...WEBHOOK_CALLS,
  ...ALERT_CALLS,
  ...MONITORING_CALLS,
  ...BLOCKLIST_CALLS,
  ...TEMPLATE_CALLS,
  ...THRESHOLD_CALLS,
  ...IP_CALLS,
  ...DYNAMIC_POOL_CALLS,
  ...DOMAIN_KEY_CALLS,
  ...CERTIFICATE_CALLS,
  ...USER_CALLS,
};
