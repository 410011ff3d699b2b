// What the address of the page of statistics remembers.
import { DIMENSION_NAMES, MEASURE_NAMES, type DimensionName, type MeasureName } from './measures.ts';
import { DEFAULT_PRESET, PRESETS, RESOLUTIONS, type PeriodSearch, type Preset } from './period.ts';

export interface StatisticsSearch extends PeriodSearch {
  /** The period before is not shown. */
  compare?: 'off';
  /** What the groups below are told apart by; the domain when left out. */
  of?: DimensionName;
  /** What is compared of the groups; the volume when left out. */
  show?: MeasureName;
  domain?: string;
  tag?: string;
  provider?: string;
  country?: string;
  device?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;
const dayIn = (value: unknown): string | undefined =>
  typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

export function readStatisticsSearch(search: Record<string, unknown>): StatisticsSearch {
  const { period, from, to, resolution, compare, of, show } = search;
  const found = {
    period: (Object.keys(PRESETS) as Preset[]).find((one) => one === period && one !== DEFAULT_PRESET),
    from: dayIn(from),
    to: dayIn(to),
    resolution: RESOLUTIONS.find((one) => one === resolution),
    compare: compare === 'off' ? compare : undefined,
    of: DIMENSION_NAMES.find((one) => one === of && one !== 'domain'),
    show: MEASURE_NAMES.find((one) => one === show && one !== 'accepted'),
    ...Object.fromEntries(DIMENSION_NAMES.map((name) => [name, textIn(search[name])])),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as StatisticsSearch;
}

/** Whether anything but time chooses what is counted. */
export const isFiltered = (search: StatisticsSearch): boolean =>
  DIMENSION_NAMES.some((name) => search[name] !== undefined);
