import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { definePort } from '../../../platform/ports/index.ts';

interface DomainLogins {
  /**
   * Readies the login `postmaster@` of a domain, or its new password. Answers what writes it in the transaction that
   * adds or changes the domain. Throws `invalid_request` for the password, `too_many_requests`.
   */
  prepare(
    doors: Pick<Outside, 'config' | 'db' | 'clock'>,
    domain: { id: string; accountId: string; name: string },
    password: unknown,
  ): Promise<(tx: Sql) => Promise<void>>;
}

/** Logins by SMTP, which a feature above keeps. */
export const domainLogins = definePort<DomainLogins>('sending-domains.logins');
