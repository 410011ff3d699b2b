import { ActionIcon, Button, TextInput } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { actingFor, api, sentenceOf } from '../api.ts';
import { CloseIcon } from '../brand/icons.tsx';
import { tell } from '../shell/ask.ts';
import classes from './lists.module.css';

const VIEWS_MAX = 20;
const NAME_MAX = 60;

interface SavedViewsProps {
  /** The list, as the service knows it: `emails`. */
  list: string;
  /** The path of its page. */
  to: string;
  /** Filters and order, as they are now; without the page. */
  search: object;
}

const viewsQuery = (list: string) =>
  queryOptions({
    queryKey: ['saved-views', actingFor(), list],
    queryFn: async ({ signal }) => (await api.call('GET /v1/saved-views', { query: { list } }, { signal })).items,
    staleTime: 60_000,
  });

/** Without what is not said, and without the page. */
function kept(search: object): Record<string, unknown> {
  const said = Object.entries(search).filter(([name, value]) => name !== 'page' && value !== undefined && value !== '');
  return Object.fromEntries(said.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function NewView({ list, search, onClose }: { list: string; search: string; onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const save = useMutation({
    mutationFn: () => api.call('POST /v1/saved-views', { body: { list, name: name.trim(), search } }),
    onSuccess: async () => (await queries.invalidateQueries({ queryKey: ['saved-views'] }), onClose()),
  });
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate());
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        size="xs"
        name="view"
        aria-label="Name of the view"
        placeholder="Name of the view"
        maxLength={NAME_MAX}
        value={name}
        error={save.error && sentenceOf(save.error)}
        onChange={(event) => (setName(event.currentTarget.value), save.reset())}
        autoFocus
      />
      <Button type="submit" size="xs" disabled={name.trim() === ''} loading={save.isPending}>
        Save
      </Button>
      <Button size="xs" variant="subtle" onClick={onClose}>
        Cancel
      </Button>
    </form>
  );
}

/** What was looked for before and got a name; the service keeps it for whoever signed in. */
export function SavedViews({ list, to, search }: SavedViewsProps) {
  const router = useRouter();
  const queries = useQueryClient();
  const { data: views = [], error } = useQuery(viewsQuery(list));
  const [isNaming, setIsNaming] = useState(false);
  const { stringifySearch, parseSearch } = router.options;
  const shown = stringifySearch!(kept(search)).replace(/^\?/, '');
  const isKept = views.some((view) => view.search === shown);
  const canSave = shown !== '' && !isKept && !error;
  const remove = async (id: string): Promise<void> => {
    try {
      await api.call('DELETE /v1/saved-views/{saved_view_id}', { path: { saved_view_id: id } });
    } catch (reason) {
      tell({ color: 'red', title: 'The view was not removed', message: sentenceOf(reason) });
    }
    await queries.invalidateQueries({ queryKey: ['saved-views'] });
  };
  if (error)
    return (
      <p className={classes.total} role="status">
        Your saved views could not be loaded: {sentenceOf(error)}
      </p>
    );
  if (views.length === 0 && !canSave) return null;
  return (
    <div className={classes.views} role="group" aria-label="Saved views">
      {views.map((view) => (
        <span key={view.id} className={classes.view} data-on={view.search === shown || undefined}>
          <Link
            to={to}
            search={parseSearch!(view.search) as never}
            activeProps={{}}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={view.search === shown || undefined}
          >
            <bdi>{view.name}</bdi>
          </Link>
          <ActionIcon
            size={24}
            variant="subtle"
            color="gray"
            aria-label={`Remove the view ${view.name}`}
            onClick={() => void remove(view.id)}
          >
            <CloseIcon />
          </ActionIcon>
        </span>
      ))}
      {isNaming && canSave && <NewView list={list} search={shown} onClose={() => setIsNaming(false)} />}
      {!isNaming &&
        canSave &&
        (views.length < VIEWS_MAX ? (
          <Button size="compact-sm" variant="default" onClick={() => setIsNaming(true)}>
            Save this view
          </Button>
        ) : (
          <span className={classes.total}>
            There are {VIEWS_MAX} views, as many as are kept. Remove one to save another.
          </span>
        ))}
    </div>
  );
}
