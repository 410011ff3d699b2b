// What leaves from where is remembered in each process; a change of it here is seen here at once.
import type { Db } from '../../../platform/db/index.ts';

const changes = new WeakMap<Db, number>();

/** How often it changed in this process. */
export const routeChanges = (db: Db): number => changes.get(db) ?? 0;

/** After every change of addresses, pools, and what domains and subaccounts send from; other processes see it a second later. */
export function forgetRoutes(db: Db): void {
  changes.set(db, routeChanges(db) + 1);
}
