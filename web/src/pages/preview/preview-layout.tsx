import { Loader } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { clientsQuery, resultsQuery, testQuery } from '../../api.ts';
import { proofClients, ProofContext, type Proof } from '../../proof/proof.ts';
import { announce } from '../../shell/announce.ts';
import { Failure } from '../../shell/failure.tsx';
import { fromUnix } from '../../words.ts';
import classes from './preview-page.module.css';

/** The results follow the test: asked again whenever another client is done. */
function useTest(testId: string) {
  const queries = useQueryClient();
  const test = useQuery(testQuery(testId));
  const results = useQuery(resultsQuery(testId));
  const clients = useQuery(clientsQuery);
  const done = (test.data?.completed.length ?? 0) + (test.data?.bounced.length ?? 0);
  const before = useRef(done);
  useEffect(() => {
    if (before.current !== done) void queries.invalidateQueries({ queryKey: ['results', testId] }, { cancelRefetch: false });
    before.current = done;
  }, [queries, testId, done]);
  const isWorking = (test.data?.processing.length ?? 0) > 0;
  const wasWorking = useRef(isWorking);
  useEffect(() => {
    if (wasWorking.current && !isWorking) announce(`All pictures are made: ${done} clients.`);
    wasWorking.current = isWorking;
  }, [isWorking, done]);
  return { test, results, clients };
}

/** Loads a test for its pages: all pictures, one client, two compared. */
export function PreviewLayout() {
  const { testId } = useParams({ from: '/shell/previews/$testId' });
  const { test, results, clients } = useTest(testId);
  const error = test.error ?? results.error ?? clients.error;
  const proof = useMemo<Proof | null>(
    () =>
      test.data && results.data && clients.data
        ? { title: test.data.subject, createdAt: fromUnix(test.data.date), base: `/previews/${testId}`, testId, clients: proofClients({ results: Object.values(results.data), info: test.data, clients: clients.data }) }
        : null,
    [testId, test.data, results.data, clients.data],
  );
  if (error && !proof) return <Failure error={error} reset={() => void Promise.all([test.refetch(), results.refetch(), clients.refetch()])} />;
  if (!proof) return <Loader className={classes.loader} size="sm" aria-label="Loading" />;
  return (
    <ProofContext value={proof}>
      <Outlet />
    </ProofContext>
  );
}
