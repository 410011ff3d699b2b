import { INBOX_BYTES_MAX } from './contract.ts';
import type { SandboxMessage } from './messages-store.ts';
import type { SandboxInbox } from './store.ts';

export const inboxView = (inbox: SandboxInbox) => ({
  id: inbox.id,
  name: inbox.name,
  smtp_user: inbox.smtpUser,
  messages_max: inbox.messagesMax,
  retention_days: inbox.retentionDays,
  message_count: inbox.messageCount,
  size_bytes: inbox.sizeBytes,
  size_bytes_max: INBOX_BYTES_MAX,
  revision: inbox.revision,
  dropped_count: inbox.droppedCount,
  dropped_at: inbox.droppedAt?.toISOString() ?? null,
  created_at: inbox.createdAt.toISOString(),
  updated_at: inbox.updatedAt.toISOString(),
});

export const summaryView = (message: SandboxMessage) => ({
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
  method: message.method,
  remote_address: message.remoteAddress,
  received_at: message.receivedAt.toISOString(),
  expires_at: message.expiresAt.toISOString(),
});

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
    ...summaryView(message),
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
    })),
    problems,
    html_url: html === null ? null : `${url}/html`,
    source_url: `${url}/source`,
  };
}
