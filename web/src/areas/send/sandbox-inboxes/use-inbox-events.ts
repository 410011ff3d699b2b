// An inbox as it changes. Where events cannot be had, it is asked again and again.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { readEvents } from '../../../ground/events.ts';
import { notifyOf } from './notices.ts';

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
    /** Up to which revision of the inbox is told; none at first. */
    let told: number | undefined;
    const onEvent = (name: string, data: string): void => {
      setIsLive(true);
      load();
      if (name !== 'changed') return;
      const { revision } = JSON.parse(data) as { revision: number };
      // A message that could not be told of stands in the list.
      if (told !== undefined) void notifyOf(inbox, told).catch(() => undefined);
      told = revision;
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
