import {
  ActionIcon,
  Button,
  Checkbox,
  Popover,
  SegmentedControl,
  Stack,
  Switch,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRef } from 'react';
import { ChevronDownIcon, CloseIcon, SearchIcon, SlidersIcon } from '../../ground/brand/icons.tsx';
import { count } from '../../ground/words.ts';
import { useShortcuts } from '../../ground/shell/shortcuts.ts';
import classes from './filter-bar.module.css';
import { isFiltered, NO_FILTERS, problemsOf } from './filter.ts';
import type { Device, Scheme } from './proof-search.ts';
import { useProof, type ProofClient } from './proof.ts';
import { useProofSearch } from './use-proof-search.ts';

export type Density = 'close' | 'usual' | 'wide';

function FamilyFilter({ clients }: { clients: ProofClient[] }) {
  const [search, change] = useProofSearch();
  const counts = Map.groupBy(clients, (client) => client.family);
  const chosen = search.family ?? [];
  const label =
    chosen.length === 0 ? 'All families' : chosen.length === 1 ? (chosen[0] as string) : `${chosen.length} families`;
  return (
    <Popover position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          h={34}
          fw={400}
          rightSection={<ChevronDownIcon />}
          data-chosen={chosen.length > 0 || undefined}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown mah={420} className={classes.families}>
        <Checkbox.Group
          aria-label="Families"
          value={chosen}
          onChange={(family) => change({ family: family.length ? family : undefined })}
        >
          <Stack gap={9}>
            {[...counts].map(([family, members]) => (
              <Checkbox key={family} value={family} size="xs" label={`${family} (${members.length})`} />
            ))}
          </Stack>
        </Checkbox.Group>
        {chosen.length > 0 && (
          <Button variant="subtle" size="compact-xs" mt={10} onClick={() => change({ family: undefined })}>
            All families
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function SearchBox() {
  const [search, change] = useProofSearch();
  const box = useRef<HTMLInputElement>(null);
  useShortcuts({ search: () => box.current?.focus() });
  return (
    <TextInput
      ref={box}
      className={classes.search}
      type="search"
      aria-label="Search clients"
      placeholder="Search clients"
      leftSection={<SearchIcon />}
      value={search.q ?? ''}
      onChange={(event) => change({ q: event.currentTarget.value })}
      onKeyDown={(event) => event.key === 'Escape' && (change({ q: undefined }), event.currentTarget.blur())}
      rightSection={
        search.q && (
          <ActionIcon size={22} aria-label="Clear the search" onClick={() => change({ q: undefined })}>
            <CloseIcon />
          </ActionIcon>
        )
      }
    />
  );
}

interface FilterBarProps {
  shown: number;
  /** Undefined where equal pictures aren't known. */
  distinct: number | undefined;
  density: Density;
  onDensity: (density: Density) => void;
}

/** Everything but the search box; on a phone behind a button. */
function Choices({ distinct }: Pick<FilterBarProps, 'distinct'>) {
  const { clients } = useProof();
  const [search, change] = useProofSearch();
  const withProblems = clients.filter((client) => problemsOf(client).length > 0).length;
  return (
    <>
      <FamilyFilter clients={clients} />
      <SegmentedControl
        aria-label="Device"
        value={search.device ?? ''}
        onChange={(device) => change({ device: (device || undefined) as Device | undefined })}
        data={[
          { value: '', label: 'All' },
          { value: 'desktop', label: 'Desktop' },
          { value: 'web', label: 'Web' },
          { value: 'mobile', label: 'Mobile' },
        ]}
      />
      <SegmentedControl
        aria-label="Light or dark"
        value={search.scheme ?? ''}
        onChange={(scheme) => change({ scheme: (scheme || undefined) as Scheme | undefined })}
        data={[
          { value: '', label: 'Both' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
      {withProblems > 0 && (
        <>
          <Switch
            className={classes.distinct}
            size="xs"
            label={`With problems (${withProblems})`}
            checked={search.problems ?? false}
            onChange={(event) => change({ problems: event.currentTarget.checked || undefined })}
          />
          <Tooltip label="Share of the audience × severity of the gravest problem" multiline maw={240}>
            <Switch
              className={classes.distinct}
              size="xs"
              label="Most readers lost first"
              checked={search.sort === 'lost'}
              onChange={(event) => change({ sort: event.currentTarget.checked ? 'lost' : undefined })}
            />
          </Tooltip>
        </>
      )}
      {distinct !== undefined && (
        <Tooltip label="One card for each distinct screenshot, the most common first" multiline maw={240}>
          <Switch
            className={classes.distinct}
            size="xs"
            label={`Group identical (${distinct})`}
            checked={search.distinct ?? false}
            onChange={(event) => change({ distinct: event.currentTarget.checked || undefined })}
          />
        </Tooltip>
      )}
    </>
  );
}

export function FilterBar({ shown, distinct, density, onDensity }: FilterBarProps) {
  const { clients } = useProof();
  const [search, change] = useProofSearch();
  const [isOpen, open] = useDisclosure();
  return (
    <div className={classes.bar} role="search" aria-label="Filters">
      <SearchBox />
      <Button
        className={classes.opener}
        variant="default"
        size="xs"
        h={34}
        leftSection={<SlidersIcon />}
        aria-expanded={isOpen}
        onClick={open.toggle}
      >
        Filters
      </Button>
      <div className={classes.choices} data-open={isOpen || undefined}>
        <Choices distinct={distinct} />
      </div>
      <div className={classes.end}>
        <span className={classes.count} role="status">
          {shown === clients.length ? count(shown, 'client') : `${shown} of ${clients.length}`}
          {search.distinct && distinct !== undefined && `, ${count(distinct, 'screenshot')}`}
        </span>
        {isFiltered(search) && (
          <Button variant="subtle" size="compact-xs" onClick={() => change(NO_FILTERS)}>
            Clear
          </Button>
        )}
        <SegmentedControl
          className={classes.density}
          aria-label="Screenshot size"
          value={density}
          onChange={(value) => onDensity(value as Density)}
          data={[
            { value: 'close', label: 'S' },
            { value: 'usual', label: 'M' },
            { value: 'wide', label: 'L' },
          ]}
        />
      </div>
    </div>
  );
}
