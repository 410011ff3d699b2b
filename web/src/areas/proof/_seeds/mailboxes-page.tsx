import { ActionIcon, Alert, Button, Loader, Skeleton, Tooltip } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { PlusIcon, ReloadIcon, SlidersIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { mailboxesQuery, type Mailbox, type MailboxTrial } from '../../../shared/mail/mail-api.ts';
import { OutcomeMark, type Outcome } from '../../../shared/mail/outcome.tsx';
import { RealMailboxes } from '../../../shared/mail/real-mailboxes.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { announce } from '../../../ground/shell/announce.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { laterPart } from '../../../ground/shell/later-part.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { Ago } from '../../../ground/shell/when.tsx';
import { count } from '../../../ground/words.ts';
import classes from './mailboxes.module.css';

const MailboxDialog = laterPart(async () => (await import('./mailbox-dialog.tsx')).MailboxDialog);

function State({ box }: { box: Mailbox }) {
  if (!box.enabled) return <Chip>disabled</Chip>;
  if (box.status === 'working') return <Chip tone="good">connected</Chip>;
  return box.status === 'failing' ? <Chip tone="bad">not connected</Chip> : <Chip>not checked</Chip>;
}

const REASONS: Record<string, string> = {
  login: 'The server refused the login',
  refused: 'The server refused the connection',
  dns: 'The host name could not be resolved',
  tls: 'The secure connection failed',
  timeout: 'The server did not answer in time',
  lost: 'The connection was lost',
  protocol: 'The server does not speak IMAP',
};

/** The folders of a mailbox, and what a message in each counts as. */
function Trial({ trial }: { trial: MailboxTrial }) {
  if (!trial.working) {
    return (
      <Alert color="red" title={REASONS[trial.reason ?? ''] ?? 'Galley could not connect'} mt={10}>
        {trial.message}
        {trial.temporary && ' Try again later.'}
      </Alert>
    );
  }
  return (
    <div className={classes.folders}>
      <p>
        {trial.message}
        {trial.has_tabs && ' Galley reads its tabs from labels.'}
      </p>
      <ul>
        {trial.folders.map(({ path, placement, category }) => (
          <li key={path}>
            <span className="mono">{path}</span>
            <OutcomeMark outcome={placement as Outcome} folder={category} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function useTrial(box: Mailbox) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: ['mailbox-trial', box.id],
    mutationFn: () => api.call('POST /v1/seeds/mailboxes/{mailbox_id}/test', { path: { mailbox_id: box.id } }),
    onSuccess: (trial) => announce(`${box.email}: ${trial.message}`),
    onSettled: () => queries.invalidateQueries({ queryKey: ['mailboxes'] }),
  });
}

function useDelete(box: Mailbox): () => void {
  const queries = useQueryClient();
  const remove = async (): Promise<void> => {
    try {
      await api.call('DELETE /v1/seeds/mailboxes/{mailbox_id}', { path: { mailbox_id: box.id } });
    } catch (error) {
      tell({ color: 'red', title: 'The mailbox was not removed', message: sentenceOf(error) });
    }
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['mailboxes'] }),
      queries.invalidateQueries({ queryKey: ['seed-providers'] }),
    ]);
  };
  return () =>
    ask({
      title: 'Remove this mailbox?',
      text: `${box.email}: Galley deletes its stored credentials. The mailbox itself is not changed.`,
      confirm: 'Remove',
      onConfirm: () => void remove(),
    });
}

interface CardProps {
  box: Mailbox;
  /** It was just added: it is tried at once. */
  isNew: boolean;
  onChange: () => void;
}

function Card({ box, isNew, onChange }: CardProps) {
  const { canWrite } = useRole();
  const trial = useTrial(box);
  const askDelete = useDelete(box);
  const [isBegun, setBegun] = useState(false);
  if (isNew && !isBegun) {
    setBegun(true);
    queueMicrotask(() => trial.mutate());
  }
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <div className={classes.name}>
          <h2>{box.email}</h2>
          <p>
            {box.display_name} · {box.category === 'b2b' ? 'company' : 'consumer'} ·{' '}
            <span className="mono">
              {box.host}:{box.port}
            </span>{' '}
            · {box.security === 'none' ? 'not encrypted' : box.security.toUpperCase()} ·{' '}
            {box.credentials === 'password' ? 'password' : 'access token'}
          </p>
        </div>
        <State box={box} />
        {canWrite && (
          <div className={classes.actions}>
            <Button
              size="xs"
              variant="default"
              leftSection={<ReloadIcon />}
              loading={trial.isPending}
              onClick={() => trial.mutate()}
              aria-label={`Check connection to ${box.email}`}
            >
              Check connection
            </Button>
            <Tooltip label="Edit">
              <ActionIcon aria-label={`Edit ${box.email}`} onClick={onChange}>
                <SlidersIcon />
              </ActionIcon>
            </Tooltip>
            <Tooltip label="Remove">
              <ActionIcon aria-label={`Remove ${box.email}`} onClick={askDelete}>
                <TrashIcon />
              </ActionIcon>
            </Tooltip>
          </div>
        )}
      </div>
      {trial.isPending && (
        <p className={classes.note} role="status">
          <Loader size={12} aria-label="Checking" /> Galley is logging in and reading the folders.
        </p>
      )}
      {trial.error && (
        <Alert color="red" mt={10} title="The connection could not be checked">
          {sentenceOf(trial.error)}
        </Alert>
      )}
      {trial.data && !trial.isPending && <Trial trial={trial.data} />}
      {!trial.data && !trial.isPending && box.status_message && (
        <p className={classes.note}>
          {box.status_message}
          {box.checked_at && (
            <>
              {' '}
              (<Ago at={new Date(box.checked_at)} />)
            </>
          )}
        </p>
      )}
    </li>
  );
}

/** Mailboxes of one's own that tests look into. */
export function MailboxesPage() {
  const boxes = useQuery(mailboxesQuery);
  const { canWrite } = useRole();
  const [dialog, setDialog] = useState<{ box: Mailbox | undefined } | null>(null);
  const [newId, setNewId] = useState<string>();
  const add = (): void => setDialog({ box: undefined });
  const isEmpty = boxes.data?.length === 0;
  return (
    <>
      <PageHead
        title="Seed mailboxes"
        lead={
          isEmpty
            ? undefined
            : 'Mailboxes that you own. Tests send to them and read over IMAP where the message ' +
              `landed.${boxes.data ? ` ${count(boxes.data.length, 'mailbox', 'mailboxes')}.` : ''}`
        }
      >
        {canWrite && !isEmpty && (
          <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={add}>
            New mailbox
          </Button>
        )}
      </PageHead>
      {boxes.error && (
        <Alert color="red" title="The mailboxes could not be loaded">
          {sentenceOf(boxes.error)}
        </Alert>
      )}
      {boxes.isPending && <Skeleton height={110} />}
      {isEmpty && (
        <>
          <Notice
            title="Test in real mailboxes"
            action={
              canWrite && (
                <Button leftSection={<PlusIcon />} onClick={add}>
                  New mailbox
                </Button>
              )
            }
          >
            Galley’s own receivers are simulated: they are rules, not mailboxes. Add mailboxes that you own at Gmail,
            Outlook, Yahoo or any provider with IMAP, and every test also reads their inbox, spam, tabs and folders.
          </Notice>
          <RealMailboxes hasLink={false} />
        </>
      )}
      {boxes.data && !isEmpty && (
        <ul className={classes.list}>
          {boxes.data.map((box) => (
            <Card key={box.id} box={box} isNew={box.id === newId} onChange={() => setDialog({ box })} />
          ))}
        </ul>
      )}
      <Suspense>
        {dialog && (
          <MailboxDialog
            box={dialog.box}
            onClose={() => setDialog(null)}
            onSaved={(saved) => (setDialog(null), dialog.box || setNewId(saved.id))}
          />
        )}
      </Suspense>
    </>
  );
}
