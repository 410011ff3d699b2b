import type { Outside } from '../../../platform/feature/index.ts';
import { provide } from '../../../platform/ports/index.ts';
import { senderDomains, type SenderDomain } from '../../proof/_seeds/index.ts';
import { declaredZoneOf, findVerifiedDomain } from './actions.ts';
import { sandboxNameOf } from './domains.ts';
import { dkimKeysOf } from './keys.ts';

async function findVerified(
  outside: Pick<Outside, 'config' | 'db' | 'secrets' | 'clock'>,
  accountId: string,
  address: string,
): Promise<SenderDomain | undefined> {
  const domain = await findVerifiedDomain(outside, accountId, address);
  if (!domain) return undefined;
  const keys = await dkimKeysOf(outside, domain);
  return {
    name: domain.name,
    isSandbox: domain.type === 'sandbox',
    keys,
    declaredZone: (ip) => declaredZoneOf(outside, domain, ip),
  };
}

/** The domains that tests are sent as. */
export const sendersOfTests = provide(senderDomains, { sandboxNameOf, findVerified });
