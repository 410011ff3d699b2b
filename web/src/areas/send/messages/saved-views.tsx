import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { actingFor, sessionQuery } from '../../../ground/api.ts';
import { CloseIcon } from '../../../ground/brand/icons.tsx';
import { isSearched, readMessagesSearch, type MessagesSearch } from './messages-search.ts';
import classes from './views.module.css';

const VIEWS_MAX = 20;
const NAME_MAX = 60;

interface View {
  name: string;
  search: MessagesSearch;
}

/** What the browser has kept; anything else is no view. */
function readViews(place: string): View[] {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? '[]') as { name?: unknown; search?: unknown }[];
    return kept
      .filter(({ name, search }) => typeof name === 'string' && typeof search === 'object' && search !== null)
      .slice(0, VIEWS_MAX)
      .map(({ name, search }) => ({
        name: (name as string).slice(0, NAME_MAX),
        search: readMessagesSearch(search as Record<string, unknown>),
      }));
  } catch {
    return [];
  }
}

/** Views of one account, as far as this browser knows them. */
function useViews(): [views: View[], save: (views: View[]) => boolean] {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const place = ['galley.views.messages', actingFor() ?? session.account.id, session.user?.id]
    .filter(Boolean)
    .join('.');
  const [changed, setChanged] = useState<{ place: string; views: View[] }>();
  const views = changed?.place === place ? changed.views : readViews(place);
  const save = (next: View[]): boolean => {
    try {
      localStorage.setItem(place, JSON.stringify(next));
    } catch {
      return false;
    }
    setChanged({ place, views: next });
    return true;
  };
  return [views, save];
}

function NewView({
  taken,
  onSave,
  onCancel,
}: {
  taken: readonly string[];
  onSave: (name: string) => boolean;
  onCancel: () => void;
}) {
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const given = name.trim();
    if (given === '') setError('A view needs a name.');
    else if (taken.includes(given)) setError('There is a view of this name.');
    else if (!onSave(given)) setError('This browser keeps nothing for this page.');
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        size="xs"
        name="view"
        aria-label="Name of the view"
        placeholder="Name of the view"
        maxLength={NAME_MAX}
        value={name}
        error={error}
        onChange={(event) => (setName(event.currentTarget.value), setError(undefined))}
        data-autofocus
        autoFocus
      />
      <Button type="submit" size="xs">
        Save
      </Button>
      <Button size="xs" variant="subtle" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  );
}

/** What was searched for before and got a name. This browser keeps it, and the page says so. */
export function SavedViews({ search }: { search: MessagesSearch }) {
  const [views, save] = useViews();
  const [isNaming, setIsNaming] = useState(false);
  const shown = JSON.stringify(search);
  const isKept = views.some((view) => JSON.stringify(view.search) === shown);
  const canSave = (isSearched(search) || search.live === true) && !isKept;
  if (views.length === 0 && !canSave) return null;
  return (
    <div className={classes.views} role="group" aria-label="Saved views">
      {views.map((view) => (
        <span key={view.name} className={classes.view} data-on={JSON.stringify(view.search) === shown || undefined}>
          <Link to="/messages" search={view.search} aria-current={JSON.stringify(view.search) === shown || undefined}>
            <bdi>{view.name}</bdi>
          </Link>
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={`Remove the view ${view.name}`}
            onClick={() => save(views.filter(({ name }) => name !== view.name))}
          >
            <CloseIcon />
          </ActionIcon>
        </span>
      ))}
      {isNaming ? (
        <NewView
          taken={views.map(({ name }) => name)}
          onSave={(name) => {
            const isSaved = save([...views, { name, search }]);
            if (isSaved) setIsNaming(false);
            return isSaved;
          }}
          onCancel={() => setIsNaming(false)}
        />
      ) : (
        canSave &&
        (views.length < VIEWS_MAX ? (
          <Button size="compact-sm" variant="default" onClick={() => setIsNaming(true)}>
            Save this view
          </Button>
        ) : (
          <span className={classes.said}>
            There are {VIEWS_MAX} views, as many as are kept. Remove one to save another.
          </span>
        ))
      )}
      <span className={classes.said}>Views are kept in this browser only.</span>
    </div>
  );
}
