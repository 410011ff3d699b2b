import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { actingFor, sessionQuery, subaccountsQuery } from '../../../ground/api.ts';

interface Accounts {
  /** The account itself first, then its subaccounts; a subaccount has none. */
  list: { id: string; name: string }[];
  /** What an account is called; its id where that is not known. */
  nameOf: (id: string) => string;
  error: Error | null;
}

/** The accounts that thresholds can be about. */
export function useAccounts(): Accounts {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data, error } = useQuery({ ...subaccountsQuery, enabled: !actingFor() });
  const list = [session.account, ...(data?.subaccounts ?? [])];
  return { list, error, nameOf: (id) => list.find((account) => account.id === id)?.name ?? id };
}
