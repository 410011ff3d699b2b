import { Button, Checkbox, Collapse, TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { ChevronRightIcon, SearchIcon } from '../../ground/brand/icons.tsx';
import type { EmailClient } from '../../ground/api.ts';
import { FidelityMark } from '../proof/client-marks.tsx';
import {
  choiceOf,
  chosenIds,
  families,
  presetIds,
  PRESETS,
  type Choice,
  type Family,
  type Preset,
} from './client-choice.ts';
import classes from './client-picker.module.css';

interface FamilyRowsProps {
  family: Family;
  chosen: Set<string>;
  isOpen: boolean;
  onToggleOpen: () => void;
  onChoose: (ids: string[], isChosen: boolean) => void;
}

function FamilyRows({ family, chosen, isOpen, onToggleOpen, onChoose }: FamilyRowsProps) {
  const { name, members } = family;
  const count = members.filter((client) => chosen.has(client.id)).length;
  return (
    <li className={classes.family}>
      <div className={classes.head}>
        <Checkbox
          size="xs"
          aria-label={`All of ${name}`}
          checked={count === members.length}
          indeterminate={count > 0 && count < members.length}
          onChange={(event) =>
            onChoose(
              members.map((client) => client.id),
              event.currentTarget.checked,
            )
          }
        />
        <UnstyledButton className={classes.open} aria-expanded={isOpen} onClick={onToggleOpen}>
          <ChevronRightIcon className={classes.chevron} data-open={isOpen || undefined} aria-hidden="true" />
          <span>{name}</span>
          <span className={classes.count}>
            {count} of {members.length}
          </span>
        </UnstyledButton>
      </div>
      <Collapse expanded={isOpen}>
        <ul className={classes.members}>
          {members.map((client) => (
            <li key={client.id}>
              <Checkbox
                size="xs"
                label={client.display_name}
                checked={chosen.has(client.id)}
                onChange={(event) => onChoose([client.id], event.currentTarget.checked)}
              />
              <FidelityMark fidelity={client.fidelity} />
            </li>
          ))}
        </ul>
      </Collapse>
    </li>
  );
}

interface ClientPickerProps {
  clients: Record<string, EmailClient>;
  choice: Choice;
  onChange: (choice: Choice) => void;
  error?: string | undefined;
}

/** Presets for most days, families and single clients for the others. */
export function ClientPicker({ clients, choice, onChange, error }: ClientPickerProps) {
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<string[]>([]);
  const chosen = new Set(chosenIds(clients, choice));
  const found = families(clients, search);
  const choose = (ids: string[], isChosen: boolean): void => {
    const next = new Set(chosen);
    for (const id of ids)
      if (isChosen) next.add(id);
      else next.delete(id);
    onChange(choiceOf(clients, next));
  };
  return (
    <fieldset className={classes.picker}>
      <legend className={classes.legend}>Clients</legend>
      <div className={classes.presets}>
        {(Object.keys(PRESETS) as Preset[]).map((preset) => (
          <Button
            key={preset}
            size="compact-sm"
            variant={choice.preset === preset ? 'filled' : 'default'}
            aria-pressed={choice.preset === preset}
            onClick={() => onChange({ preset, ids: [] })}
          >
            {PRESETS[preset].label} <span className={classes.number}>{presetIds(clients, preset).length}</span>
          </Button>
        ))}
        {choice.preset === 'custom' && (
          <Button size="compact-sm" variant="filled" aria-pressed>
            Custom <span className={classes.number}>{chosen.size}</span>
          </Button>
        )}
      </div>
      <TextInput
        type="search"
        aria-label="Search clients"
        placeholder="Search clients, for example “outlook dark”"
        leftSection={<SearchIcon />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
      <ul className={classes.families}>
        {found.map((family) => (
          <FamilyRows
            key={family.name}
            family={family}
            chosen={chosen}
            isOpen={search !== '' || open.includes(family.name)}
            onToggleOpen={() =>
              setOpen((before) =>
                before.includes(family.name) ? before.filter((name) => name !== family.name) : [...before, family.name],
              )
            }
            onChoose={choose}
          />
        ))}
        {found.length === 0 && <li className={classes.none}>No clients match.</li>}
      </ul>
      {search !== '' && found.length > 0 && (
        <div className={classes.presets}>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() =>
              choose(
                found.flatMap((family) => family.members.map((client) => client.id)),
                true,
              )
            }
          >
            Add these
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() =>
              onChange(
                choiceOf(
                  clients,
                  found.flatMap((family) => family.members.map((client) => client.id)),
                ),
              )
            }
          >
            Select only these
          </Button>
        </div>
      )}
    </fieldset>
  );
}
