// What is shown of the figures: which count each is, what it is a share of, and what it says.

export const COUNTS = [
  'accepted_count',
  'sent_count',
  'processed_count',
  'delivered_count',
  'unique_opened_count',
  'opened_count',
  'unique_clicked_count',
  'clicked_count',
  'bounced_count',
  'temporary_failed_count',
  'complained_count',
  'unsubscribed_count',
] as const;
type CountName = (typeof COUNTS)[number];
export type Counts = Readonly<Record<CountName, number>>;

interface Measure {
  label: string;
  count: CountName;
  /** What it is a share of, and how that is called. */
  of?: { count: CountName; words: string };
  /** A count that stands beside it in the table. */
  beside?: { count: CountName; label: string };
  about: string;
  /** It is measured only where this is tracked. */
  needs?: 'open' | 'click';
  /** Its events say where and with what they were read. */
  isOfReaders?: boolean;
}

const OF_DELIVERED = { count: 'delivered_count', words: 'of delivered' } as const;

const MEASURES = {
  accepted: {
    label: 'Volume',
    count: 'accepted_count',
    about: 'Recipients for whom Galley accepted a message.',
  },
  delivered: {
    label: 'Delivered',
    count: 'delivered_count',
    of: { count: 'sent_count', words: 'of sent' },
    about: 'The receiver took the message. Captured messages count, too.',
  },
  opened: {
    label: 'Opens',
    count: 'unique_opened_count',
    of: OF_DELIVERED,
    beside: { count: 'opened_count', label: 'All openings' },
    about: 'The first opening of each recipient. Programs such as scanners are left out.',
    needs: 'open',
    isOfReaders: true,
  },
  clicked: {
    label: 'Clicks',
    count: 'unique_clicked_count',
    of: OF_DELIVERED,
    beside: { count: 'clicked_count', label: 'All clicks' },
    about: 'The first click of each recipient. Programs such as scanners are left out.',
    needs: 'click',
    isOfReaders: true,
  },
  bounced: {
    label: 'Bounces',
    count: 'bounced_count',
    of: { count: 'processed_count', words: 'of processed' },
    about: 'The receiver refused the message for good, or Galley gave up after tries.',
  },
  deferred: {
    label: 'Deferrals',
    count: 'temporary_failed_count',
    about: 'Tries after which the receiver asked to come back later. One message can have several.',
  },
  complained: {
    label: 'Complaints',
    count: 'complained_count',
    of: OF_DELIVERED,
    about: 'Recipients who reported the message as spam, as far as their provider tells.',
  },
  unsubscribed: {
    label: 'Unsubscribes',
    count: 'unsubscribed_count',
    of: OF_DELIVERED,
    about: 'Recipients who unsubscribed by a link or by the button of their mail program.',
    isOfReaders: true,
  },
} as const satisfies Record<string, Measure>;
export type MeasureName = keyof typeof MEASURES;
export const MEASURE_NAMES = Object.keys(MEASURES) as MeasureName[];

export const measureOf = (name: MeasureName): Measure => MEASURES[name];

interface Dimension {
  /** As the service calls it. */
  dimension: 'domain' | 'tag' | 'recipient_provider' | 'country' | 'device';
  label: string;
  /** The events that say it. */
  of: 'all' | 'tries' | 'readers';
}

/** What figures are told apart by, as the address calls it. */
export const DIMENSIONS = {
  domain: { dimension: 'domain', label: 'Domain', of: 'all' },
  tag: { dimension: 'tag', label: 'Tag', of: 'all' },
  provider: { dimension: 'recipient_provider', label: 'Provider', of: 'tries' },
  country: { dimension: 'country', label: 'Country', of: 'readers' },
  device: { dimension: 'device', label: 'Device', of: 'readers' },
} as const satisfies Record<string, Dimension>;
export type DimensionName = keyof typeof DIMENSIONS;
export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as DimensionName[];

/** What can be told apart by all of these: where a message is accepted, nobody knows yet who will read it where. */
export function measuresOf(dimensions: readonly DimensionName[]): MeasureName[] {
  const kinds = new Set<string>(dimensions.map((name) => DIMENSIONS[name].of));
  if (kinds.has('readers')) return MEASURE_NAMES.filter((name) => measureOf(name).isOfReaders);
  return kinds.has('tries') ? MEASURE_NAMES.filter((name) => name !== 'accepted') : MEASURE_NAMES;
}

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** A group as words. */
export function groupName(dimension: DimensionName, value: string): string {
  if (value === '' || /^unknown$/i.test(value)) return 'not known';
  if (dimension === 'country' && /^[a-z]{2}$/i.test(value)) return COUNTRIES.of(value.toUpperCase()) ?? value;
  return dimension === 'provider' && value === 'default' ? 'others' : value;
}

/** A share as words; undefined where there is nothing that it would be a share of. */
export function shareOf({ count, of }: Measure, counts: Counts): number | undefined {
  if (!of || counts[of.count] === 0) return undefined;
  return counts[count] / counts[of.count];
}

export const NOTHING: Counts = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Record<CountName, number>;

/** Counts of several hours, days or months together. */
export function sumOf(all: readonly (Counts | undefined)[]): Counts {
  const sum: Record<CountName, number> = { ...NOTHING };
  for (const counts of all) for (const name of COUNTS) sum[name] += counts?.[name] ?? 0;
  return sum;
}

/** `+5.1 %`, `−12.0 %`, `as many`; undefined where there was nothing before. */
export function changeOf(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  if (now === before) return '±0 %';
  const change = (now / before - 1) * 100;
  const size = Math.abs(change);
  const shown = size >= 1000 ? Math.round(size).toLocaleString('en') : size < 0.1 ? 'less than 0.1' : size.toFixed(1);
  return `${change > 0 ? '+' : '−'}${shown} %`;
}
