// The search over everything: pages, what can be begun, and the things of pages that say how they are searched.
import { Kbd, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useNavigate, type StaticDataRouteOption } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { SearchIcon } from '../brand/icons.tsx';
import { Dialog } from './dialog.tsx';
import { matching, type Command } from './matching.ts';
import classes from './palette.module.css';

export type Findable = NonNullable<StaticDataRouteOption['find']>;

const LETTERS_MIN = 2;
const PAUSE_MS = 150;

/** Asks each kind of thing for the words, once there are enough of them. */
function useThings(findables: readonly Findable[], text: string) {
  const [words] = useDebouncedValue(text.trim(), PAUSE_MS);
  const isAsked = words.length >= LETTERS_MIN;
  const asked = useQueries({
    queries: findables.map(({ of, load }) => ({
      queryKey: ['find', of, words],
      queryFn: async ({ signal }: { signal: AbortSignal }) => (await load())(words, signal),
      enabled: isAsked,
      retry: false,
    })),
  });
  return {
    things: findables.map(({ of }, place) => ({ of, things: (isAsked && asked[place]?.data) || [] })),
    isLooking: text.trim() !== words || asked.some(({ isLoading }) => isLoading),
    failed: findables.filter((_, place) => isAsked && asked[place]?.isError).map(({ of }) => of),
  };
}

function status(state: { isLooking: boolean; failed: readonly string[]; count: number }): string {
  const failed = state.failed.length > 0 ? ` ${state.failed.join(', ')} could not be searched.` : '';
  if (state.isLooking) return 'Looking…';
  return (state.count === 0 ? 'Nothing has this name.' : '') + failed;
}

function Choice({
  id,
  command,
  isChosen,
  onChosen,
}: {
  id: string;
  command: Command;
  isChosen: boolean;
  onChosen: () => void;
}) {
  const own = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) own.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <div
      ref={own}
      id={id}
      role="option"
      aria-selected={isChosen}
      className={classes.choice}
      onMouseMove={() => !isChosen && onChosen()}
      onClick={command.run}
    >
      <span className={classes.name}>
        <bdi>{command.name}</bdi>
      </span>
      {command.about !== undefined && (
        <span className={classes.about}>
          <bdi>{command.about}</bdi>
        </span>
      )}
    </div>
  );
}

/** A list of everything that has a name, narrowed by what is typed. */
export function Palette({
  commands,
  findables,
  onClose,
}: {
  commands: readonly Command[];
  findables: readonly Findable[];
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const listId = useId();
  const { things, isLooking, failed } = useThings(findables, text);
  const found = things.flatMap(({ of, things: some }) =>
    some.map(({ name, about, href }) => ({ group: of, name, about, run: () => void navigate({ href }) })),
  );
  const shown = [...(text.trim() === '' ? [] : found), ...matching(commands, text)].map((command) => ({
    ...command,
    run: () => (onClose(), command.run()),
  }));
  const at = Math.min(chosen, shown.length - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + shown.length, Home: 0, End: shown.length - 1 }[event.key];
    const isOfText = text !== '' && (event.key === 'Home' || event.key === 'End');
    if (event.key === 'Enter') shown[at]?.run();
    else if (to !== undefined && !isOfText) setChosen(to % Math.max(1, shown.length));
    else return;
    event.preventDefault();
  };
  const groups = Map.groupBy(shown.entries(), ([, { group }]) => group);
  return (
    <Dialog
      onClose={onClose}
      title="Search everything"
      size="lg"
      centered={false}
      yOffset="10vh"
      classNames={{ body: classes.body! }}
    >
      <TextInput
        role="combobox"
        aria-label="Search everything"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={at >= 0 ? `${listId}-${at}` : undefined}
        autoComplete="off"
        placeholder="A page, an email, a test, a domain …"
        leftSection={<SearchIcon />}
        value={text}
        maxLength={200}
        data-autofocus
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
      />
      <div id={listId} role="listbox" aria-label="Found" className={classes.list}>
        {[...groups].map(([group, entries]) => (
          <div key={group} role="group" aria-label={group}>
            <div className={`label ${classes.group}`} aria-hidden>
              {group}
            </div>
            {entries.map(([place, command]) => (
              <Choice
                key={place}
                id={`${listId}-${place}`}
                command={command}
                isChosen={place === at}
                onChosen={() => setChosen(place)}
              />
            ))}
          </div>
        ))}
      </div>
      <p className={classes.state} role="status">
        {status({ isLooking: text.trim() !== '' && isLooking, failed, count: shown.length })}
      </p>
      <p className={classes.keys}>
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> choose, <Kbd size="xs">Enter</Kbd> opens, <Kbd size="xs">Esc</Kbd>{' '}
        closes
      </p>
    </Dialog>
  );
}
