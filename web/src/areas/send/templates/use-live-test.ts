// The preview test of what is being written: a new one follows each pause, and takes the place of the one before.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, clientsQuery, resultsQuery, testQuery } from '../../../ground/api.ts';
import { proofClients, type ProofClient } from '../../../shared/proof/proof.ts';
import { madeQuery } from './templates-api.ts';

interface Live {
  /** Those of the test before until the new one has all of its own. */
  pictures: ProofClient[];
  isBehind: boolean;
  error: Error | null;
  testId: string | undefined;
}

interface Shown {
  testId: string;
  pictures: ProofClient[];
}

export function useLiveTest(given: Parameters<typeof madeQuery>[0]): Live {
  const queries = useQueryClient();
  const made = useQuery(madeQuery(given));
  const testId = made.data ?? '';
  const test = useQuery({ ...testQuery(testId), enabled: testId !== '' });
  const isDone = test.data !== undefined && test.data.processing.length === 0;
  const results = useQuery({ ...resultsQuery(testId), enabled: isDone });
  const { data: clients } = useQuery(clientsQuery);
  const [shown, setShown] = useState<Shown>();
  const before = useRef<string>(undefined);
  useEffect(() => {
    if (!results.data || !isDone || shown?.testId === testId) return;
    setShown({ testId, pictures: proofClients({ results: Object.values(results.data), info: test.data, clients }) });
  }, [results.data, isDone, shown, testId, test.data, clients]);
  const shownId = shown?.testId;
  useEffect(() => {
    const old = before.current;
    before.current = shownId;
    if (old === undefined || old === shownId) return;
    queries.removeQueries({ queryKey: ['template-test'], predicate: ({ state }) => state.data === old });
    // Where it cannot be deleted it ends with its time, as any test does.
    void api.call('DELETE /v2/preview/tests/{test_id}', { path: { test_id: old } }).catch(() => undefined);
  }, [shownId, queries]);
  return {
    pictures: shown?.pictures ?? [],
    isBehind: given !== undefined && shownId !== testId,
    error: made.error ?? test.error ?? results.error,
    testId: shownId,
  };
}
