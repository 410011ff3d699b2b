// What the operator publishes for domains that leave their keys to this installation.
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { findFirstAccount } from '../../account/accounts/index.ts';
import { listOperatorKeys } from './key-store.ts';
import { SLOTS, slotHost } from './slots.ts';

const KEYS_MAX = 20_000;
/** Shorter than a key is seen before it signs. */
const TTL_SECONDS = 3600;
/** Of a string of a TXT record (RFC 1035 §3.3.14). */
const STRING_LENGTH = 255;

/** Strings of a TXT record, as a zone file has them. */
const quoted = (value: string): string =>
  (value.match(new RegExp(`.{1,${STRING_LENGTH}}`, 'g')) ?? []).map((part) => `"${part}"`).join(' ');

/** Throws `forbidden` for accounts other than the operator's. */
export async function showKeysZone({ config, db }: Pick<Outside, 'config' | 'db'>, accountId: string) {
  if ((await findFirstAccount(db))?.id !== accountId)
    throw new AppError(
      'forbidden',
      "The zone for keys is the operator's: only the deployment's first account reads it.",
    );
  const { keysZone } = config.dns;
  const keys = keysZone === '' ? [] : await listOperatorKeys(db, SLOTS, KEYS_MAX + 1);
  const records = keys.slice(0, KEYS_MAX).map(({ domainId, selector, record }) => ({
    name: slotHost({ id: domainId }, selector, keysZone),
    type: 'TXT' as const,
    ttl: TTL_SECONDS,
    value: record,
  }));
  return {
    zone: keysZone || null,
    is_bound: keys.length > KEYS_MAX,
    records,
    zone_file: records.map(({ name, ttl, value }) => `${name}. ${ttl} IN TXT ${quoted(value)}\n`).join(''),
  };
}
