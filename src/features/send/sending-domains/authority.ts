// Whose keys sign for a domain: its own, or those of a domain above it.
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { getDomain } from './domains.ts';
import { lookUpKeys } from './checks.ts';
import { listParents, saveAuthority } from './key-store.ts';
import type { SendingDomain } from './store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'secrets' | 'clock' | 'dns'>;

/** The nearest domain above that has keys of its own. Throws `invalid_request`. */
async function parentOf(doors: Doors, { accountId, name }: SendingDomain): Promise<SendingDomain> {
  const parents = await listParents(doors.db, accountId, name);
  const parent = parents.find(({ authorityId }) => authorityId === null);
  if (!parent)
    throw new AppError('invalid_request', `self must be true: this account has no domain above ${name}.`, {
      details: { field: 'self' },
    });
  return parent;
}

/**
 * Lets a domain be signed with its own keys, or with those of the domain above it. `isChanged`: it was not so before.
 * Throws `not_found`, and `invalid_request` where there is none above, or where the domain is verified and DNS does not
 * show the keys that would sign.
 */
export async function changeAuthority(
  doors: Doors,
  accountId: string,
  { name, isSelf }: { name: string; isSelf: boolean },
): Promise<{ domain: SendingDomain; isChanged: boolean }> {
  const domain = await getDomain(doors, accountId, name);
  const authorityId = isSelf || domain.type === 'sandbox' ? null : (await parentOf(doors, domain)).id;
  if (authorityId === domain.authorityId) return { domain, isChanged: false };
  const changed = { ...domain, authorityId };
  if (domain.state === 'active') {
    const missing = (await lookUpKeys(doors, changed)).find(({ check }) => check.valid !== 'valid');
    if (missing)
      throw new AppError(
        'invalid_request',
        `DKIM authority was not changed: publish TXT ${missing.record.name} "${missing.record.value}" first, so that ` +
          'no message fails.',
      );
  }
  await saveAuthority(doors.db, domain, { authorityId, at: doors.clock.now() });
  return { domain: changed, isChanged: true };
}
