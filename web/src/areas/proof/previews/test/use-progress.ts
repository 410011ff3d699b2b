// The progress of a test as the service tells it. Where events cannot be had, the test is polled as before.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isTold, resultsQuery, testQuery, type TestInfo } from '../../../../ground/api.ts';
import { readEvents } from '../../../../ground/events.ts';

type Progress = Pick<TestInfo, 'completed' | 'processing' | 'bounced' | 'first_screens' | 'content_checking'>;

/** Follows a test from when it is under way until the service says that nothing more is to come. */
export function useProgress(testId: string, isUnderWay: boolean): void {
  const queries = useQueryClient();
  const [followed, setFollowed] = useState<string>();
  if (isUnderWay && followed !== testId) setFollowed(testId);
  const isFollowed = followed === testId;
  useEffect(() => {
    if (!isFollowed) return;
    const left = new AbortController();
    const { queryKey } = testQuery(testId);
    let isOver = false;
    const onEvent = (name: string, data: string): void => {
      isOver ||= name === 'end';
      if (name !== 'progress') return;
      isTold.add(testId);
      const progress = JSON.parse(data) as Progress;
      queries.setQueryData(queryKey, (known) => (known ? { ...known, first_screens: undefined, ...progress } : known));
    };
    const path = `/v2/preview/tests/${encodeURIComponent(testId)}/events`;
    void readEvents(path, { signal: left.signal, onEvent })
      // Polling goes on where it cannot be told.
      .catch(() => undefined)
      .finally(() => {
        isTold.delete(testId);
        if (left.signal.aborted) return;
        if (isOver) setFollowed(undefined);
        // What pictures look like is known last; a stream that broke off is asked after.
        void queries.invalidateQueries({ queryKey });
        void queries.invalidateQueries({ queryKey: resultsQuery(testId).queryKey });
      });
    return () => left.abort();
  }, [testId, isFollowed, queries]);
}
