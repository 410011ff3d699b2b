import { INBOX_BYTES_MAX, MESSAGE_BYTES_MAX, TRIGGERS } from './contract.ts';
import type { CheckName, SandboxMessage } from './messages-store.ts';
import type { Chaos, SandboxInbox } from './store.ts';

function chaosView(chaos: Chaos) {
  const entries = TRIGGERS.flatMap((name) => {
    const trigger = chaos[name];
    return trigger ? [[name, { error_code: trigger.errorCode, probability: trigger.probability }] as const] : [];
  });
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

export const inboxView = (inbox: SandboxInbox) => ({
  id: inbox.id,
  name: inbox.name,
  smtp_user: inbox.smtpUser,
  messages_max: inbox.messagesMax,
  retention_days: inbox.retentionDays,
  checks: inbox.checks,
  checks_per_hour: inbox.checksPerHour,
  webhook_url: inbox.webhookUrl,
  forward: inbox.forwardDomain === null ? null : { domain: inbox.forwardDomain, to: inbox.forwardTo },
  tag_rules: inbox.tagRules.map(({ match, tags }) => ({ match, tags })),
  chaos: chaosView(inbox.chaos),
  message_count: inbox.messageCount,
  unread_count: inbox.unreadCount,
  size_bytes: inbox.sizeBytes,
  size_bytes_max: INBOX_BYTES_MAX,
  revision: inbox.revision,
  dropped_count: inbox.droppedCount,
  dropped_at: inbox.droppedAt?.toISOString() ?? null,
  created_at: inbox.createdAt.toISOString(),
  updated_at: inbox.updatedAt.toISOString(),
});

const CHECK_PATHS: Record<CheckName, string> = {
  previews: '/v2/preview/tests',
  spam: '/v1/inspect/spam',
  gate: '/v1/inspect/gate',
};

function checksView(checks: SandboxMessage['checks'], baseUrl: string) {
  return (Object.keys(CHECK_PATHS) as CheckName[]).flatMap((name) => {
    const check = checks[name];
    if (!check) return [];
    const id = check.state === 'started' ? check.id : null;
    const url = id === null ? null : `${baseUrl}${CHECK_PATHS[name]}/${id}`;
    return [{ name, status: check.state, id, url, message: check.state === 'refused' ? check.why : null }];
  });
}

function webhookView(webhook: SandboxMessage['webhook']) {
  if (!webhook) return null;
  const { url, state, attempts } = webhook;
  const made = attempts.map(({ at, code, message, tookMs }) => ({ at, code, message, took_ms: tookMs }));
  return { url, state, attempts: made };
}

function forwardView(forward: SandboxMessage['forward']) {
  if (!forward) return null;
  const { domain, to, state } = forward;
  const id = forward.state === 'queued' ? forward.id : null;
  return { domain, to, state, id, message: forward.state === 'refused' ? forward.why : null };
}

export const summaryView = (message: SandboxMessage, baseUrl: string) => ({
  id: message.id,
  number: message.number,
  from: message.headerFrom,
  to: message.headerTo,
  subject: message.subject,
  excerpt: message.excerpt,
  mail_from: message.mailFrom,
  recipients: message.recipients,
  size_bytes: message.sizeBytes,
  attachment_count: message.attachmentCount,
  inline_count: message.inlineCount,
  is_read: message.isRead,
  method: message.method,
  remote_address: message.remoteAddress,
  checks: checksView(message.checks, baseUrl),
  webhook: webhookView(message.webhook),
  forward: forwardView(message.forward),
  tags: message.tags,
  received_at: message.receivedAt.toISOString(),
  expires_at: message.expiresAt.toISOString(),
});

/** What may have a thumbnail, by what it says that it is. */
const PICTURE = /^image\/(?:png|p?jpe?g|gif|webp|avif)$/i;

/** What was read of it. */
interface Read {
  html: string | null;
  text: string | null;
  headers: { name: string; value: string }[];
  attachments: { name: string; contentType: string; contentId: string; sizeBytes: number }[];
  problems: string[];
}

export function messageView(message: SandboxMessage, read: Read, baseUrl: string) {
  const url = `${baseUrl}/v1/sandbox/${message.inboxId}/messages/${message.id}`;
  const { html, text, headers, attachments, problems } = read;
  return {
    ...summaryView(message, baseUrl),
    html,
    text,
    headers,
    attachments: attachments.map(({ name, contentType, contentId, sizeBytes }, number) => ({
      number,
      name,
      content_type: contentType,
      content_id: contentId,
      size_bytes: sizeBytes,
      url: `${url}/attachments/${number}`,
      thumbnail_url:
        message.sizeBytes <= MESSAGE_BYTES_MAX && PICTURE.test(contentType)
          ? `${url}/attachments/${number}/thumbnail`
          : null,
    })),
    problems,
    html_url: html === null ? null : `${url}/html`,
    source_url: `${url}/source`,
  };
}
