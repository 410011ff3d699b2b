import type { SeedMailbox } from './mailboxes-store.ts';

/** What is shown of a mailbox; credentials are not among it. */
export function mailboxView(box: SeedMailbox, credentials: 'password' | 'access_token') {
  return {
    id: box.id,
    email: box.email,
    provider: box.provider,
    display_name: box.displayName,
    category: box.category,
    region: box.region,
    host: box.host,
    port: box.port,
    security: box.security,
    user: box.userName,
    credentials,
    verify_certificate: box.verifyCertificate,
    enabled: box.isEnabled,
    status: box.status,
    status_message: box.statusMessage,
    checked_at: box.checkedAt?.toISOString() ?? null,
    created_at: box.createdAt.toISOString(),
    updated_at: box.updatedAt.toISOString(),
  };
}
