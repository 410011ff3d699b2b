import { ActionIcon, Alert, Button, Tooltip } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { PencilIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { pollMs } from '../../../ground/polling.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { useRole } from '../../../ground/shell/role.ts';
import { Ago } from '../../../ground/shell/when.tsx';
import { count } from '../../../ground/words.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { Chip } from '../../../shared/mail/test-state.tsx';
import tables from '../../../shared/send/send.module.css';
import { everything, mailboxesQuery, type ReportMailbox } from './dmarc-api.ts';
import classes from './dmarc.module.css';
import { ReportMailboxDialog } from './report-mailbox-dialog.tsx';

const POLL_MS = 2000;
const STATES: Readonly<Record<ReportMailbox['state'], { tone?: 'good' | 'bad' | 'doubt'; words: string }>> = {
  waiting: { words: 'waiting' },
  working: { tone: 'good', words: 'read' },
  failing: { tone: 'doubt', words: 'failing' },
  stopped: { tone: 'bad', words: 'stopped' },
};

interface Tested {
  id: string;
  working: boolean;
  message: string;
}

function useMailboxes() {
  const queries = useQueryClient();
  const [tested, setTested] = useState<Tested>();
  const guarded = async (title: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      tell({ color: 'red', title, message: sentenceOf(error) });
    }
    await queries.invalidateQueries(everything);
  };
  const path = ({ id }: ReportMailbox) => ({ path: { mailbox_id: id } });
  const read = (box: ReportMailbox): void =>
    void guarded('The mailbox is not read', async () => {
      await api.call('POST /v1/dmarc/mailboxes/{mailbox_id}/read', path(box));
      announce(`${box.user} is being read.`);
    });
  const test = (box: ReportMailbox): void =>
    void guarded('The mailbox was not tested', async () => {
      setTested(undefined);
      const { working, message } = await api.call('POST /v1/dmarc/mailboxes/{mailbox_id}/test', path(box));
      setTested({ id: box.id, working, message });
    });
  const askRemove = (box: ReportMailbox): void =>
    ask({
      title: 'Remove this mailbox?',
      text: `${box.user} is read no more, and its password is deleted. Reports that were found in it stay.`,
      confirm: 'Remove',
      onConfirm: () =>
        void guarded('The mailbox was not removed', () =>
          api.call('DELETE /v1/dmarc/mailboxes/{mailbox_id}', path(box)),
        ),
    });
  return { read, test, askRemove, tested, forget: () => setTested(undefined) };
}

function Facts({ box }: { box: ReportMailbox }) {
  const state = box.enabled ? STATES[box.state] : { words: 'off' };
  return (
    <span className={tables.facts}>
      <Chip tone={state.tone}>{state.words}</Chip>
      <bdi>{box.host}</bdi>
      <bdi>{box.folder}</bdi>
      <span>
        {box.checked_at === null ? (
          'never looked into'
        ) : (
          <>
            looked into <Ago at={new Date(box.checked_at)} />
          </>
        )}
      </span>
      <span>
        {count(box.reports_found, 'report')} in {count(box.messages_read, 'message')}
      </span>
      {box.messages_left !== null && box.messages_left > 0 && <span>{count(box.messages_left, 'message')} to go</span>}
      {box.problem !== null && <span>{box.problem}</span>}
    </span>
  );
}

/** What a test said. It stands in the row: a message in the corner of the window would cover the row's buttons. */
function Outcome({ tested: { working, message }, onClose }: { tested: Tested; onClose: () => void }) {
  return (
    <Alert
      className={classes.outcome}
      {...(!working && { color: 'red' })}
      title={working ? 'The mailbox can be read' : 'The mailbox cannot be read'}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      {message}
    </Alert>
  );
}

/** Mailboxes that receive reports and are read by IMAP, and how the last visit to each ended. */
export function ReportMailboxes() {
  const { canWrite } = useRole();
  const [opened, setOpened] = useState<ReportMailbox | 'new'>();
  const { data } = useQuery({
    ...mailboxesQuery,
    refetchInterval: (query) =>
      pollMs(query, ({ items }) => items.some(({ state, enabled }) => enabled && state === 'waiting'), POLL_MS),
  });
  const { read, test, askRemove, tested, forget } = useMailboxes();
  if (!data || (data.items.length === 0 && !canWrite)) return null;
  return (
    <section aria-label="Mailboxes" className={classes.mailboxes}>
      <h2 className={tables.part}>Mailboxes</h2>
      <p className={classes.text}>
        Where your records name a mailbox of yours, it is read by IMAP every 15 minutes. Messages stay there, unread.
      </p>
      {data.items.length > 0 && (
        <ul className={mailClasses.rows}>
          {data.items.map((box) => (
            <li key={box.id} className={`${mailClasses.row} ${classes.mailbox}`}>
              <div className={tables.entry}>
                <bdi className={tables.address}>{box.user}</bdi>
                <Facts box={box} />
              </div>
              {canWrite && (
                <div className={classes.mailboxActions}>
                  <Button size="compact-xs" variant="default" aria-label={`Test ${box.user}`} onClick={() => test(box)}>
                    Test
                  </Button>
                  {box.enabled && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`Read now: ${box.user}`}
                      onClick={() => read(box)}
                    >
                      Read now
                    </Button>
                  )}
                  <Tooltip label="Change">
                    <ActionIcon
                      className={mailClasses.delete}
                      aria-label={`Change ${box.user}`}
                      onClick={() => setOpened(box)}
                    >
                      <PencilIcon />
                    </ActionIcon>
                  </Tooltip>
                  <Tooltip label="Remove">
                    <ActionIcon
                      className={mailClasses.delete}
                      aria-label={`Remove ${box.user}`}
                      onClick={() => askRemove(box)}
                    >
                      <TrashIcon />
                    </ActionIcon>
                  </Tooltip>
                </div>
              )}
              {tested?.id === box.id && <Outcome tested={tested} onClose={forget} />}
            </li>
          ))}
        </ul>
      )}
      {canWrite && (
        <Button mt={12} variant="default" onClick={() => setOpened('new')}>
          New mailbox
        </Button>
      )}
      {opened !== undefined && (
        <ReportMailboxDialog {...(opened !== 'new' && { box: opened })} onClose={() => setOpened(undefined)} />
      )}
    </section>
  );
}
