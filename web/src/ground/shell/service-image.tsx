import { fetchAnswer } from '@galley/sdk';
import { useQuery } from '@tanstack/react-query';
import { actingFor } from '../api.ts';

async function readImage(path: string, signal: AbortSignal): Promise<string | null> {
  const accountId = actingFor();
  const headers = new Headers(accountId === null ? [] : [['x-service-account-id', accountId]]);
  const response = await fetchAnswer(path, { headers, signal });
  if (!response.ok) return null;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('');
  return `data:${response.headers.get('content-type') ?? 'image/jpeg'};base64,${btoa(text)}`;
}

/**
 * A small picture of the service, for the account that this tab works for: the address of a picture alone would be asked
 * for that of who signed in. Nothing is shown where the service has none.
 */
export function ServiceImage({ path, alt, className }: { path: string; alt: string; className?: string | undefined }) {
  const { data } = useQuery({
    queryKey: ['service-image', actingFor(), path],
    queryFn: ({ signal }) => readImage(path, signal),
    staleTime: Infinity,
    retry: false,
  });
  return data ? <img src={data} alt={alt} className={className} /> : null;
}
