import { mailDate } from '../../../platform/times/index.ts';
import type { ListName } from './contract.ts';
import type { Suppression } from './store.ts';

/** This group writes the zone as UTC. */
const dateOf = (date: Date): string => mailDate(date).replace(/GMT$/, 'UTC');

export const typeOf = (value: string): 'address' | 'domain' => (value.includes('@') ? 'address' : 'domain');

const VIEWS = {
  bounces: ({ address, code, error, createdAt }: Suppression) => ({
    address,
    code,
    error,
    created_at: dateOf(createdAt),
  }),
  unsubscribes: ({ address, tags, createdAt }: Suppression) => ({ address, tags, created_at: dateOf(createdAt) }),
  complaints: ({ address, createdAt }: Suppression) => ({ address, created_at: dateOf(createdAt) }),
  whitelists: ({ address, reason, createdAt }: Suppression) => ({
    type: typeOf(address),
    value: address,
    reason,
    createdAt: dateOf(createdAt),
  }),
} as const satisfies Record<ListName, (entry: Suppression) => unknown>;

/** An entry as the list shows it. */
export const entryView = (list: ListName, entry: Suppression) => VIEWS[list](entry);
