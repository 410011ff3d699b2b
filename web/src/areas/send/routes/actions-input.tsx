import { ActionIcon, Button, Checkbox, Select, TextInput } from '@mantine/core';
import { PlusIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { DOES, NEW_ACTION, type ActionRow, type Does, type RouteActions } from './actions.ts';
import classes from './routes.module.css';

interface RowProps {
  row: ActionRow;
  place: number;
  onChange: (changes: Partial<ActionRow>) => void;
  onRemove: () => void;
}

function Row({ row: { does, target }, place, onChange, onRemove }: RowProps) {
  const field = DOES.find(({ value }) => value === does)?.target;
  return (
    <div className={classes.action} data-does={does}>
      <Select
        aria-label={`Action ${place + 1}`}
        allowDeselect={false}
        value={does}
        data={DOES.map(({ value, label }) => ({ value, label }))}
        onChange={(value) => onChange({ does: value as Does })}
      />
      {field && (
        <TextInput
          aria-label={`${field.label} of action ${place + 1}`}
          name={`target-${place}`}
          placeholder={field.placeholder}
          value={target}
          onChange={(event) => onChange({ target: event.currentTarget.value })}
        />
      )}
      <ActionIcon aria-label={`Remove action ${place + 1}`} onClick={onRemove}>
        <TrashIcon />
      </ActionIcon>
    </div>
  );
}

interface ActionsInputProps {
  actions: RouteActions;
  onChange: (actions: RouteActions) => void;
}

/** What a route does with a message, an action a row. */
export function ActionsInput({ actions: { rows, isLast }, onChange }: ActionsInputProps) {
  const set = (changed: ActionRow[]): void => onChange({ rows: changed, isLast });
  return (
    <div className={classes.rows}>
      {rows.map((row, place) => (
        <Row
          key={place}
          row={row}
          place={place}
          onChange={(changes) => set(rows.map((one, at) => (at === place ? { ...one, ...changes } : one)))}
          onRemove={() => set(rows.filter((_one, at) => at !== place))}
        />
      ))}
      <div>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<PlusIcon />}
          onClick={() => set([...rows, NEW_ACTION])}
        >
          Add action
        </Button>
      </div>
      <Checkbox
        label="Stop here"
        description="No route with a higher priority number is looked at for this message."
        checked={isLast}
        onChange={(event) => onChange({ rows, isLast: event.currentTarget.checked })}
      />
    </div>
  );
}
