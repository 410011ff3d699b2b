import { ActionIcon, Alert, Button, SegmentedControl, Skeleton, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { PencilIcon, SearchIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { PageNumbers } from '../../../ground/shell/page-numbers.tsx';
import { Notice } from '../../../ground/shell/page.tsx';
import { useShortcuts } from '../../../ground/shell/shortcuts.ts';
import { count } from '../../../ground/words.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import sendClasses from '../../../shared/send/send.module.css';
import { membersQuery, removeMember, ROWS, subscribe, type MailingList, type Member } from './lists-api.ts';
import type { ListSearch } from './lists-search.ts';
import classes from './lists.module.css';
import { MemberDialog } from './member-dialog.tsx';

interface MembersProps {
  list: MailingList;
  search: ListSearch;
  canWrite: boolean;
  onAdd: () => void;
}

type Change = (changes: { [Name in keyof ListSearch]: ListSearch[Name] | undefined }) => void;

/** What can be done with a member, and is shown when it is done. */
function useActions({ address }: MailingList) {
  const queries = useQueryClient();
  const act = async (title: string, what: () => Promise<unknown>): Promise<void> => {
    try {
      await what();
    } catch (error) {
      tell({ color: 'red', title, message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['list-members', address] });
    await queries.invalidateQueries({ queryKey: ['mailing-list', address] });
    void queries.invalidateQueries({ queryKey: ['mailing-lists'] });
  };
  const set = (member: Member, isSubscribed: boolean): void =>
    void act('The member was not changed', () => subscribe(address, member.address, isSubscribed));
  return {
    set: (member: Member): void =>
      member.subscribed
        ? set(member, false)
        : ask({
            title: 'Subscribe them again?',
            text: `${member.address} is on the list, but gets nothing: they left, or were added so.`,
            confirm: 'Subscribe',
            onConfirm: () => set(member, true),
          }),
    remove: (member: Member): void =>
      ask({
        title: 'Delete this member?',
        text: `${member.address} is taken off the list with its name and variables.`,
        confirm: 'Delete',
        onConfirm: () => void act('The member was not deleted', () => removeMember(address, member.address)),
      }),
  };
}

interface RowProps {
  member: Member;
  actions: ReturnType<typeof useActions> | undefined;
  onEdit: () => void;
}

function Row({ member, actions, onEdit }: RowProps) {
  const { address, name, vars, subscribed } = member;
  const variables = Object.keys(vars);
  return (
    <li className={mailClasses.row}>
      <div className={sendClasses.entry}>
        <bdi className={sendClasses.address}>{address}</bdi>
        <span className={sendClasses.facts}>
          {!subscribed && <span className={classes.left}>Unsubscribed</span>}
          {name && <bdi>{name}</bdi>}
          {variables.length > 0 && <bdi>{variables.slice(0, 6).join(', ').slice(0, 120)}</bdi>}
        </span>
      </div>
      {actions && (
        <span className={classes.actions}>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`${subscribed ? 'Unsubscribe' : 'Subscribe'} ${address}`}
            onClick={() => actions.set(member)}
          >
            {subscribed ? 'Unsubscribe' : 'Subscribe'}
          </Button>
          <Tooltip label="Change">
            <ActionIcon aria-label={`Change ${address}`} onClick={onEdit}>
              <PencilIcon />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Delete">
            <ActionIcon aria-label={`Delete ${address}`} onClick={() => actions.remove(member)}>
              <TrashIcon />
            </ActionIcon>
          </Tooltip>
        </span>
      )}
    </li>
  );
}

function Filters({ search, change }: { search: ListSearch; change: Change }) {
  const [text, setText] = useState(search.term ?? '');
  const box = useRef<HTMLInputElement>(null);
  const changeLater = useDebouncedCallback(change, 300);
  useShortcuts({ search: () => box.current?.focus() });
  return (
    <form
      className={sendClasses.search}
      role="search"
      aria-label="Members"
      onSubmit={(event) => event.preventDefault()}
    >
      <TextInput
        ref={box}
        className={sendClasses.text}
        type="search"
        aria-label="Search members"
        placeholder="How the address begins"
        leftSection={<SearchIcon />}
        value={text}
        maxLength={320}
        onChange={(event) => {
          setText(event.currentTarget.value);
          changeLater({ term: event.currentTarget.value.trim() || undefined, page: undefined });
        }}
      />
      <SegmentedControl
        aria-label="Which members"
        size="xs"
        value={search.subscribed ?? ''}
        data={[
          { value: '', label: 'All' },
          { value: 'yes', label: 'Subscribed' },
          { value: 'no', label: 'Unsubscribed' },
        ]}
        onChange={(value) =>
          change({ subscribed: value === 'yes' || value === 'no' ? value : undefined, page: undefined })
        }
      />
    </form>
  );
}

function Empty({ list, search, canWrite, onAdd }: MembersProps) {
  if (list.members_count === 0)
    return (
      <Notice title="No members yet" action={canWrite && <Button onClick={onAdd}>Add members</Button>}>
        What is sent to the list reaches nobody until it has some.
      </Notice>
    );
  return (
    <Notice title="No members match">
      {search.term
        ? `No ${search.subscribed === 'no' ? 'unsubscribed ' : ''}address on this list begins with “${search.term}”.`
        : search.page
          ? 'This is past the last one.'
          : `Nobody on this list is ${search.subscribed === 'no' ? 'unsubscribed' : 'subscribed'}.`}
    </Notice>
  );
}

/** The members of a list, by address. */
export function Members(props: MembersProps) {
  const { list, search, canWrite } = props;
  const navigate = useNavigate();
  const members = useQuery(membersQuery(list.address, search));
  const actions = useActions(list);
  const [edited, setEdited] = useState<Member>();
  const change: Change = (changes) => {
    const next = Object.fromEntries(Object.entries({ ...search, ...changes }).filter(([, value]) => value));
    void navigate({ to: '/lists/$address', params: { address: list.address }, search: next, replace: true });
  };
  const { items = [], total, hasMore = false } = members.data ?? {};
  return (
    <section aria-label="Members">
      <h2 className={classes.title}>{count(list.members_count, 'member')}</h2>
      {list.members_count > 0 && <Filters search={search} change={change} />}
      {members.error && (
        <Alert color="red" mb="md" title="The members could not be loaded">
          {sentenceOf(members.error)}
        </Alert>
      )}
      {members.isPending && <Skeleton height={90} />}
      {members.data && items.length === 0 && <Empty {...props} />}
      {items.length > 0 && (
        <ul className={mailClasses.rows}>
          {items.map((member) => (
            <Row
              key={member.address}
              member={member}
              actions={canWrite ? actions : undefined}
              onEdit={() => setEdited(member)}
            />
          ))}
        </ul>
      )}
      {hasMore && (
        <p className={sendClasses.counted}>More addresses begin so. Write more of the one that you look for.</p>
      )}
      {total !== undefined && (
        <PageNumbers
          label="Pages of members"
          pages={Math.ceil(total / ROWS)}
          page={search.page ?? 1}
          onChange={(page) => change({ page: page > 1 ? page : undefined })}
        />
      )}
      {edited && <MemberDialog list={list.address} member={edited} onClose={() => setEdited(undefined)} />}
    </section>
  );
}
