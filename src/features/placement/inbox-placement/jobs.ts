import { defineRetention } from '../../../platform/feature/retention.ts';
import { placements } from './deliveries.ts';
import { deleteExpiredResults, findResultOfAnyone } from './results-store.ts';

export const { erase, expire } = defineRetention({
  name: 'placement',
  objectsOf: (id) => `placements/${id}`,
  isThere: async (db, id) => (await findResultOfAnyone(db, id)) !== undefined,
  async deleteExpired(tx, now, limit) {
    const ids = await deleteExpiredResults(tx, now, limit);
    await placements.forgetOfAnyone(tx, ids);
    return ids;
  },
});
