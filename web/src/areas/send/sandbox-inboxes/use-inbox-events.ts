// An inbox as it changes. Where events cannot be had, it is asked again and again.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { readEvents } from '../../../ground/events.ts';

const AGAIN_MS = 3000;

/** Loads the inbox and its list anew whenever the service says that they have changed. True while it says so. */
export function useInboxEvents(inbox: string): boolean {
  const queries = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    const load = (): void => {
      for (const key of ['sandbox-inbox', 'sandbox-messages', 'sandbox-tags'])
        void queries.invalidateQueries({ queryKey: [key, inbox] });
    };
    const onEvent = (): void => {
      setIsLive(true);
      load();
    };
    const follow = async (): Promise<void> => {
      while (!signal.aborted) {
        await readEvents(`/v1/sandbox/${encodeURIComponent(inbox)}/events`, { signal, onEvent }).catch(() => undefined);
        if (signal.aborted) return;
        setIsLive(false);
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        load();
      }
    };
    void follow();
    return () => left.abort();
  }, [inbox, queries]);
  return isLive;
}
