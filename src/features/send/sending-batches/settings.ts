// When batches of a domain are held.
import type { Context } from '../../../platform/feature/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import { DEFAULTS } from './contract.ts';
import { findBreaker, saveBreaker, type BreakerSettings } from './store.ts';

type Doors = Pick<Context, 'config' | 'db' | 'secrets' | 'clock' | 'lists' | 'principal'>;

/** Throws `not_found`. */
export async function getSettings(doors: Doors, name: string): Promise<BreakerSettings & { domain: string }> {
  const { accountId } = doors.principal;
  const domain = await getDomain(doors, accountId, name);
  return { ...((await findBreaker(doors.db, accountId, domain.name)) ?? DEFAULTS), domain: domain.name };
}

/** Holds for batches that begin from then on. Throws `not_found`. */
export async function putSettings(
  doors: Doors,
  name: string,
  given: Pick<BreakerSettings, 'mode'> & { [Name in keyof BreakerSettings]?: BreakerSettings[Name] | undefined },
): Promise<BreakerSettings & { domain: string }> {
  const { accountId } = doors.principal;
  const domain = await getDomain(doors, accountId, name);
  const { mode } = given;
  const { sample = DEFAULTS.sample, bouncedMax = DEFAULTS.bouncedMax, deferredMax = DEFAULTS.deferredMax } = given;
  const settings = { mode, sample, bouncedMax, deferredMax };
  const updatedAt = doors.clock.now();
  await saveBreaker(doors.db, accountId, { domainId: domain.id, domain: domain.name, ...settings, updatedAt });
  return { ...settings, domain: domain.name };
}
