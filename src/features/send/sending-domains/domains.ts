// The domains of an account as the other files of this feature find them; its sandbox is made when it is asked for.
import { createHash } from 'node:crypto';
import { generateDkimKey, type DkimKeyType } from '../../../engines/mail-authentication/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { insertKey } from './key-store.ts';
import { keyRow } from './keys.ts';
import { changeSettings, findDomain, insertDomain, type DomainSettings, type SendingDomain } from './store.ts';

const DEFAULT_SETTINGS: DomainSettings = {
  wildcard: false,
  spamAction: 'disabled',
  webScheme: 'http',
  webPrefix: 'email',
  requireTls: false,
  skipVerification: false,
};

/** What a domain takes: its name, its keys, and when. */
export type DomainDoors = Pick<Outside, 'config' | 'db' | 'secrets' | 'clock'>;

/** False when the account has the domain already. */
export async function insertWithKey(
  outside: Pick<Outside, 'db' | 'secrets'>,
  domain: SendingDomain,
  { keyType, selector, more }: { keyType: DkimKeyType; selector: string; more?: (tx: Sql) => Promise<void> },
): Promise<boolean> {
  const privateKey = await generateDkimKey(keyType);
  const key = keyRow(outside, domain, { selector, privateKey, isActive: true, at: domain.createdAt });
  return outside.db.tx(async (tx) => {
    if (!(await insertDomain(tx, domain))) return false;
    await insertKey(tx, key);
    await more?.(tx);
    return true;
  });
}

/** Throws `not_found`. */
export async function getDomain(outside: DomainDoors, accountId: string, name: string): Promise<SendingDomain> {
  const wanted = name.toLowerCase();
  if (wanted === sandboxNameOf(outside, accountId)) return ensureSandboxDomain(outside, accountId);
  const domain = await findDomain(outside.db, accountId, wanted);
  if (!domain) throw new AppError('not_found', 'Domain not found');
  return domain;
}

/** The domain that every account has from the start. Its records are in no DNS, so it is for Galley's own receivers. */
export function sandboxNameOf({ config }: Pick<Outside, 'config'>, accountId: string): string {
  return `sandbox${createHash('sha256').update(accountId).digest('hex').slice(0, 12)}.${config.smtp.domain.toLowerCase()}`;
}

/** Makes the sandbox domain when it is missing; it is always active. */
export async function ensureSandboxDomain(outside: DomainDoors, accountId: string): Promise<SendingDomain> {
  const name = sandboxNameOf(outside, accountId);
  const found = await findDomain(outside.db, accountId, name);
  if (found) return found;
  const now = outside.clock.now();
  const domain: SendingDomain = {
    id: newId(),
    accountId,
    name,
    type: 'sandbox',
    state: 'active',
    settings: DEFAULT_SETTINGS,
    checks: {},
    createdAt: now,
    updatedAt: now,
    verifiedAt: now,
    checkedAt: null,
    checkAt: null,
    authorityId: null,
  };
  await insertWithKey(outside, domain, { keyType: 'rsa-2048', selector: 'galley' });
  return (await findDomain(outside.db, accountId, name)) as SendingDomain;
}

export async function saveChange(
  { db, clock }: Pick<DomainDoors, 'db' | 'clock'>,
  domain: SendingDomain,
  change: Partial<DomainSettings>,
): Promise<SendingDomain> {
  const saved = await changeSettings(db, domain, { change, at: clock.now() });
  if (!saved) throw new AppError('not_found', 'Domain not found');
  return saved;
}

const HOST_LENGTH_MAX = 253;

/**
 * Gives the host of the domain's links another name or scheme. Links that were made before go on working wherever
 * their host leads here. Throws `not_found`, and `invalid_request` for a sandbox domain or a name that is too long.
 */
export async function setTrackingHost(
  outside: DomainDoors,
  accountId: string,
  { name, webPrefix, webScheme }: { name: string } & Partial<Pick<DomainSettings, 'webPrefix' | 'webScheme'>>,
): Promise<SendingDomain> {
  const domain = await getDomain(outside, accountId, name);
  const refuse = (message: string) => new AppError('invalid_request', message, { details: { field: 'web_prefix' } });
  if (domain.type === 'sandbox') throw refuse('A sandbox domain has no records in DNS, so web_prefix has no effect.');
  if (webPrefix !== undefined && webPrefix.length + 1 + domain.name.length > HOST_LENGTH_MAX)
    throw refuse(`web_prefix and the name of the domain must have at most ${HOST_LENGTH_MAX} characters together.`);
  return saveChange(outside, domain, { ...(webPrefix && { webPrefix }), ...(webScheme && { webScheme }) });
}
