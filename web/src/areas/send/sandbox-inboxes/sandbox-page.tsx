import { ActionIcon, Alert, Button, Skeleton, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, sentenceOf } from '../../../ground/api.ts';
import { PlusIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { bytes, count, figure } from '../../../ground/words.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { inboxesExport } from './sandbox-csv.ts';
import { NewInboxDialog } from './new-inbox-dialog.tsx';
import { inboxesQuery, type Inbox } from './sandbox-api.ts';

function useDelete(): (inbox: Inbox) => void {
  const queries = useQueryClient();
  const remove = async ({ id }: Inbox): Promise<void> => {
    try {
      await api.call('DELETE /v1/sandbox/{inbox}', { path: { inbox: id } });
    } catch (error) {
      tell({ color: 'red', title: 'The inbox was not deleted', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['sandbox'] });
  };
  return (inbox) =>
    ask({
      title: 'Delete this inbox?',
      text: `${inbox.name} goes with ${count(inbox.message_count, 'message')}, and programs can no longer log in to it.`,
      confirm: 'Delete',
      onConfirm: () => void remove(inbox),
    });
}

function Row({ inbox, onDelete }: { inbox: Inbox; onDelete: (() => void) | undefined }) {
  return (
    <li className={mailClasses.row}>
      <Link to="/sandbox/$inbox" params={{ inbox: inbox.name }} className={mailClasses.open}>
        <span>
          <span className={mailClasses.subject}>{inbox.name}</span>
          <span className={mailClasses.facts}>
            <span>{count(inbox.message_count, 'message')}</span>
            {inbox.unread_count > 0 && <span>{figure(inbox.unread_count)} unread</span>}
            <span>{bytes(inbox.size_bytes)}</span>
            <span>kept for {count(inbox.retention_days, 'day')}</span>
            {inbox.dropped_count > 0 && (
              <span>{count(inbox.dropped_count, 'older one', 'older ones')} made room for newer</span>
            )}
          </span>
        </span>
      </Link>
      {onDelete && (
        <Tooltip label="Delete">
          <ActionIcon className={mailClasses.delete} aria-label={`Delete ${inbox.name}`} onClick={onDelete}>
            <TrashIcon />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}

/** Inboxes that programs under development send to. */
export function SandboxPage() {
  const inboxes = useQuery(inboxesQuery);
  const { canWrite } = useRole();
  const [isOpen, dialog] = useDisclosure();
  const askDelete = useDelete();
  return (
    <>
      <PageHead
        title="Sandbox"
        lead="Point a program at an inbox while you develop or test it. Whatever it sends arrives here, and is delivered to nobody."
      >
        {inboxes.data && inboxes.data.items.length > 0 && (
          <CsvButtons of="inboxes" name="sandbox-inboxes" {...inboxesExport} />
        )}
        {canWrite && (
          <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={dialog.open}>
            New inbox
          </Button>
        )}
      </PageHead>
      {inboxes.error && (
        <Alert color="red" title="The inboxes could not be loaded">
          {sentenceOf(inboxes.error)}
        </Alert>
      )}
      {inboxes.isPending && <Skeleton height={110} />}
      {inboxes.data?.total === 0 && (
        <Notice title="No inboxes yet" action={canWrite && <Button onClick={dialog.open}>New inbox</Button>}>
          An inbox has a login for SMTP of its own. Give it to your program, and look at its messages here.
        </Notice>
      )}
      {inboxes.data && inboxes.data.items.length > 0 && (
        <ul className={mailClasses.rows} aria-label="Inboxes">
          {inboxes.data.items.map((inbox) => (
            <Row key={inbox.id} inbox={inbox} onDelete={canWrite ? () => askDelete(inbox) : undefined} />
          ))}
        </ul>
      )}
      {isOpen && <NewInboxDialog onClose={dialog.close} />}
    </>
  );
}
