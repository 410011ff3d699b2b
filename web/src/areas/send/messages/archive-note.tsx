import { Alert, Button } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, sentenceOf } from '../../../ground/api.ts';
import { pollMs } from '../../../ground/polling.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { useRole } from '../../../ground/shell/role.ts';
import { When } from '../../../ground/shell/when.tsx';
import { archiveTold } from '../../../shared/send/archive-words.ts';
import classes from '../../../shared/send/send.module.css';

const POLL_MS = 5000;

const archiveQuery = (message: string) =>
  queryOptions({
    queryKey: ['message-archive', message],
    queryFn: async ({ signal }) => {
      const given = { path: { message }, query: { limit: 1, skip: 0 } };
      return (await api.call('GET /v1/galley/messages/{message}/timeline', given, { signal })).archive;
    },
    refetchInterval: (query) => pollMs(query, (copy) => copy?.state === 'waiting', POLL_MS),
  });

/** What became of the copy for the archive, where the message has one. */
export function ArchiveNote({ storageKey }: { storageKey: string }) {
  const queries = useQueryClient();
  const { data: copy } = useQuery(archiveQuery(storageKey));
  const { canWrite } = useRole('messages');
  const again = useMutation({
    mutationFn: (id: string) => api.call('POST /v1/galley/archive_copies/{copy_id}/retry', { path: { copy_id: id } }),
    onSuccess: () => {
      announce('The copy is posted again.');
      void queries.invalidateQueries({ queryKey: ['message-archive', storageKey] });
    },
  });
  if (!copy) return null;
  const isOpen = copy.state !== 'delivered' && copy.state !== 'captured';
  return (
    <section className={classes.waits} aria-label="Archive">
      {again.error && (
        <Alert color="red" mb="sm" title="The copy was not posted">
          {sentenceOf(again.error)}
        </Alert>
      )}
      <p>
        <bdi>{archiveTold(copy)}</bdi>{' '}
        {copy.next_attempt_at !== undefined && copy.attempts.length > 0 && (
          <>
            Next attempt <When at={new Date(copy.next_attempt_at)} />.
          </>
        )}
      </p>
      {canWrite && isOpen && copy.attempts.length > 0 && (
        <span className={classes.actions}>
          <Button size="xs" variant="default" loading={again.isPending} onClick={() => again.mutate(copy.id)}>
            Post the copy now
          </Button>
        </span>
      )}
    </section>
  );
}
