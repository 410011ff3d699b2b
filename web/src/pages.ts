// Every page of the dashboard, gathered from the resources. Readable without drawing anything: the build takes the
// paths that the service answers from here.
import { healthPages } from './areas/monitor/health-score/pages.ts';
import { trapPages } from './areas/monitor/spam-traps/pages.ts';
import { blocklistPages } from './areas/monitor/blocklists/pages.ts';
import { thresholdPages } from './areas/monitor/thresholds/pages.ts';
import { dmarcPages } from './areas/monitor/dmarc-reports/pages.ts';
import { bouncePages } from './areas/send/bounces/pages.ts';
import { dynamicPoolPages } from './areas/send/dynamic-pools/pages.ts';
import { messagePages } from './areas/send/messages/pages.ts';
import { ipPages } from './areas/send/ip-pools/pages.ts';
import { warmupPages } from './areas/send/ip-warmups/pages.ts';
import { statisticsPages } from './areas/send/metrics/pages.ts';
import { templatePages } from './areas/send/templates/pages.ts';
import { mailingListPages } from './areas/send/mailing-lists/pages.ts';
import { heldPages } from './areas/send/sending-gates/pages.ts';
import { rulesPages } from './areas/send/sending-limits/pages.ts';
import { queuePages } from './areas/send/queue/pages.ts';
import { validationPages } from './areas/send/address-validations/pages.ts';
import { routePages } from './areas/send/routes/pages.ts';
import { suppressionPages } from './areas/send/suppressions/pages.ts';
import { trackingPages } from './areas/send/tracking/pages.ts';
import { webhookPages } from './areas/send/webhooks/pages.ts';
import { domainPages } from './areas/send/sending-domains/pages.ts';
import { auditPages } from './areas/account/audit-log/pages.ts';
import { ipAllowlistPages } from './areas/account/ip-allowlist/pages.ts';
import { accountPages } from './areas/account/accounts/pages.ts';
import { usersPages } from './areas/account/users/pages.ts';
import { keysPages } from './areas/account/keys/pages.ts';
import { postmasterPages } from './areas/monitor/postmaster/pages.ts';
import { alertPages } from './areas/monitor/alerts/pages.ts';
import { placementPages, sharedPlacementPages } from './areas/placement/inbox-placement/pages.ts';
import { sessionPages } from './areas/account/sessions/pages.ts';
import { mailboxPages } from './areas/proof/_seeds/pages.ts';
import { accessibilityPages } from './areas/proof/accessibility/pages.ts';
import { captureAgentsPages } from './areas/proof/capture-agents/pages.ts';
import { capturesOfTestPages, capturesPages } from './areas/proof/captures/pages.ts';
import { codePages } from './areas/proof/code-analysis/pages.ts';
import { gatePages } from './areas/proof/gate/pages.ts';
import { imagesPages } from './areas/proof/images/pages.ts';
import { linksPages } from './areas/proof/links/pages.ts';
import { clientsPages } from './areas/proof/preview-clients/pages.ts';
import { share, sharePages } from './areas/proof/preview-sharing/pages.ts';
import { previewPages, previewReportPages, previewsPages } from './areas/proof/previews/pages.ts';
import { spamPages } from './areas/proof/spam-tests/pages.ts';
import { sandboxPages } from './areas/send/sandbox-inboxes/pages.ts';
import { emailsPages } from './areas/work/emails/pages.ts';
import { reviewsPages } from './areas/work/reviews/pages.ts';
import { schedulesPages } from './areas/work/schedules/pages.ts';
import { root, shell } from './ground/routes.ts';
import { preview, report } from './shared/proof/preview-routes.ts';

const ofReports = [...previewReportPages, ...linksPages, ...imagesPages, ...accessibilityPages, ...codePages] as const;
const ofPreviews = [report.addChildren(ofReports), ...previewPages, ...capturesOfTestPages] as const;
const proof = [
  ...previewsPages,
  preview.addChildren(ofPreviews),
  ...gatePages,
  ...clientsPages,
  ...capturesPages,
  ...captureAgentsPages,
  ...spamPages,
  ...mailboxPages,
] as const;
const signedIn = [
  ...accountPages,
  ...keysPages,
  ...usersPages,
  ...auditPages,
  ...ipAllowlistPages,
  ...proof,
  ...messagePages,
  ...queuePages,
  ...rulesPages,
  ...heldPages,
  ...templatePages,
  ...mailingListPages,
  ...statisticsPages,
  ...ipPages,
  ...warmupPages,
  ...bouncePages,
  ...suppressionPages,
  ...webhookPages,
  ...routePages,
  ...validationPages,
  ...dynamicPoolPages,
  ...domainPages,
  ...trackingPages,
  ...placementPages,
  ...alertPages,
  ...healthPages,
  ...trapPages,
  ...blocklistPages,
  ...dmarcPages,
  ...postmasterPages,
  ...thresholdPages,
  ...sandboxPages,
  ...schedulesPages,
  ...emailsPages,
] as const;

export const pages = root.addChildren([
  shell.addChildren(signedIn),
  ...sessionPages,
  share.addChildren(sharePages),
  ...sharedPlacementPages,
  ...reviewsPages,
]);
