import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api.ts';
import { WRITERS } from '../lists.generated.ts';

/**
 * What whoever signed in may do: `canWrite` in a group of endpoints, as docs/roles.md has it; `canManage` is for admins
 * alone. Default: what has no group of its own.
 */
export function useRole(group: keyof typeof WRITERS = 'other'): { canWrite: boolean; canManage: boolean } {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const writers: readonly string[] = WRITERS[group];
  return { canWrite: writers.includes(session.role), canManage: session.role === 'admin' };
}
