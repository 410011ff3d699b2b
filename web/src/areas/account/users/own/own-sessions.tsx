import { Alert, Badge, Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, sentenceOf, type LiveSession } from '../../../../ground/api.ts';
import { tell } from '../../../../ground/shell/ask.ts';
import { Ago } from '../../../../ground/shell/when.tsx';
import { OWN_SESSIONS_KEY, ownSessionsQuery } from './own-query.ts';
import classes from './own.module.css';

function useEnd() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (ids: string[]) =>
      Promise.all(ids.map((id) => api.call('DELETE /v1/sessions/{session_id}', { path: { session_id: id } }))),
    onSuccess: (ended) =>
      tell({ message: ended.length === 1 ? 'The session is ended.' : `${ended.length} sessions are ended.` }),
    onError: (error) => tell({ color: 'red', title: 'Not every session was ended', message: sentenceOf(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: OWN_SESSIONS_KEY }),
  });
}

interface RowProps {
  session: LiveSession;
  isEnding: boolean;
  onEnd: () => void;
}

function SessionRow({ session, isEnding, onEnd }: RowProps) {
  return (
    <li>
      <div className={classes.what}>
        {session.user_agent || 'Unknown browser'}
        {session.is_current && (
          <Badge ml={8} size="xs" variant="default">
            this session
          </Badge>
        )}
        <div className={classes.more}>
          <span className="mono">{session.address}</span> · signed in <Ago at={new Date(session.created_at)} /> · last
          used <Ago at={new Date(session.last_used_at)} />
        </div>
      </div>
      {!session.is_current && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isEnding}
          aria-label={`End the session from ${session.address}`}
          onClick={onEnd}
        >
          End
        </Button>
      )}
    </li>
  );
}

/** Where the person is signed in. */
export function OwnSessions() {
  const { data = [], error, isPending } = useQuery(ownSessionsQuery);
  const end = useEnd();
  const others = data.filter((session) => !session.is_current).map(({ id }) => id);
  return (
    <section aria-labelledby="own-sessions">
      <h2 id="own-sessions">Sessions</h2>
      <p className={classes.about}>The browsers in which you are signed in now.</p>
      {error && (
        <Alert color="red" title="Your sessions could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={80} />}
      {data.length > 0 && (
        <ul className={classes.list}>
          {data.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isEnding={end.isPending}
              onEnd={() => end.mutate([session.id])}
            />
          ))}
        </ul>
      )}
      {others.length > 1 && (
        <Button mt="md" variant="default" loading={end.isPending} onClick={() => end.mutate(others)}>
          End all other sessions
        </Button>
      )}
    </section>
  );
}
