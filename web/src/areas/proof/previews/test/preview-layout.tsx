import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { clientsQuery, resultsQuery, testQuery, type Result, type TestInfo } from '../../../../ground/api.ts';
import { proofClients, ProofContext, type Proof } from '../../../../shared/proof/proof.ts';
import { announce } from '../../../../ground/shell/announce.ts';
import { Failure } from '../../../../ground/shell/failure.tsx';
import { fromUnix } from '../../../../ground/words.ts';
import { isChecking } from '../../../../ground/checks.ts';
import classes from './preview-page.module.css';
import { useProgress } from './use-progress.ts';

const FOLLOW_MS = 300;

/** Clients that the newer test information calls done, and the results do not yet. */
function isBehind(test: TestInfo | undefined, results: Record<string, Result> | undefined): boolean {
  if (!test || !results) return false;
  const lacksScreen = (test.first_screens ?? []).some(
    (id) => results[id]?.status === 'Processing' && !results[id].first_screens,
  );
  return lacksScreen || [...test.completed, ...test.bounced].some((id) => results[id]?.status === 'Processing');
}

/** The results are large, the test information small: that is polled, and they follow it. */
function useTest(testId: string) {
  const test = useQuery(testQuery(testId));
  const results = useQuery(resultsQuery(testId));
  const clients = useQuery(clientsQuery);
  const { refetch, isFetching } = results;
  const mustFollow = !isFetching && isBehind(test.data, results.data);
  useEffect(() => {
    if (!mustFollow) return;
    const soon = setTimeout(() => void refetch(), FOLLOW_MS);
    return () => clearTimeout(soon);
  }, [mustFollow, refetch]);
  const done = (test.data?.completed.length ?? 0) + (test.data?.bounced.length ?? 0);
  const isWorking = (test.data?.processing.length ?? 0) > 0;
  useProgress(testId, isWorking || (test.data !== undefined && isChecking(test.data)));
  const wasWorking = useRef(isWorking);
  useEffect(() => {
    if (wasWorking.current && !isWorking) announce(`All screenshots are ready: ${done} clients.`);
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
        ? {
            title: test.data.name,
            createdAt: fromUnix(test.data.date),
            base: `/previews/${testId}`,
            testId,
            clients: proofClients({ results: Object.values(results.data), info: test.data, clients: clients.data }),
          }
        : null,
    [testId, test.data, results.data, clients.data],
  );
  if (error && !proof)
    return (
      <Failure error={error} reset={() => void Promise.all([test.refetch(), results.refetch(), clients.refetch()])} />
    );
  if (!proof) return <Loader className={classes.loader} size="sm" aria-label="Loading" />;
  return (
    <ProofContext value={proof}>
      <Outlet />
    </ProofContext>
  );
}
