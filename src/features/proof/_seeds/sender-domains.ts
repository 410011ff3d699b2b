// The domains that an account may send as, as far as a test needs them. They are kept by a feature above this one.
import type { DkimKey } from '../../../engines/mail-authentication/index.ts';
import type { DeclaredZone } from '../../../platform/dns/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { definePort } from '../../../platform/ports/index.ts';

export interface SenderDomain {
  name: string;
  /** The sandbox domain that the account has from the start; DNS does not have its records. */
  isSandbox: boolean;
  /** Domains that sign messages. */
  keys: readonly DkimKey[];
  /** DNS as it looks once the domain's records are published and `ip` is the sending host. */
  declaredZone(ip: string): Promise<DeclaredZone>;
}

interface SenderDomains {
  sandboxNameOf(outside: Pick<Outside, 'config'>, accountId: string): string;
  /** The account's domain of an address; undefined when mail may not be sent as it. */
  findVerified(
    outside: Pick<Outside, 'config' | 'db' | 'secrets' | 'clock'>,
    accountId: string,
    address: string,
  ): Promise<SenderDomain | undefined>;
}

export const senderDomains = definePort<SenderDomains>('seeds.sender-domains');
