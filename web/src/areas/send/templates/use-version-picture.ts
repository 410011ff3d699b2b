// The picture of a stored version in one client.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, clientsQuery, resultsQuery, testQuery } from '../../../ground/api.ts';
import type { Side } from '../../../shared/compare/pair.ts';
import { pictureOf, proofClients } from '../../../shared/proof/proof.ts';
import type { Place } from './templates-api.ts';

interface Wanted {
  place: Place;
  tag: string;
  client: string;
  variables: Record<string, unknown>;
}

function testOf({ place: { domain, name }, tag, client, variables }: Wanted) {
  return queryOptions({
    queryKey: ['version-test', domain ?? '', name, tag, client, variables],
    queryFn: async () => {
      const template = { name, version: tag, ...(domain && { domain }) };
      const body = { template, data: variables, subject: `${name}, ${tag}`.slice(0, 200), clients: [client] };
      return (await api.call('POST /v2/preview/tests', { body })).id;
    },
    // A version may be changed before the page is opened again.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
}

export function useVersionPicture(wanted: Wanted): { side: Side | undefined; error: Error | null } {
  const made = useQuery(testOf(wanted));
  const testId = made.data ?? '';
  const test = useQuery({ ...testQuery(testId), enabled: testId !== '' });
  const isDone = test.data !== undefined && test.data.processing.length === 0;
  const results = useQuery({ ...resultsQuery(testId), enabled: isDone });
  const { data: clients } = useQuery(clientsQuery);
  const [found] = results.data ? proofClients({ results: Object.values(results.data), info: test.data, clients }) : [];
  const picture = found?.result.pictures['default'];
  const hasFailed = isDone && results.data !== undefined && !picture;
  const error = made.error ?? test.error ?? results.error;
  if (hasFailed) return { side: undefined, error: error ?? new Error(`No picture of ${wanted.tag} could be made.`) };
  if (!found || !picture) return { side: undefined, error };
  const url = pictureOf(found, 'default') ?? '';
  const alt = `The version ${wanted.tag} in ${found.name}`;
  return { side: { name: wanted.tag, url, alt, width: picture.width, height: picture.height }, error };
}
