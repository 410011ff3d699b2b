// A message that the gate looked at: what it said, and what a person does about it.
import { Button } from '@mantine/core';
import type { Reply } from '@galley/sdk';
import { queryOptions } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, statusOf } from '../../ground/api.ts';
import { pollMs } from '../../ground/polling.ts';
import { ask } from '../../ground/shell/ask.ts';
import { useRole } from '../../ground/shell/role.ts';
import { When } from '../../ground/shell/when.tsx';
import mailClasses from '../mail/mail.module.css';
import { useDecide } from './decide.ts';
import classes from './send.module.css';

export type Gated = Reply<'GET /v1/galley/gate/messages'>['items'][number];

const POLL_MS = 5000;
const isOpen = ({ state }: Gated): boolean => state === 'checking' || state === 'held';

/** What the gate said of one message; null where it did not look at it. */
export function gatedQuery(storageKey: string) {
  return queryOptions({
    queryKey: ['gated', storageKey],
    queryFn: ({ signal }) =>
      api
        .call('GET /v1/galley/gate/messages/{storage_key}', { path: { storage_key: storageKey } }, { signal })
        .catch((error: unknown) => {
          if (statusOf(error) === 404) return null;
          throw error;
        }),
    refetchInterval: (query) => pollMs(query, () => !!query.state.data && isOpen(query.state.data), POLL_MS),
  });
}

function useDecisions({ message }: Gated) {
  const path = { storage_key: message.storage_key };
  const run = useDecide(['gated', 'queue']);
  return {
    release: () => void run(() => api.call('POST /v1/galley/gate/messages/{storage_key}/release', { path })),
    askDrop: (subject: string) =>
      ask({
        title: 'Drop this message?',
        text: `“${subject.slice(0, 120)}” is not delivered to anybody who still waits for it. This cannot be undone.`,
        confirm: 'Drop message',
        onConfirm: () => void run(() => api.call('POST /v1/galley/gate/messages/{storage_key}/drop', { path })),
      }),
  };
}

/** What the gate said, in words, with the way to its report. */
export function GatedReason({ gated }: { gated: Gated }) {
  const { reason, verdict, held_until: until } = gated;
  return (
    <>
      <bdi>{reason.slice(0, 1000)}</bdi>
      {isOpen(gated) && until !== null && (
        <>
          {' '}
          It is dropped <When at={new Date(until)} /> if nobody decides.
        </>
      )}
      {verdict.gate_id !== null && (
        <>
          {' '}
          <Link to="/gate/$gateId" params={{ gateId: verdict.gate_id }} className={mailClasses.link}>
            Report of the gate
          </Link>
        </>
      )}
    </>
  );
}

/** Release and drop, while nobody has decided. */
export function GatedActions({ gated, subject }: { gated: Gated; subject: string }) {
  const { canWrite } = useRole('messages');
  const { release, askDrop } = useDecisions(gated);
  if (!canWrite || !isOpen(gated)) return null;
  const named = subject.slice(0, 80);
  return (
    <span className={classes.actions}>
      <Button size="compact-xs" variant="default" aria-label={`Release: ${named}`} onClick={release}>
        Release
      </Button>
      <Button size="compact-xs" variant="default" aria-label={`Drop: ${named}`} onClick={() => askDrop(subject)}>
        Drop
      </Button>
    </span>
  );
}
