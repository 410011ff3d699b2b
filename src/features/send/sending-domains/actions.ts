import type { DkimKeyType } from '../../../engines/mail-authentication/index.ts';
import type { DeclaredZone } from '../../../platform/dns/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { newId, randomHex } from '../../../platform/ids/index.ts';
import { admitStored } from '../../account/accounts/index.ts';
import { listRecords, lookUp, publisherOf, saveKeyChecks, tellChanges, type CheckDoors } from './checks.ts';
import { domainChecked } from './facts.ts';
import { nextCheckOf } from './first-checks.ts';
import {
  ensureSandboxDomain,
  getDomain,
  insertWithKey,
  sandboxNameOf,
  saveChange,
  type DomainDoors,
} from './domains.ts';
import { nextOf, startSlots } from './automatic.ts';
import { SLOTS } from './slots.ts';
import { listParents, releaseDependents } from './key-store.ts';
import { domainLogins } from './logins.ts';
import { zoneOf } from './records.ts';
import { refuseAutomatic } from './settings.ts';
import {
  deleteDomain,
  findDomain,
  listDomains,
  saveVerification,
  takeName,
  type DomainSettings,
  type SendingDomain,
} from './store.ts';
import { deliveryModeOf, type DeliveryMode } from './view.ts';

/** Labels of letters, digits and hyphens, at least two, the last not all digits (RFC 1123 §2.1). */
const NAME = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

interface NewDomain {
  name: string;
  keyType: DkimKeyType;
  selector: string | undefined;
  settings: DomainSettings;
  /** Its own keys sign for it, also where the account has a verified domain above it. */
  isOwnAuthority: boolean;
  /** Keys by CNAME records. */
  isAutomatic: boolean | undefined;
  /** As it was given: makes the login `postmaster@`. */
  smtpPassword: unknown;
}

/** The nearest verified domain of the account above this name, or whom that leaves its keys to. */
async function parentAuthority(db: Sql, accountId: string, name: string): Promise<string | null> {
  const parent = (await listParents(db, accountId, name)).find(({ state }) => state === 'active');
  return parent ? (parent.authorityId ?? parent.id) : null;
}

/** The name of a domain that may be added. Throws `invalid_request`. */
function nameOf(outside: Pick<Outside, 'config'>, given: string): string {
  const name = given.trim().toLowerCase().replace(/\.$/, '');
  if (!NAME.test(name))
    throw new AppError(
      'invalid_request',
      'name must be a domain name such as mail.example.com; write names of other scripts in their xn-- form.',
      { details: { field: 'name' } },
    );
  // Whoever took another account's sandbox before it is made would keep that account from sending.
  if (/^sandbox[0-9a-f]{12}\./.test(name) && name.endsWith(`.${outside.config.smtp.domain.toLowerCase()}`))
    throw new AppError('invalid_request', `The domain ${name} is a sandbox, which Galley makes itself.`, {
      details: { field: 'name' },
    });
  return name;
}

/**
 * Adds a domain, not verified yet, with a fresh key. Throws `invalid_request` for a name that is none, or that the
 * account has, or for a password that no login may have. Other accounts may have it too: whoever verifies it has it.
 */
export async function addDomain(
  outside: DomainDoors & Pick<Outside, 'ports'>,
  accountId: string,
  wanted: NewDomain,
): Promise<SendingDomain> {
  const name = nameOf(outside, wanted.name);
  refuseAutomatic(outside, wanted.isAutomatic);
  const isAutomatic = wanted.isAutomatic === true;
  if (isAutomatic && wanted.selector !== undefined)
    throw invalid(
      'dkim_selector',
      'must be left out with use_automatic_sender_security, which has selectors of its own.',
    );
  const now = outside.clock.now();
  await admitStored(outside, accountId, {
    quota: 'domains',
    count: async () =>
      (
        await listDomains(outside.db, [accountId], {
          state: undefined,
          search: undefined,
          order: 'name',
          limit: 0,
          skip: 0,
        })
      ).total,
  });
  const domain: SendingDomain = {
    id: newId(),
    accountId,
    name,
    type: 'custom',
    state: 'unverified',
    settings: { ...wanted.settings, ...(isAutomatic && { isAutomatic }) },
    checks: {},
    createdAt: now,
    updatedAt: now,
    verifiedAt: null,
    checkedAt: null,
    checkAt: nextCheckOf(now, now),
    authorityId: wanted.isOwnAuthority || isAutomatic ? null : await parentAuthority(outside.db, accountId, name),
  };
  const { keyType, smtpPassword } = wanted;
  const selector = isAutomatic ? SLOTS[0] : (wanted.selector ?? `galley${randomHex(3)}`).toLowerCase();
  const next = isAutomatic ? await nextOf(outside, domain) : undefined;
  const addLogin =
    smtpPassword === undefined || smtpPassword === ''
      ? undefined
      : await outside.ports.get(domainLogins).prepare(outside, domain, smtpPassword);
  const more = async (tx: Sql): Promise<void> => {
    await addLogin?.(tx);
    if (next) await startSlots(tx, domain, { next, at: now });
  };
  const isNew = await insertWithKey(outside, domain, { keyType, selector, more });
  if (!isNew)
    throw new AppError('invalid_request', `The domain ${name} is already in use in this account.`, {
      details: { field: 'name' },
    });
  return domain;
}

/**
 * Looks the records up now. The domain is active once every needed record is seen; one that was stays so while DNS is
 * silent. Each account has a key of its own to publish, so that only who keeps the DNS decides whose record is there:
 * the account that verified last has the name, and the others' are unverified, as if they had never been seen.
 */
export async function verifyDomain(
  outside: DomainDoors & CheckDoors,
  accountId: string,
  name: string,
): Promise<SendingDomain> {
  const domain = await getDomain(outside, accountId, name);
  if (domain.type === 'sandbox' || domain.state === 'disabled') return domain;
  const { checks, keyChecks, state } = await lookUp(outside, domain, { isMeant: true });
  const now = outside.clock.now();
  const verified = await outside.db.tx(async (tx) => {
    if (state === 'active') await takeName(tx, domain, now);
    await saveKeyChecks(tx, accountId, keyChecks);
    const saved = await saveVerification(tx, domain, { state, checks, at: now });
    if (!saved) return undefined;
    await outside.facts.tell(tx, domainChecked, {
      account: accountId,
      payload: { accountId, domain: saved.name, state: saved.state },
    });
    await tellChanges(outside, tx, { accountId, name: domain.name, before: domain.checks, after: checks });
    return saved;
  });
  outside.jobs.wake();
  if (!verified) throw new AppError('not_found', 'Domain not found');
  return verified;
}

/** Throws `not_found`. Its keys go with it. */
export async function removeDomain(
  outside: Pick<Outside, 'db' | 'facts' | 'jobs' | 'clock'>,
  accountId: string,
  name: string,
): Promise<void> {
  const at = outside.clock.now();
  await outside.db.tx(async (tx) => {
    const own = await findDomain(tx, accountId, name.toLowerCase());
    if (own) await releaseDependents(tx, own, at);
    const domain = await deleteDomain(tx, accountId, name.toLowerCase());
    if (!domain) throw new AppError('not_found', 'Domain not found');
    await tellChanges(outside, tx, { accountId, name: domain.name, before: domain.checks, after: {} });
  });
  outside.jobs.wake();
}

/** The account's active domain of an address (or a bare domain name); undefined when mail may not be sent as it. */
export async function findVerifiedDomain(
  outside: DomainDoors,
  accountId: string,
  address: string,
): Promise<SendingDomain | undefined> {
  const name = address
    .slice(address.lastIndexOf('@') + 1)
    .replace(/[>\s]+$/, '')
    .toLowerCase();
  if (name === sandboxNameOf(outside, accountId)) return ensureSandboxDomain(outside, accountId);
  const domain = await findDomain(outside.db, accountId, name);
  return domain?.state === 'active' ? domain : undefined;
}

/**
 * DNS as it looks once the domain's records are published and `ip` is the sending host: what a simulated receiver asks
 * for a sandbox domain, or for one whose records are not out yet.
 */
export async function declaredZoneOf(
  outside: Pick<Outside, 'config' | 'db'>,
  domain: SendingDomain,
  ip: string,
): Promise<DeclaredZone> {
  // The keys themselves, where the domain's own records only lead to them.
  const publisher = { ...publisherOf(outside), keysZone: undefined };
  return zoneOf(await listRecords(outside, domain, publisher), { sendingHost: publisher.sendingHost, ip });
}

/**
 * What becomes of messages that a domain sends now. Throws `forbidden`, with the records that are missing, when they
 * would leave and it is not verified.
 */
export async function admitSender(outside: DomainDoors, accountId: string, name: string): Promise<DeliveryMode> {
  const domain = await getDomain(outside, accountId, name);
  const mode = deliveryModeOf(domain, outside.config.sending.delivery);
  if (mode === 'capture' || domain.state === 'active') return mode;
  const missing = (await listRecords(outside, domain)).filter(({ isNeeded }) => isNeeded);
  const records = missing.map((record) => `${record.type} ${record.name} "${record.value}"`).join('; ');
  throw new AppError(
    'forbidden',
    `Domain ${domain.name} is not verified, so that nothing is delivered as it. Publish in DNS: ${records}; then call ` +
      `PUT /v4/domains/${domain.name}/verify.`,
  );
}

/** Throws `not_found`. */
export async function setDelivery(
  outside: DomainDoors,
  accountId: string,
  { name, delivery }: { name: string; delivery: DeliveryMode },
): Promise<SendingDomain> {
  const domain = await getDomain(outside, accountId, name);
  return saveChange(outside, domain, { isCaptured: delivery === 'capture' });
}
