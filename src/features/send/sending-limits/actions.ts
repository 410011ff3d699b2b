import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { maySendFrom } from '../ip-pools/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import { LIMITS_MAX } from './contract.ts';
import { recheck } from './jobs.ts';
import * as store from './store.ts';
import type { Limit } from './store.ts';

type Doors = Pick<Context, 'config' | 'db' | 'secrets' | 'clock' | 'lists' | 'principal' | 'jobs' | 'mailer'>;
type Named = Pick<Limit, 'scope' | 'name'>;

/** As it is counted. Throws `invalid_request`, and `not_found` for a domain. */
async function nameOf(doors: Doors, { scope, name }: Named): Promise<string> {
  const { accountId } = doors.principal;
  if (scope === 'account') {
    if (name !== '') throw invalid('name', 'must be empty for the account.');
    return '';
  }
  if (name === '') throw invalid('name', `must name the ${scope}.`);
  if (scope === 'domain') return (await getDomain(doors, accountId, name)).name;
  if (scope === 'ip') {
    const ip = name.trim().toLowerCase();
    if (await maySendFrom(doors.db, accountId, { ip })) return ip;
    throw invalid('name', 'must be an IP address that this account may send from, as GET /v3/ips lists them.');
  }
  const provider = name.trim().toLowerCase();
  const { providers } = doors.mailer;
  if (!providers.includes(provider)) throw invalid('name', `must be one of ${providers.join(', ')}.`);
  return provider;
}

/** What waits for limits is looked at again. */
async function lookAgain({ db, jobs, principal }: Doors): Promise<void> {
  const { accountId } = principal;
  await jobs.enqueue(db, recheck, { payloads: [{ accountId }], account: accountId });
  jobs.wake();
}

/** One for each scope, name and period. Throws `invalid_request` naming the field, and `not_found` for a domain. */
export async function putLimit(doors: Doors, given: Named & { period: Limit['period']; max: number }): Promise<Limit> {
  const { accountId } = doors.principal;
  const { scope, period, max: maxMessages } = given;
  const name = await nameOf(doors, given);
  const saved = await doors.db.tx(async (tx) => {
    await tx.lock(`sending-limits ${accountId}`);
    const limit = await store.saveLimit(tx, accountId, {
      scope,
      name,
      period,
      maxMessages,
      updatedAt: doors.clock.now(),
    });
    if ((await store.countLimits(tx, accountId)) > LIMITS_MAX)
      throw new AppError('invalid_request', `An account has at most ${LIMITS_MAX} sending limits; delete one first.`);
    return limit;
  });
  await lookAgain(doors);
  return saved;
}

/** Throws `not_found`. */
export async function deleteLimit(doors: Doors, id: string): Promise<void> {
  const { accountId } = doors.principal;
  const found = /^\d{1,18}$/.test(id) ? await store.deleteLimit(doors.db, accountId, id) : undefined;
  if (!found) throw new AppError('not_found', 'This account has no sending limit with this id.');
  await lookAgain(doors);
}
