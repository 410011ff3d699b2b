import { mailDate } from '../../../platform/times/index.ts';
import type { RecordToPublish, SendingDomain } from './store.ts';

/** Three days, as the group's documents give it. */
const MESSAGE_TTL_SECONDS = 259_200;

export function domainView({ id, name, type, state, settings, createdAt, verifiedAt, ...row }: SendingDomain) {
  return {
    id,
    name,
    type,
    state,
    created_at: mailDate(createdAt),
    is_disabled: state === 'disabled',
    disabled: null,
    require_tls: settings.requireTls,
    skip_verification: settings.skipVerification,
    smtp_login: `postmaster@${name}`,
    spam_action: settings.spamAction,
    use_automatic_sender_security: settings.isAutomatic ?? false,
    web_prefix: settings.webPrefix,
    web_scheme: settings.webScheme,
    wildcard: settings.wildcard,
    encrypt_incoming_message: settings.isEncrypted ?? false,
    message_ttl: settings.messageTtl ?? MESSAGE_TTL_SECONDS,
    ...(settings.archiveTo ? { archive_to: settings.archiveTo } : {}),
    ...(settings.mailfromHost ? { mailfrom_host: settings.mailfromHost } : {}),
    ...(type === 'custom' ? { tracking_host: `${settings.webPrefix}.${name}` } : {}),
    verified_at: verifiedAt && mailDate(verifiedAt),
    checked_at: row.checkedAt && mailDate(row.checkedAt),
    next_check_at: row.checkAt && mailDate(row.checkAt),
  };
}

function recordView(
  { checks }: SendingDomain,
  { purpose, type, name, value, priority, isNeeded, check: own }: RecordToPublish,
) {
  const known = own ?? checks[purpose];
  // What DNS said of a host before it was given another name says nothing of this one.
  const isOfAnother = known?.name !== undefined && known.name !== name;
  const check = known && !isOfAnother ? known : { valid: 'unknown' as const, found: [] };
  return {
    is_active: check.valid === 'valid',
    cached: check.found,
    name,
    ...(priority === null ? {} : { priority: String(priority) }),
    record_type: type,
    valid: check.valid,
    value,
    purpose,
    is_needed: isNeeded,
  };
}

export function withRecords(domain: SendingDomain, records: readonly RecordToPublish[]) {
  return {
    domain: domainView(domain),
    sending_dns_records: records.filter(({ type }) => type !== 'MX').map((record) => recordView(domain, record)),
    receiving_dns_records: records.filter(({ type }) => type === 'MX').map((record) => recordView(domain, record)),
  };
}

export type DeliveryMode = 'capture' | 'live';

/** What becomes of messages that the domain sends now: the service decides, and a domain may stay behind. */
export function deliveryModeOf({ settings }: SendingDomain, service: DeliveryMode): DeliveryMode {
  return service === 'live' && !settings.isCaptured ? 'live' : 'capture';
}

export function deliveryView(domain: SendingDomain, service: DeliveryMode) {
  const delivery: DeliveryMode = domain.settings.isCaptured ? 'capture' : 'live';
  return { delivery, effective: deliveryModeOf(domain, service), service };
}
