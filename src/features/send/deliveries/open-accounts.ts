// Messages of an account that is disabled wait until it is enabled again; those of a closed one are not sent.
import { whenTold } from '../../../platform/facts/index.ts';
import { defineJob } from '../../../platform/feature/index.ts';
import { accountChanged, recallAccount } from '../../account/accounts/index.ts';
import { makeAllDue } from '../messages/index.ts';
import type { Carrier, Outcome } from './outcomes.ts';

const AGAIN_MS = 3_600_000;

/** The account was disabled, or is closed. */
export const ofOpenAccounts: Carrier = async (outside, attempts) => {
  const now = outside.clock.now();
  const ids = [...new Set(attempts.map(({ delivery }) => delivery.accountId))];
  const found = await Promise.all(ids.map(async (id) => [id, (await recallAccount(outside, id))?.status] as const));
  const shut = new Map(found.filter(([, status]) => status !== 'open'));
  return new Map(
    attempts
      .filter(({ delivery }) => shut.has(delivery.accountId))
      .map(({ delivery }): [string, Outcome] => {
        if (shut.get(delivery.accountId) !== 'disabled')
          return [
            delivery.id,
            {
              end: 'failed',
              reason: 'generic',
              status: { code: 554, message: 'The account is closed', description: '' },
            },
          ];
        const status = { code: 498, message: 'The account is disabled', description: 'It goes on when it is enabled.' };
        return [delivery.id, { end: 'deferred', retryAt: new Date(now.getTime() + AGAIN_MS), status }];
      }),
  );
};

/** What waited for an account to be enabled is due when it is. */
const resume = defineJob({
  name: 'deliveries.resume',
  payload: accountChanged.payload,
  lane: 'quick',
  attempts: 10,
  timeoutMs: 300_000,
  async run({ db, clock }, { accountId, status }) {
    if (status === 'open') await makeAllDue(db, accountId, clock.now());
  },
});

export const jobs = [resume];
export const listensTo = [whenTold(accountChanged, resume)];
