import { notFound } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { plainIp } from '../../../platform/network/index.ts';
import { findIp, type SendingIp } from './store.ts';

/** An address that an account sends from: its own, or a shared one. Throws `not_found`. */
export async function getIp({ db }: Pick<Outside, 'db'>, accountId: string, given: string): Promise<SendingIp> {
  const ip = plainIp(given);
  const found = ip === undefined ? undefined : await findIp(db, accountId, ip);
  if (!found) throw notFound('IP address', given);
  return found;
}

/** Nobody but the operator adds addresses: the log is where operators look. */
export function askOperator({ log }: Pick<Outside, 'log'>, accountId: string): string {
  log.info({ account: accountId }, 'an account asks for an address to send from; GALLEY_SENDING_IPS adds one');
  return 'The operator of this service was told in its log; no address was added. GALLEY_SENDING_IPS adds addresses.';
}
