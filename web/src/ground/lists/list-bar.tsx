import { Button, Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { TrashIcon } from '../brand/icons.tsx';
import { count, figure } from '../words.ts';
import classes from './lists.module.css';
import type { Rows } from './use-rows.ts';

interface ListBarProps {
  rows: Pick<Rows<unknown>, 'shown' | 'hidden' | 'chosen' | 'canChoose' | 'chooseAll' | 'remove'>;
  one: string;
  many?: string;
  /** Of the whole list; undefined: the service does not say. */
  total: number | undefined;
  /** What else stands in the bar, such as the order. */
  children?: ReactNode;
}

/** How many there are, how many are chosen, and what is done with these. */
export function ListBar({ rows, one, many = `${one}s`, total, children }: ListBarProps) {
  const { shown, hidden, chosen, canChoose, chooseAll, remove } = rows;
  const all = total === undefined ? undefined : Math.max(shown.length, total - hidden);
  const words =
    chosen.size > 0
      ? `${figure(chosen.size)} of ${count(shown.length, one, many)} on this page selected`
      : all === undefined
        ? `${count(shown.length, one, many)} on this page`
        : count(all, one, many);
  return (
    <div className={classes.bar}>
      {canChoose && shown.length > 0 && (
        <Checkbox
          size="xs"
          aria-label={`Select all ${many} on this page`}
          checked={chosen.size > 0 && chosen.size === shown.length}
          indeterminate={chosen.size > 0 && chosen.size < shown.length}
          onChange={(event) => chooseAll(event.currentTarget.checked)}
        />
      )}
      <span className={classes.total} role="status">
        {words}
      </span>
      {chosen.size > 0 && (
        <>
          <Button size="compact-sm" variant="default" leftSection={<TrashIcon />} onClick={() => remove([...chosen])}>
            Delete selected
          </Button>
          <Button size="compact-sm" variant="subtle" onClick={() => chooseAll(false)}>
            Clear selection
          </Button>
        </>
      )}
      <span className={classes.end}>{children}</span>
    </div>
  );
}

/** The box in front of a row. */
export function RowCheck({
  rows: { chosen, canChoose, choose },
  id,
  name,
}: {
  rows: Pick<Rows<unknown>, 'chosen' | 'canChoose' | 'choose'>;
  id: string;
  name: string;
}) {
  if (!canChoose) return null;
  return (
    <Checkbox
      size="xs"
      className={classes.check!}
      aria-label={`Select ${name}`}
      checked={chosen.has(id)}
      onChange={(event) => choose(id, event.currentTarget.checked)}
    />
  );
}
