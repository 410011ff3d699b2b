import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import { PlusIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { HOW_CHOICES, NEW_CONDITION, type Condition, type Conditions, type How, type Subject } from './conditions.ts';
import classes from './routes.module.css';

const SUBJECTS: { value: Subject; label: string }[] = [
  { value: 'recipient', label: 'Recipient' },
  { value: 'header', label: 'Header field' },
  { value: 'all', label: 'Every message' },
];

const PLACEHOLDERS: Readonly<Record<How, string>> = {
  is: 'orders@example.com',
  begins: 'orders+',
  ends: '@example.com',
  contains: 'order',
  matches: String.raw`orders\+(?P<number>[0-9]+)@`,
};

interface RowProps {
  condition: Condition;
  place: number;
  onChange: (changes: Partial<Condition>) => void;
  onRemove: (() => void) | undefined;
}

function Row({ condition: { of, header, how, text }, place, onChange, onRemove }: RowProps) {
  const nth = `of condition ${place + 1}`;
  return (
    <div className={classes.condition} data-of={of}>
      <Select
        aria-label={`Subject ${nth}`}
        allowDeselect={false}
        value={of}
        data={SUBJECTS}
        onChange={(value) => onChange({ of: value as Subject })}
      />
      {of === 'header' && (
        <TextInput
          aria-label={`Header field ${nth}`}
          name={`header-${place}`}
          placeholder="Subject"
          value={header}
          onChange={(event) => onChange({ header: event.currentTarget.value })}
        />
      )}
      {of !== 'all' && (
        <>
          <Select
            aria-label={`Comparison ${nth}`}
            allowDeselect={false}
            value={how}
            data={HOW_CHOICES}
            onChange={(value) => onChange({ how: value as How })}
          />
          <TextInput
            aria-label={`Text ${nth}`}
            name={`text-${place}`}
            placeholder={of === 'header' && how !== 'matches' ? 'Order' : PLACEHOLDERS[how]}
            value={text}
            onChange={(event) => onChange({ text: event.currentTarget.value })}
          />
        </>
      )}
      <ActionIcon aria-label={`Remove condition ${place + 1}`} disabled={!onRemove} onClick={onRemove}>
        <TrashIcon />
      </ActionIcon>
    </div>
  );
}

interface ConditionsInputProps {
  conditions: Conditions;
  onChange: (conditions: Conditions) => void;
}

/** Which messages a route is about, a condition a row. */
export function ConditionsInput({ conditions, onChange }: ConditionsInputProps) {
  const { join, rows } = conditions;
  const change = (place: number, changes: Partial<Condition>): void =>
    onChange({ join, rows: rows.map((row, at) => (at === place ? { ...row, ...changes } : row)) });
  return (
    <div className={classes.rows}>
      {rows.length > 1 && (
        <Select
          aria-label="How conditions are joined"
          allowDeselect={false}
          w={260}
          value={join}
          data={[
            { value: 'and', label: 'All conditions must be met' },
            { value: 'or', label: 'One condition must be met' },
          ]}
          onChange={(value) => onChange({ join: value === 'or' ? 'or' : 'and', rows })}
        />
      )}
      {rows.map((condition, place) => (
        <Row
          key={place}
          condition={condition}
          place={place}
          onChange={(changes) => change(place, changes)}
          onRemove={
            rows.length > 1 ? () => onChange({ join, rows: rows.filter((_row, at) => at !== place) }) : undefined
          }
        />
      ))}
      <div>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<PlusIcon />}
          onClick={() => onChange({ join, rows: [...rows, NEW_CONDITION] })}
        >
          Add condition
        </Button>
      </div>
    </div>
  );
}
