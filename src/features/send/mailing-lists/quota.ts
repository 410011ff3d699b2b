import type { Outside } from '../../../platform/feature/index.ts';
import { admitStored } from '../../account/accounts/index.ts';
import { countAllMembers } from './store.ts';

/** Throws `too_many_requests` beyond the quota. */
export const admitMembers = (doors: Pick<Outside, 'config' | 'db'>, accountId: string, adding: number): Promise<void> =>
  admitStored(doors, accountId, {
    quota: 'listMembers',
    adding,
    count: () => countAllMembers(doors.db, accountId),
  });
