import type { ReactNode } from 'react';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { calendarDay } from '../../../ground/words.ts';
import tables from '../../../shared/send/send.module.css';
import classes from './postmaster.module.css';

/** A figure, or that there is none. */
export const Cell = ({ children }: { children: ReactNode }) =>
  children === null ? <span className={classes.none}>no data</span> : children;

interface TableProps<Row> {
  /** The oldest first. */
  days: readonly string[];
  rows: ReadonlyMap<string, Row>;
  columns: readonly [name: string, cell: (row: Row) => ReactNode][];
}

/** The figures of charts, the newest day first. A day of which nothing is known has a row that says so. */
export function FiguresTable<Row>({ days, rows, columns }: TableProps<Row>) {
  return (
    <section aria-labelledby="figures-by-day">
      <h2 id="figures-by-day" className={tables.part}>
        Figures by day
      </h2>
      <Sideways label="Figures by day, table" minWidth={130 + columns.length * 96} className={classes.table}>
        <table className={tables.table}>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {columns.map(([name]) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => {
              const row = rows.get(day);
              return (
                <tr key={day}>
                  <td className={tables.number}>{calendarDay(day)}</td>
                  {row === undefined ? (
                    <td colSpan={columns.length}>
                      <Cell>{null}</Cell>
                    </td>
                  ) : (
                    columns.map(([name, cell]) => (
                      <td key={name} className={tables.number}>
                        <Cell>{cell(row)}</Cell>
                      </td>
                    ))
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </Sideways>
    </section>
  );
}
