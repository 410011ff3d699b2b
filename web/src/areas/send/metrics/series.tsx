import { useState } from 'react';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { figure, percent } from '../../../ground/words.ts';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { onePage, type ListExport } from '../../../shared/send/list-pages.ts';
import tables from '../../../shared/send/send.module.css';
import { LineChart } from './line-chart.tsx';
import { changeOf, measureOf, shareOf, sumOf, type Counts, type MeasureName } from './measures.ts';
import { bucketKey, bucketName, periodBefore, type Period } from './period.ts';
import classes from './statistics.module.css';

/** The figures of a period, and of the one before where it is shown. */
export interface Figures {
  period: Period;
  /** The last hour, day or month is not over. */
  isOpen: boolean;
  now: readonly (Counts | undefined)[];
  before: readonly (Counts | undefined)[] | undefined;
}

/** What is compared: hours, days and months that are over, in both periods. Undefined: not all of them are kept. */
function compared({ now, before, isOpen }: Figures): { now: Counts; before: Counts } | undefined {
  if (!before) return undefined;
  const count = now.length - (isOpen ? 1 : 0);
  const [later, earlier] = [now.slice(0, count), before.slice(0, count)];
  if (count === 0 || [...later, ...earlier].includes(undefined)) return undefined;
  return { now: sumOf(later), before: sumOf(earlier) };
}

/** The difference to the period before, as a sentence. */
function differenceOf(figures: Figures, name: MeasureName): string | undefined {
  const both = compared(figures);
  if (!both) return undefined;
  const { count } = measureOf(name);
  const [now, before] = [both.now[count], both.before[count]];
  if (before === 0) return now === 0 ? 'None in the period before, either.' : 'None in the period before.';
  return `${changeOf(now, before)} against ${figure(before)} in the period before`;
}

interface TableProps {
  name: MeasureName;
  figures: Figures;
}

/** Columns of the table and of the file: their names, and the cells of a place. */
function columnsOf({ name, figures }: TableProps) {
  const measure = measureOf(name);
  const { period, now, before } = figures;
  const earlier = periodBefore(period);
  const at = (all: Figures['before'], place: number, count = measure.count): number | null =>
    all?.[place]?.[count] ?? null;
  const share = (place: number): number | null => {
    const counts = now[place];
    return (counts && shareOf(measure, counts)) ?? null;
  };
  const { beside, of } = measure;
  return [
    {
      name: `${period.resolution} (UTC)`,
      cell: (place: number) => bucketKey(period.buckets[place] as Date, period.resolution),
    },
    { name: measure.label, cell: (place: number) => at(now, place) },
    ...(of ? [{ name: `Share ${of.words}`, isShare: true, cell: share }] : []),
    ...(beside ? [{ name: beside.label, cell: (place: number) => at(now, place, beside.count) }] : []),
    ...(before
      ? [
          {
            name: `${period.resolution} before (UTC)`,
            cell: (place: number) => bucketKey(earlier.buckets[place] as Date, period.resolution),
          },
          { name: `${measure.label} before`, cell: (place: number) => at(before, place) },
        ]
      : []),
  ];
}

function SeriesTable({ name, figures }: TableProps) {
  const columns = columnsOf({ name, figures });
  const places = figures.now.map((_, place) => place).reverse();
  const { label } = measureOf(name);
  return (
    <Sideways label={`${label}, table`} minWidth={columns.length * 92} className={classes.table}>
      <table className={tables.table}>
        <thead>
          <tr>
            {columns.map(({ name: column }) => (
              <th key={column} scope="col">
                {column[0]?.toUpperCase()}
                {column.slice(1)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {places.map((place) => (
            <tr key={place}>
              {columns.map(({ name: column, cell, ...more }) => {
                const value = cell(place);
                return (
                  <td key={column} className={tables.number}>
                    {value === null ? (
                      <span className="dim">–</span>
                    ) : typeof value === 'string' ? (
                      value
                    ) : 'isShare' in more ? (
                      percent(value)
                    ) : (
                      figure(value)
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}

const exportOf = (props: TableProps): ListExport => {
  const columns = columnsOf(props);
  const rows = props.figures.now.map((_, place) => columns.map(({ cell }) => cell(place)));
  return { columns: columns.map(({ name }) => name), pages: () => onePage(rows) };
};

/** One figure over time: its sum, the line, and both as a table and as a file. */
export function Series({ name, figures, file }: TableProps & { file: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const measure = measureOf(name);
  const { period, now, before } = figures;
  const { resolution, buckets } = period;
  const total = sumOf(now);
  const share = shareOf(measure, total);
  const difference = differenceOf(figures, name);
  const earlier = periodBefore(period);
  const values = now.map((counts) => counts?.[measure.count]);
  const valuesBefore = before?.map((counts) => counts?.[measure.count]);
  const said = (at: Date | undefined, value: number | undefined): string =>
    `${bucketName(at as Date, resolution)}: ${value === undefined ? 'no figures kept' : figure(value)}`;
  return (
    <figure className={classes.figure}>
      <figcaption>
        <h3>{measure.label}</h3>
        <p className={classes.total}>
          <strong>{figure(total[measure.count])}</strong>
          {share !== undefined && (
            <span>
              {percent(share)} {measure.of?.words}
            </span>
          )}
          {difference && <span className={classes.difference}>{difference}</span>}
        </p>
        <p className={classes.about}>{measure.about}</p>
      </figcaption>
      <LineChart
        label={`${measure.label} by ${resolution}: ${figure(total[measure.count])} in all.`}
        values={values}
        before={valuesBefore}
        titleOf={(place) =>
          [
            said(buckets[place], values[place]),
            ...(valuesBefore ? [`Before: ${said(earlier.buckets[place], valuesBefore[place])}`] : []),
          ].join('\n')
        }
        first={bucketName(buckets[0] as Date, resolution)}
        last={bucketName(buckets.at(-1) as Date, resolution)}
      />
      <div className={classes.foot}>
        <details className={classes.details} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
          <summary>
            {measure.label} by {resolution}
          </summary>
          {isOpen && <SeriesTable name={name} figures={figures} />}
        </details>
        <span className={classes.files}>
          <CsvButtons
            of={measure.label}
            size="compact-xs"
            name={`${measure.label.toLowerCase()}-${file}`}
            {...exportOf({ name, figures })}
          />
        </span>
      </div>
    </figure>
  );
}

/** A figure that nobody measures: that is not the same as none. */
export function Unmeasured({ name, why }: { name: MeasureName; why: string }) {
  const { label, about } = measureOf(name);
  return (
    <figure className={classes.figure}>
      <figcaption>
        <h3>{label}</h3>
        <p className={classes.total}>
          <strong>not measured</strong>
        </p>
        <p className={classes.about}>{about}</p>
      </figcaption>
      <p className={classes.nothing}>{why}</p>
    </figure>
  );
}
