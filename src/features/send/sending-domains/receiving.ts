// The domain that takes the mail for an address.
import type { Outside } from '../../../platform/feature/index.ts';
import { findActiveDomain, findOldestDomain, type SendingDomain } from './store.ts';

/** Labels that a name may have below the domain that takes its mail. */
const LABELS_MAX = 10;

/**
 * The domain that takes mail for a host: the verified one of that name, or the nearest above it that takes the mail of
 * all names below it (`wildcard`). Where the service captures, nothing comes from the world, so that a domain that
 * nobody has verified takes it, too: of several accounts', the oldest. Undefined: nobody's.
 */
export async function findReceivingDomain(
  { config, db }: Pick<Outside, 'config' | 'db'>,
  host: string,
): Promise<SendingDomain | undefined> {
  const labels = host.toLowerCase().split('.');
  for (let above = 0; above <= Math.min(LABELS_MAX, labels.length - 2); above += 1) {
    const name = labels.slice(above).join('.');
    const domain =
      (await findActiveDomain(db, name)) ??
      (config.sending.delivery === 'capture' ? await findOldestDomain(db, name) : undefined);
    if (domain && (above === 0 || domain.settings.wildcard)) return domain;
  }
  return undefined;
}
