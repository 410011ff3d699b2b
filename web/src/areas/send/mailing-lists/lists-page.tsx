import { ActionIcon, Alert, Button, Skeleton, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { sentenceOf } from '../../../ground/api.ts';
import { PlusIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { PageNumbers } from '../../../ground/shell/page-numbers.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { count } from '../../../ground/words.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { ListDialog } from './list-dialog.tsx';
import { ACCESS } from './list-words.ts';
import { listsQuery, removeList, ROWS, type MailingList } from './lists-api.ts';
import { listsExport } from './lists-csv.ts';

function useDelete(): (list: MailingList) => void {
  const queries = useQueryClient();
  const remove = async ({ address }: MailingList): Promise<void> => {
    try {
      await removeList(address);
    } catch (error) {
      tell({ color: 'red', title: 'The list was not deleted', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['mailing-lists'] });
  };
  return (list) =>
    ask({
      title: 'Delete this list?',
      text: `${list.address} goes with its ${count(list.members_count, 'member')}. What is sent there afterwards reaches none of them.`,
      confirm: 'Delete',
      onConfirm: () => void remove(list),
    });
}

function Row({ list, onDelete }: { list: MailingList; onDelete: (() => void) | undefined }) {
  const { address, name, members_count: members, access_level: access } = list;
  return (
    <li className={mailClasses.row}>
      <Link to="/lists/$address" params={{ address }} className={mailClasses.open}>
        <span>
          <span className={mailClasses.subject}>{name || address}</span>
          <span className={mailClasses.facts}>
            {name && <bdi>{address}</bdi>}
            <span>{count(members, 'member')}</span>
            <span>Who writes: {ACCESS[access].label.toLowerCase()}</span>
          </span>
        </span>
      </Link>
      {onDelete && (
        <Tooltip label="Delete">
          <ActionIcon className={mailClasses.delete} aria-label={`Delete ${address}`} onClick={onDelete}>
            <TrashIcon />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}

/** Addresses of the account's domains whose mail goes to members. */
export function ListsPage() {
  const { page = 1 } = useSearch({ from: '/shell/lists' });
  const navigate = useNavigate();
  const { canWrite } = useRole('lists');
  const lists = useQuery(listsQuery(page));
  const [isOpen, dialog] = useDisclosure();
  const askDelete = useDelete();
  const { items = [], total_count: total = 0 } = lists.data ?? {};
  const isEmpty = lists.data !== undefined && total === 0;
  return (
    <>
      <PageHead
        title="Mailing lists"
        lead="A message to the address of a list goes to each of its members, with a link to leave it."
      >
        {total > 0 && <CsvButtons of="mailing lists" name="mailing-lists" {...listsExport} />}
        {canWrite && !isEmpty && (
          <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={dialog.open}>
            New list
          </Button>
        )}
      </PageHead>
      {lists.error && (
        <Alert color="red" title="The lists could not be loaded">
          {sentenceOf(lists.error)}
        </Alert>
      )}
      {lists.isPending && <Skeleton height={110} />}
      {isEmpty && (
        <Notice title="No mailing lists yet" action={canWrite && <Button onClick={dialog.open}>New list</Button>}>
          A list has an address of one of your domains. Newsletters are sent to it with a key; a list for talking takes
          mail of its members, too.
        </Notice>
      )}
      {items.length > 0 && (
        <ul className={mailClasses.rows} aria-label="Mailing lists">
          {items.map((list) => (
            <Row key={list.address} list={list} onDelete={canWrite ? () => askDelete(list) : undefined} />
          ))}
        </ul>
      )}
      {total > 0 && items.length === 0 && <Notice title="No more lists">This is past the last one.</Notice>}
      <PageNumbers
        label="Pages of mailing lists"
        pages={Math.ceil(total / ROWS)}
        page={page}
        onChange={(next) => void navigate({ to: '/lists', search: next > 1 ? { page: next } : {} })}
      />
      {isOpen && <ListDialog onClose={dialog.close} />}
    </>
  );
}
