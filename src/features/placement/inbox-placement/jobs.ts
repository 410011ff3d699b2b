import { defineRetention } from '../../../platform/feature/retention.ts';
import { placements } from './deliveries.ts';
import { placementChanged } from './facts.ts';
import { deleteExpiredResults, findResultOfAnyone, listExpiringFalls } from './results-store.ts';

export const { erase, expire } = defineRetention({
  name: 'placement',
  objectsOf: (id) => `placements/${id}`,
  isThere: async (db, id) => (await findResultOfAnyone(db, id)) !== undefined,
  async tellExpiring({ facts }, tx, expiring) {
    for (const payload of await listExpiringFalls(tx, expiring))
      await facts.tell(tx, placementChanged, { account: payload.accountId, payload });
  },
  async deleteExpired(tx, now, limit) {
    const ids = await deleteExpiredResults(tx, now, limit);
    await placements.forgetOfAnyone(tx, ids);
    return ids;
  },
});
