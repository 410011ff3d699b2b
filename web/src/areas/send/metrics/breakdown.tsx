import { Alert, Select, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sentenceOf } from '../../../ground/api.ts';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { count as counted, figure, percent } from '../../../ground/words.ts';
import reportClasses from '../../../shared/report/report.module.css';
import { TabNav } from '../../../shared/report/tab-nav.tsx';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { onePage, type ListExport } from '../../../shared/send/list-pages.ts';
import tables from '../../../shared/send/send.module.css';
import {
  changeOf,
  DIMENSION_NAMES,
  DIMENSIONS,
  groupName,
  measureOf,
  measuresOf,
  NOTHING,
  shareOf,
  type Counts,
  type DimensionName,
  type MeasureName,
} from './measures.ts';
import { periodBefore, type Period } from './period.ts';
import { filtersOf, GROUPS_MAX, groupsQuery } from './statistics-api.ts';
import type { StatisticsSearch } from './statistics-search.ts';
import classes from './statistics.module.css';

const BARS_MAX = 10;

interface Group {
  value: string;
  name: string;
  now: Counts;
  before: Counts | undefined;
}

interface GroupsProps {
  by: DimensionName;
  show: MeasureName;
  groups: readonly Group[];
  /** Whether a figure of a group was measured at all. */
  isMeasured: (name: MeasureName, group: Pick<Group, 'value' | 'now'>) => boolean;
}

function Bars({ show, groups }: Pick<GroupsProps, 'show' | 'groups'>) {
  const { count, label } = measureOf(show);
  const drawn = groups.slice(0, BARS_MAX);
  const most = Math.max(1, ...drawn.flatMap(({ now, before }) => [now[count], before?.[count] ?? 0]));
  const width = (of: number): string => `${(of / most) * 100}%`;
  return (
    <ul className={classes.bars} aria-label={`${label} of the largest groups`}>
      {drawn.map(({ value, name, now, before }) => (
        <li key={value}>
          <bdi className={classes.barName}>{name}</bdi>
          <span className={classes.barPlace} aria-hidden="true">
            <span className={classes.bar} style={{ width: width(now[count]) }} />
            {before && <span className={classes.barBefore} style={{ width: width(before[count]) }} />}
          </span>
          <span className={tables.number}>
            {figure(now[count])}
            {before && <span className="dim"> before: {figure(before[count])}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Cell({ name, group, isMeasured }: { name: MeasureName; group: Group } & Pick<GroupsProps, 'isMeasured'>) {
  const measure = measureOf(name);
  if (!isMeasured(name, group)) return <span className="dim">not measured</span>;
  const share = shareOf(measure, group.now);
  return (
    <>
      {figure(group.now[measure.count])}
      {share !== undefined && <span className={classes.share}>{percent(share)}</span>}
    </>
  );
}

function GroupsTable({ by, show, groups, isMeasured, names, search }: GroupsProps & TableProps) {
  const isCompared = groups.some(({ before }) => before);
  const { count, label } = measureOf(show);
  return (
    <Sideways label={`By ${by}, table`} minWidth={200 + (names.length + (isCompared ? 2 : 0)) * 96}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">{DIMENSIONS[by].label}</th>
            {names.map((name) => (
              <th key={name} scope="col">
                {measureOf(name).label}
              </th>
            ))}
            {isCompared && <th scope="col">{label} before</th>}
            {isCompared && <th scope="col">Difference</th>}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.value}>
              <td>
                {group.name === 'not known' ? (
                  <span className="dim">{group.name}</span>
                ) : (
                  <Link
                    to="/statistics"
                    search={{ ...search, [by]: group.value }}
                    className={classes.link}
                    title="Show only this"
                  >
                    <bdi>{group.name}</bdi>
                  </Link>
                )}
              </td>
              {names.map((name) => (
                <td key={name} className={tables.number}>
                  <Cell name={name} group={group} isMeasured={isMeasured} />
                </td>
              ))}
              {isCompared && (
                <td className={tables.number}>{group.before ? figure(group.before[count]) : 'not kept'}</td>
              )}
              {isCompared && (
                <td className={tables.number}>
                  {(group.before && changeOf(group.now[count], group.before[count])) ?? <span className="dim">–</span>}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}

interface TableProps {
  names: readonly MeasureName[];
  search: StatisticsSearch;
}

function exportOf({ by, groups, isMeasured, names }: GroupsProps & Pick<TableProps, 'names'>): ListExport {
  const isCompared = groups.some(({ before }) => before);
  const head = names.flatMap((name) => [
    measureOf(name).label,
    ...(measureOf(name).of ? [`${measureOf(name).label}: share ${measureOf(name).of?.words}`] : []),
    ...(isCompared ? [`${measureOf(name).label} before`] : []),
  ]);
  const cells = (group: Group) =>
    names.flatMap((name) => {
      const measure = measureOf(name);
      const isKnown = isMeasured(name, group);
      return [
        isKnown ? group.now[measure.count] : null,
        ...(measure.of ? [(isKnown ? shareOf(measure, group.now) : undefined) ?? null] : []),
        ...(isCompared ? [isKnown ? (group.before?.[measure.count] ?? null) : null] : []),
      ];
    });
  const rows = groups.map((group) => [group.value, ...cells(group)]);
  return { columns: [DIMENSIONS[by].label, ...head], pages: () => onePage(rows) };
}

const NOTES: Partial<Record<DimensionName, string>> = {
  tag: 'A message with several tags counts for each of them; messages without a tag are not in this list.',
  provider: 'The provider is known from the first try on, so it says nothing about the volume.',
  country:
    'Where a message was read is known of opens, clicks and unsubscribes, and only if a file of places is there.',
  device: 'With what a message was read is known of opens, clicks and unsubscribes.',
};

/** The figures of both periods by group, the largest of this period first. */
function useGroups({
  period,
  by,
  show,
  search,
}: {
  period: Period;
  by: DimensionName;
  show: MeasureName;
  search: StatisticsSearch;
}) {
  const { count } = measureOf(show);
  const filters = filtersOf(search);
  const isCompared = search.compare !== 'off';
  const now = useQuery(groupsQuery({ period, by, count }, filters));
  const before = useQuery(
    groupsQuery({ period: periodBefore(period), by, count }, filters, { limit: 1000, enabled: isCompared }),
  );
  const earlier = new Map(before.data?.groups.map(({ value, counts }) => [value, counts]));
  // A longer list of the period before may lack a group that is there: then it is not known.
  const absent = (before.data?.total ?? 0) > 1000 ? undefined : NOTHING;
  const names = measuresOf([by]).map((name) => measureOf(name).count);
  const groups = (now.data?.groups ?? [])
    .filter(({ counts }) => names.some((name) => counts[name] > 0))
    .map(({ value, counts }) => ({
      value,
      name: groupName(by, value),
      now: counts,
      before: isCompared && before.data ? (earlier.get(value) ?? absent) : undefined,
    }));
  return { groups, total: now.data?.total ?? 0, error: now.error ?? before.error, isPending: now.isPending };
}

interface BreakdownProps {
  period: Period;
  search: StatisticsSearch;
  /** The period before is kept in full. */
  isComparable: boolean;
  /** The last hour, day or month is not over. */
  isOpen: boolean;
  file: string;
  change: (changes: Pick<StatisticsSearch, 'show'>) => void;
  isMeasured: (name: MeasureName, group: { domain: string | undefined; now: Counts }) => boolean;
}

function Tabs({ search }: Pick<BreakdownProps, 'search'>) {
  const { of = 'domain', show: _show, ...rest } = search;
  return (
    <TabNav label="Groups">
      {DIMENSION_NAMES.map((name) => (
        <Link
          key={name}
          to="/statistics"
          search={{ ...rest, ...(name !== 'domain' && { of: name }) }}
          resetScroll={false}
          className={reportClasses.tab}
          activeOptions={{ exact: true }}
          activeProps={{}}
          aria-current={name === of ? 'page' : undefined}
        >
          By {DIMENSIONS[name].label.toLowerCase()}
        </Link>
      ))}
    </TabNav>
  );
}

/** Figures by domain, tag, provider, country or device: the largest as bars, all as a table and as a file. */
export function Breakdown({ period, search, isComparable, isOpen, file, change, isMeasured }: BreakdownProps) {
  const { of: by = 'domain' } = search;
  const filtered = DIMENSION_NAMES.filter((name) => search[name] !== undefined);
  const names = measuresOf([by, ...filtered]);
  const show = search.show && names.includes(search.show) ? search.show : (names[0] as MeasureName);
  const asked = isComparable ? search : { ...search, compare: 'off' as const };
  const { groups, total, error, isPending } = useGroups({ period, by, show, search: asked });
  const ofGroup: GroupsProps['isMeasured'] = (name, { value, now }) =>
    isMeasured(name, { domain: by === 'domain' ? value : search.domain, now });
  const shared = { by, show, groups, isMeasured: ofGroup };
  return (
    <section aria-labelledby="groups" className={classes.groups}>
      <h2 id="groups" className={tables.part}>
        Told apart
      </h2>
      <Tabs search={search} />
      <div className={classes.groupsHead}>
        <Select
          label="Order and bars by"
          w={190}
          allowDeselect={false}
          value={show}
          data={names.map((value) => ({ value, label: measureOf(value).label }))}
          onChange={(value) => change({ show: (value ?? undefined) as MeasureName | undefined })}
        />
        <span className={classes.files}>
          <CsvButtons
            of={`figures by ${by}`}
            size="compact-xs"
            name={`by-${by}-${file}`}
            {...exportOf({ ...shared, names })}
          />
        </span>
      </div>
      {error && (
        <Alert color="red" title="The groups could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {NOTES[by] && <p className={classes.note}>{NOTES[by]}</p>}
      {isPending && <Skeleton height={200} />}
      {!isPending && !error && groups.length === 0 && <p className={classes.nothing}>Nothing here in this period.</p>}
      {groups.length > 0 && (
        <>
          <Bars show={show} groups={groups} />
          <GroupsTable {...shared} names={names} search={search} />
          {isComparable && isOpen && (
            <p className={classes.note}>These differences include the {period.resolution} that is not over.</p>
          )}
          {total > GROUPS_MAX && (
            <p className={classes.note}>
              These are the {GROUPS_MAX} largest of {counted(total, 'group')}.
            </p>
          )}
        </>
      )}
    </section>
  );
}
