import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api.ts';

/** What the key that signed in may do: `support` reads, `developer` works, `admin` manages keys and subaccounts too. */
export function useRole(): { canWrite: boolean; canManage: boolean } {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return { canWrite: session.role !== 'support', canManage: session.role === 'admin' };
}
