import { Button, SegmentedControl, Select, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DateRange } from '../../../ground/shell/date-range.tsx';
import { DIMENSION_NAMES, DIMENSIONS, groupName, measureOf, measuresOf, type DimensionName } from './measures.ts';
import {
  DEFAULT_PRESET,
  NO_PERIOD,
  PRESETS,
  RESOLUTIONS,
  resolutionsOf,
  type Period,
  type Preset,
  type Resolution,
} from './period.ts';
import { groupsQuery } from './statistics-api.ts';
import { isFiltered, type StatisticsSearch } from './statistics-search.ts';
import classes from './statistics.module.css';

export type Change = (changes: { [Name in keyof StatisticsSearch]: StatisticsSearch[Name] | undefined }) => void;

interface FiltersProps {
  search: StatisticsSearch;
  period: Period | undefined;
  now: Date;
  change: Change;
}

const CUSTOM = 'custom';
const RESOLUTION_LABELS: Readonly<Record<Resolution, string>> = { hour: 'By hour', day: 'By day', month: 'By month' };

/** A choice among the groups of the period, which are asked for when it is opened. */
function GroupSelect({ by, search, period, change }: Omit<FiltersProps, 'now'> & { by: DimensionName }) {
  const [isOpened, setIsOpened] = useState(false);
  const { count } = measureOf(measuresOf([by])[0] ?? 'accepted');
  const asked = { period: period ?? NO_PERIOD, by, count };
  const { data } = useQuery(groupsQuery(asked, {}, { enabled: isOpened && period !== undefined }));
  const value = search[by] ?? null;
  const found = (data?.groups ?? []).map((group) => group.value).filter((one) => groupName(by, one) !== 'not known');
  const values = value === null || found.includes(value) ? found : [value, ...found];
  const { label } = DIMENSIONS[by];
  return (
    <Select
      aria-label={label}
      placeholder={`Any ${label.toLowerCase()}`}
      clearable
      searchable
      className={classes.filter}
      value={value}
      data={values.map((one) => ({ value: one, label: groupName(by, one) }))}
      nothingFoundMessage={data ? 'None in this period' : 'One moment'}
      onDropdownOpen={() => setIsOpened(true)}
      onChange={(chosen) => change({ [by]: chosen ?? undefined })}
    />
  );
}

/** Which time, how finely, and what of it; the address of the page remembers it. */
export function Filters({ search, period, now, change }: FiltersProps) {
  const isCustom = search.from !== undefined || search.to !== undefined;
  const [isChoosing, setIsChoosing] = useState(isCustom);
  const possible = resolutionsOf(search, now);
  const choose = (value: string): void => {
    setIsChoosing(value === CUSTOM);
    if (value === CUSTOM) return;
    const preset = value === DEFAULT_PRESET ? undefined : (value as Preset);
    change({ period: preset, from: undefined, to: undefined, resolution: undefined });
  };
  return (
    <form
      className={classes.filters}
      role="search"
      aria-label="Statistics"
      onSubmit={(event) => event.preventDefault()}
    >
      <div className={classes.times}>
        <Select
          aria-label="Period"
          w={150}
          allowDeselect={false}
          value={isChoosing ? CUSTOM : (search.period ?? DEFAULT_PRESET)}
          data={[
            ...Object.entries(PRESETS).map(([value, { label }]) => ({ value, label: `Last ${label}` })),
            { value: CUSTOM, label: 'Dates' },
          ]}
          onChange={(value) => value !== null && choose(value)}
        />
        {isChoosing && <DateRange search={search} change={change} zone="UTC" />}
        <SegmentedControl
          aria-label="Resolution"
          size="xs"
          value={period?.resolution ?? 'day'}
          data={RESOLUTIONS.map((value) => ({
            value,
            label: RESOLUTION_LABELS[value],
            disabled: !possible.includes(value),
          }))}
          onChange={(resolution) => change({ resolution: resolution as Resolution })}
        />
        <Switch
          label="Compare with the period before"
          checked={search.compare !== 'off'}
          onChange={(event) => change({ compare: event.currentTarget.checked ? undefined : 'off' })}
        />
      </div>
      <div className={classes.times}>
        {DIMENSION_NAMES.map((by) => (
          <GroupSelect key={by} by={by} search={search} period={period} change={change} />
        ))}
        {isFiltered(search) && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => change(Object.fromEntries(DIMENSION_NAMES.map((name) => [name, undefined])))}
          >
            Clear
          </Button>
        )}
      </div>
    </form>
  );
}
