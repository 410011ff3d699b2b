// Limits of addresses: every message that would leave from one is counted, whichever process sends it.
import type { SendingGate } from '../sending-ips/index.ts';
import * as store from './store.ts';
import { reasonOf, windowAt } from './windows.ts';

/** Holds back what leaves from addresses with limits. */
export const limitsGate: SendingGate = {
  heldBack: async ({ db }, ips) => (await store.listLimitsOfIps(db, ips)).map(({ name }) => name),
  async takeFrom({ db }, ip, { count, now }) {
    const limits = await store.listLimitsOfIps(db, [ip]);
    if (limits.length === 0) return { count };
    return db.tx(async (tx) => {
      const keys = limits.map(({ id: limitId, accountId, ...limit }) => ({
        accountId,
        limitId,
        startsAt: windowAt(limit, now).startsAt,
      }));
      const used = await store.lockWindows(tx, keys);
      const free = limits.map((limit) => ({ limit, left: limit.maxMessages - used.get(limit.id)! }));
      const granted = Math.max(0, Math.min(count, ...free.map(({ left }) => left)));
      if (granted > 0) for (const key of keys) await store.addUses(tx, key, granted);
      if (granted === count) return { count };
      const full = free.filter(({ left }) => left <= granted).map(({ limit }) => limit);
      const ends = full.map((limit) => ({ limit, until: windowAt(limit, now).endsAt }));
      const { limit, until } = ends.reduce((last, one) => (one.until > last.until ? one : last));
      return { count: granted, reason: reasonOf(limit, { now, until }), until };
    });
  },
  async giveBack({ db, clock }, ip, count) {
    const now = clock.now();
    for (const limit of await store.listLimitsOfIps(db, [ip])) {
      const { startsAt } = windowAt(limit, now);
      await store.addUses(db, { accountId: limit.accountId, limitId: limit.id, startsAt }, -count);
    }
  },
};
