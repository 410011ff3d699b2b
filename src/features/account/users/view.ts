import { mailDate } from '../../../platform/times/index.ts';
import type { User } from './store.ts';

/** A user as existing clients know them. */
export function view(user: User) {
  const email = user.email ?? '';
  const [localPart = '', domain = ''] = email.split('@', 2);
  return {
    id: user.id,
    activated: user.activatedAt !== null,
    name: user.name,
    is_disabled: user.disabledAt !== null,
    email,
    email_details: {
      address: email,
      is_valid: true,
      reason: '',
      parts: { domain, local_part: localPart, display_name: user.name },
    },
    role: user.role,
    account_id: user.accountId,
    opened_ip: user.openedIp ?? '',
    is_master: user.isMaster,
    metadata: {},
    tfa_enabled: user.tfaCreatedAt !== null,
    tfa_active: user.tfaCreatedAt !== null,
    tfa_created_at: user.tfaCreatedAt && mailDate(user.tfaCreatedAt),
    password_updated_at: user.passwordUpdatedAt && mailDate(user.passwordUpdatedAt),
    preferences: { time_zone: 'UTC', time_format: '24', programming_language: 'curl' },
    auth: {
      method: user.lastSignInBy ?? 'password',
      prior_method: user.priorSignInBy ?? '',
      prior_details: {},
    },
    github_user_id: null,
    salesforce_user_id: null,
    migration_status: 'none',
  };
}

/** What Galley's own pages know besides. */
export function ownView(user: User, invitationExpiresAt: Date | undefined) {
  return {
    created_at: user.createdAt.toISOString(),
    last_sign_in_at: user.lastSignInAt?.toISOString() ?? null,
    last_sign_in_by: user.lastSignInBy,
    has_password: user.passwordHash !== null,
    invitation_expires_at: invitationExpiresAt?.toISOString() ?? null,
    mail_problem: user.mailProblem,
  };
}
