// THE list: every feature of Galley, one line each, alphabetical.
import { assemble, type Feature } from '../platform/feature/index.ts';
import accessibility from '../features/proof/accessibility/index.ts';
import accounts from '../features/account/accounts/index.ts';
import addressValidations from '../features/send/address-validations/index.ts';
import alerts from '../features/monitor/alerts/index.ts';
import archiveCopies from '../features/send/archive-copies/index.ts';
import auditLog from '../features/account/audit-log/index.ts';
import blocklists from '../features/monitor/blocklists/index.ts';
import bounceClassification from '../features/send/bounce-classification/index.ts';
import bounces from '../features/send/bounces/index.ts';
import captureAgents from '../features/proof/capture-agents/index.ts';
import captures from '../features/proof/captures/index.ts';
import codeAnalysis from '../features/proof/code-analysis/index.ts';
import credentials from '../features/send/credentials/index.ts';
import deliveries from '../features/send/deliveries/index.ts';
import dmarcReports from '../features/monitor/dmarc-reports/index.ts';
import dynamicPools from '../features/send/dynamic-pools/index.ts';
import emails from '../features/work/emails/index.ts';
import events from '../features/send/events/index.ts';
import figures from '../features/send/_figures/index.ts';
import gate from '../features/proof/gate/index.ts';
import healthScore from '../features/monitor/health-score/index.ts';
import images from '../features/proof/images/index.ts';
import inbound from '../features/send/_inbound/index.ts';
import inboxPlacement from '../features/placement/inbox-placement/index.ts';
import inspections from '../features/proof/_inspections/index.ts';
import ipPools from '../features/send/ip-pools/index.ts';
import ipAllowlist from '../features/account/ip-allowlist/index.ts';
import ipWarmups from '../features/send/ip-warmups/index.ts';
import keys from '../features/account/keys/index.ts';
import limits from '../features/account/limits/index.ts';
import links from '../features/proof/links/index.ts';
import message from '../features/proof/_message/index.ts';
import logs from '../features/send/logs/index.ts';
import mailingLists from '../features/send/mailing-lists/index.ts';
import metrics from '../features/send/metrics/index.ts';
import messages from '../features/send/messages/index.ts';
import passkeys from '../features/account/passkeys/index.ts';
import postmaster from '../features/monitor/postmaster/index.ts';
import monitoredDomains from '../features/monitor/monitored-domains/index.ts';
import monitoredIps from '../features/monitor/monitored-ips/index.ts';
import previewAddress from '../features/proof/preview-address/index.ts';
import previewClients from '../features/proof/preview-clients/index.ts';
import previewExports from '../features/proof/preview-exports/index.ts';
import previewInbox from '../features/proof/preview-inbox/index.ts';
import previewSharing from '../features/proof/preview-sharing/index.ts';
import previewSummaries from '../features/proof/preview-summaries/index.ts';
import previews from '../features/proof/previews/index.ts';
import queue from '../features/send/queue/index.ts';
import reviews from '../features/work/reviews/index.ts';
import routes from '../features/send/routes/index.ts';
import sandboxInboxes from '../features/send/sandbox-inboxes/index.ts';
import sandboxRecipients from '../features/send/sandbox-recipients/index.ts';
import savedViews from '../features/account/saved-views/index.ts';
import schedules from '../features/work/schedules/index.ts';
import secondFactors from '../features/account/second-factors/index.ts';
import seeds from '../features/proof/_seeds/index.ts';
import sendingBatches from '../features/send/sending-batches/index.ts';
import sendingCalendars from '../features/send/sending-calendars/index.ts';
import sendingGates from '../features/send/sending-gates/index.ts';
import sendingLimits from '../features/send/sending-limits/index.ts';
import sendingDomains from '../features/send/sending-domains/index.ts';
import sendingIps from '../features/send/sending-ips/index.ts';
import sessions from '../features/account/sessions/index.ts';
import signingKeys from '../features/send/signing-keys/index.ts';
import spamTests from '../features/proof/spam-tests/index.ts';
import spamTraps from '../features/monitor/spam-traps/index.ts';
import stats from '../features/send/stats/index.ts';
import submission from '../features/send/submission/index.ts';
import tags from '../features/send/tags/index.ts';
import thresholds from '../features/monitor/thresholds/index.ts';
import timelines from '../features/send/timelines/index.ts';
import tracking from '../features/send/tracking/index.ts';
import trackingCertificates from '../features/send/tracking-certificates/index.ts';
import trackingLinks from '../features/send/tracking-links/index.ts';
import users from '../features/account/users/index.ts';
import webhooks from '../features/send/webhooks/index.ts';
import sso from '../features/account/sso/index.ts';
import suppressions from '../features/send/suppressions/index.ts';
import templates from '../features/send/templates/index.ts';
import unsubscribeLinks from '../features/send/unsubscribe-links/index.ts';

export const FEATURES: readonly Feature[] = assemble([
  accessibility,
  accounts,
  addressValidations,
  alerts,
  archiveCopies,
  auditLog,
  blocklists,
  bounceClassification,
  bounces,
  captureAgents,
  captures,
  codeAnalysis,
  credentials,
  deliveries,
  dmarcReports,
  dynamicPools,
  emails,
  events,
  figures,
  gate,
  healthScore,
  images,
  inbound,
  inboxPlacement,
  inspections,
  ipAllowlist,
  ipPools,
  ipWarmups,
  keys,
  limits,
  links,
  logs,
  mailingLists,
  message,
  messages,
  metrics,
  passkeys,
  postmaster,
  monitoredDomains,
  monitoredIps,
  previewAddress,
  previewClients,
  previewExports,
  previewInbox,
  previewSharing,
  previewSummaries,
  previews,
  queue,
  reviews,
  routes,
  sandboxInboxes,
  sandboxRecipients,
  savedViews,
  schedules,
  secondFactors,
  seeds,
  sendingDomains,
  sendingGates,
  sendingBatches,
  sendingCalendars,
  sendingLimits,
  sendingIps,
  sessions,
  signingKeys,
  spamTests,
  spamTraps,
  stats,
  submission,
  tags,
  thresholds,
  timelines,
  tracking,
  trackingCertificates,
  trackingLinks,
  users,
  webhooks,
  sso,
  suppressions,
  templates,
  unsubscribeLinks,
]);
