// The DKIM keys of a domain: which sign, and how they are kept.
import { dkimRecord, type DkimKey } from '../../../engines/mail-authentication/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { findAuthority, listKeys, type StoredKey } from './key-store.ts';
import type { SendingDomain } from './store.ts';

/** A key is sealed for its place: moved to another domain or selector, it does not open. */
const purposeOf = (domain: string, selector: string): string => `dkim:${domain}:${selector}`;

type NamedDomain = Pick<SendingDomain, 'id' | 'name'>;

interface NewKey {
  selector: string;
  /** PKCS #8, PEM. */
  privateKey: string;
  isActive: boolean;
  at: Date;
}

/** The row of a key, sealed. */
export function keyRow(
  { secrets }: Pick<Outside, 'secrets'>,
  domain: NamedDomain,
  { selector, privateKey, isActive, at }: NewKey,
): StoredKey {
  return {
    id: newId(),
    domainId: domain.id,
    selector,
    privateKey: secrets.seal(privateKey, purposeOf(domain.name, selector)),
    record: dkimRecord(privateKey),
    isActive,
    isNext: false,
    checked: null,
    seenAt: null,
    signsSince: null,
    retiresAt: null,
    createdAt: at,
  };
}

/** The same key under another selector. */
export function underSelector(
  { secrets }: Pick<Outside, 'secrets'>,
  domain: NamedDomain,
  { key, selector }: { key: StoredKey; selector: string },
): { selector: string; privateKey: string; checked: null } {
  const privateKey = secrets.open(key.privateKey, purposeOf(domain.name, key.selector));
  return { selector, privateKey: secrets.seal(privateKey, purposeOf(domain.name, selector)), checked: null };
}

/** The keys that sign for a domain, ready for `signDkim`. */
export async function dkimKeysOf(outside: Pick<Outside, 'db' | 'secrets'>, domain: SendingDomain): Promise<DkimKey[]> {
  const authority = await findAuthority(outside.db, domain);
  const keys = (await listKeys(outside.db, authority)).filter(({ isActive }) => isActive);
  return keys.map(({ selector, privateKey }) => ({
    domain: authority.name,
    selector,
    privateKey: outside.secrets.open(privateKey, purposeOf(authority.name, selector)),
  }));
}
