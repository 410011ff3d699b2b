import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, sentenceOf } from '../../../ground/api.ts';
import { TrashIcon } from '../../../ground/brand/icons.tsx';
import { pollMs } from '../../../ground/polling.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { useRole } from '../../../ground/shell/role.ts';
import { Ago } from '../../../ground/shell/when.tsx';
import mailClasses from '../../../shared/mail/mail.module.css';
import { Chip } from '../../../shared/mail/test-state.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import classes from '../../../shared/send/send.module.css';
import { feedsQuery, type Feed } from './traps-api.ts';

const POLL_MS = 2000;
const STATES: Readonly<Record<Feed['state'], { tone?: 'good' | 'bad' | 'doubt'; words: string }>> = {
  waiting: { words: 'waiting' },
  connected: { tone: 'good', words: 'connected' },
  limited: { tone: 'doubt', words: 'asked too often' },
  failing: { tone: 'doubt', words: 'failing' },
  expired: { tone: 'bad', words: 'expired' },
};

function useFeeds() {
  const queries = useQueryClient();
  const guarded = async (title: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      tell({ color: 'red', title, message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['traps'] });
  };
  const read = ({ id, name }: Feed): void =>
    void guarded('The feed is not read', async () => {
      await api.call('POST /v1/spamtraps/feeds/{feed_id}/read', { path: { feed_id: id } });
      announce(`${name} is being read.`);
    });
  const askRemove = ({ id, name }: Feed): void =>
    ask({
      title: 'Remove this feed?',
      text: `${name} is read no more, and its credentials are deleted. Hits that were read stay.`,
      confirm: 'Remove',
      onConfirm: () =>
        void guarded('The feed was not removed', () =>
          api.call('DELETE /v1/spamtraps/feeds/{feed_id}', { path: { feed_id: id } }),
        ),
    });
  return { read, askRemove };
}

/** Providers' feeds of hits, and how their last reading ended; nothing where there are none. */
export function Feeds() {
  const { canWrite } = useRole();
  const { data } = useQuery({
    ...feedsQuery,
    refetchInterval: (query) => pollMs(query, ({ items }) => items.some(({ state }) => state === 'waiting'), POLL_MS),
  });
  const { read, askRemove } = useFeeds();
  if (!data || data.items.length === 0) return null;
  return (
    <section aria-labelledby="trap-feeds">
      <h2 id="trap-feeds" className={reportClasses.sectionTitle}>
        Feeds<span className={reportClasses.sectionNote}>read once a day</span>
      </h2>
      <ul className={mailClasses.rows}>
        {data.items.map((feed) => (
          <li key={feed.id} className={mailClasses.row}>
            <div className={classes.entry}>
              <bdi className={classes.address}>{feed.name}</bdi>
              <span className={classes.facts}>
                <Chip tone={STATES[feed.state].tone}>{STATES[feed.state].words}</Chip>
                <bdi>{feed.asks.replace(/^https?:\/\//, '')}</bdi>
                <span>
                  {feed.succeeded_at === null ? (
                    'never read'
                  ) : (
                    <>
                      read <Ago at={new Date(feed.succeeded_at)} />
                    </>
                  )}
                </span>
                {feed.problem !== null && <span>{feed.problem}</span>}
              </span>
            </div>
            {canWrite && (
              <>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Read now: ${feed.name}`}
                  onClick={() => read(feed)}
                >
                  Read now
                </Button>
                <Tooltip label="Remove">
                  <ActionIcon
                    className={mailClasses.delete}
                    aria-label={`Remove ${feed.name}`}
                    onClick={() => askRemove(feed)}
                  >
                    <TrashIcon />
                  </ActionIcon>
                </Tooltip>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
