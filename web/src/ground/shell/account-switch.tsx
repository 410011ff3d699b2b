import { Badge, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { actFor, actingFor, ownApi, sentenceOf } from '../api.ts';
import { CheckIcon, SearchIcon } from '../brand/icons.tsx';
import { count } from '../words.ts';
import classes from './account-switch.module.css';
import { Dialog } from './dialog.tsx';

const SHOWN_MAX = 50;
const PAUSE_MS = 150;

/** Asked as the account that signed in, whichever this tab works for. */
const choicesQuery = (words: string) =>
  queryOptions({
    queryKey: ['account-choices', words],
    queryFn: async ({ signal }) => {
      const query = { limit: SHOWN_MAX, enabled: true, ...(words !== '' && { filter: words }) };
      const [session, found] = await Promise.all([
        ownApi.call('GET /v1/session', {}, { signal }),
        ownApi.call('GET /v5/accounts/subaccounts', { query }, { signal }),
      ]);
      return { main: session.account, ...found };
    },
    placeholderData: keepPreviousData,
  });

/** The main account and its subaccounts: this tab works for the one that is chosen. */
export function AccountSwitch({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [words] = useDebouncedValue(text.trim(), PAUSE_MS);
  const { data, error } = useQuery(choicesQuery(words));
  const acting = actingFor();
  const enter = async (id: string | null): Promise<void> => {
    onClose();
    if (id === acting) return;
    actFor(id);
    await navigate({ to: '/' });
    await queries.resetQueries();
  };
  const choices = data ? [{ id: null, name: data.main.name }, ...data.subaccounts] : [];
  return (
    <Dialog onClose={onClose} title="Switch account">
      <TextInput
        aria-label="Search subaccounts"
        placeholder="Name of a subaccount"
        leftSection={<SearchIcon />}
        value={text}
        maxLength={200}
        data-autofocus
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {error && <p role="alert">{sentenceOf(error)}</p>}
      <ul className={classes.choices} aria-label="Accounts">
        {choices.map(({ id, name }) => (
          <li key={id ?? 'main'}>
            <button
              type="button"
              className={classes.choice}
              aria-current={id === acting || undefined}
              onClick={() => void enter(id)}
            >
              <bdi>{name}</bdi>
              {id === null && (
                <Badge size="sm" variant="default">
                  main account
                </Badge>
              )}
              {id === acting && <CheckIcon />}
            </button>
          </li>
        ))}
      </ul>
      <p className={classes.state} role="status">
        {data &&
          data.subaccounts.length === 0 &&
          (words === '' ? 'There are no subaccounts.' : 'No subaccount has this name.')}
        {data &&
          data.total > data.subaccounts.length &&
          `${count(data.total - data.subaccounts.length, 'more subaccount')}: type a name.`}
      </p>
    </Dialog>
  );
}
