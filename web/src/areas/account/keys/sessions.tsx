import { ActionIcon, Alert, Badge, Skeleton, Table, Tooltip, VisuallyHidden } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { TrashIcon } from '../../../ground/brand/icons.tsx';
import { api, sentenceOf, sessionsQuery, type LiveSession } from '../../../ground/api.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { Ago } from '../../../ground/shell/when.tsx';
import { browserOf } from '../../../ground/user-agent.ts';
import classes from './keys-page.module.css';

/** The user, or what the key is called. */
const nameOf = ({ user, key_description: description, key_id: id }: LiveSession): string =>
  user?.name || user?.email || description || id || 'unknown';

function useEnd(): (session: LiveSession) => void {
  const queries = useQueryClient();
  const end = async (session: LiveSession): Promise<void> => {
    try {
      await api.call('DELETE /v1/sessions/{session_id}', { path: { session_id: session.id } });
      tell({ message: 'The session is ended.' });
    } catch (error) {
      tell({ color: 'red', title: 'The session was not ended', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['sessions'] });
  };
  return (session) =>
    ask({
      title: 'End this session?',
      text: session.user
        ? `${nameOf(session)} has to sign in again in that browser.`
        : `The person who signed in with “${nameOf(session)}” in that browser has to sign in again. The key keeps working.`,
      confirm: 'End session',
      onConfirm: () => void end(session),
    });
}

function SessionRow({ session, onEnd }: { session: LiveSession; onEnd: () => void }) {
  const [began, used, ends] = [session.created_at, session.last_used_at, session.expires_at].map(
    (time) => new Date(time),
  ) as [Date, Date, Date];
  const name = nameOf(session);
  return (
    <Table.Tr>
      <Table.Td>
        <strong>{name}</strong>
        {session.is_current && (
          <Badge ml={8} size="xs" variant="default">
            this session
          </Badge>
        )}
        <div className={`mono ${classes.id}`}>{session.address}</div>
      </Table.Td>
      <Table.Td title={session.user_agent}>
        <bdi className={classes.program}>{browserOf(session.user_agent)}</bdi>
      </Table.Td>
      <Table.Td>
        <Ago at={began} />
      </Table.Td>
      <Table.Td>
        <Ago at={used} />
      </Table.Td>
      <Table.Td>
        <Ago at={ends} />
      </Table.Td>
      <Table.Td ta="right">
        <Tooltip label="End session">
          <ActionIcon aria-label={`End the session of ${name}`} onClick={onEnd}>
            <TrashIcon />
          </ActionIcon>
        </Tooltip>
      </Table.Td>
    </Table.Tr>
  );
}

/** Who is signed in to the dashboard. */
export function Sessions() {
  const sessions = useQuery(sessionsQuery);
  const askEnd = useEnd();
  return (
    <section aria-labelledby="sessions">
      <div className={classes.head}>
        <h2 id="sessions">Sessions</h2>
      </div>
      {sessions.error && (
        <Alert color="red" title="The sessions could not be loaded">
          {sentenceOf(sessions.error)}
        </Alert>
      )}
      {sessions.isPending && <Skeleton height={80} />}
      {sessions.data && (
        <Sideways minWidth={640} label="Sessions, table">
          <Table verticalSpacing={10}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Signed in with</Table.Th>
                <Table.Th>Browser</Table.Th>
                <Table.Th>Signed in</Table.Th>
                <Table.Th>Last used</Table.Th>
                <Table.Th>Expires</Table.Th>
                <Table.Th>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sessions.data.map((session) => (
                <SessionRow key={session.id} session={session} onEnd={() => askEnd(session)} />
              ))}
            </Table.Tbody>
          </Table>
        </Sideways>
      )}
    </section>
  );
}
