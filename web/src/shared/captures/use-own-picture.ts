import { useQuery } from '@tanstack/react-query';
import { fetchAnswer } from '@galley/sdk';
import { useEffect, useState } from 'react';
import { actingFor, pathOf } from '../../ground/api.ts';

/**
 * The address of a picture that only its account may see. An `img` carries the session of who signed in, and not the
 * subaccount that they look at: for that one the page asks itself.
 */
export function useOwnPicture(url: string | null): string | undefined {
  const accountId = actingFor();
  const { data } = useQuery({
    queryKey: ['own-picture', url, accountId],
    enabled: url !== null && accountId !== null,
    staleTime: Infinity,
    gcTime: 30_000,
    queryFn: async ({ signal }) => {
      const headers = { 'x-service-account-id': accountId ?? '' };
      const response = await fetchAnswer(pathOf(url ?? ''), { headers, signal });
      if (!response.ok) throw new Error('The picture could not be loaded.');
      return response.blob();
    },
  });
  const [made, setMade] = useState<string>();
  useEffect(() => {
    if (!data) return;
    const address = URL.createObjectURL(data);
    setMade(address);
    return () => URL.revokeObjectURL(address);
  }, [data]);
  if (url === null) return undefined;
  return accountId === null ? pathOf(url) : made;
}
