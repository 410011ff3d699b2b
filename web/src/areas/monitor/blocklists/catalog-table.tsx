import { Sideways } from '../../../ground/shell/sideways.tsx';
import { calendarDay, count, figure } from '../../../ground/words.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import tables from '../../../shared/send/send.module.css';
import type { Blocklist } from './blocklists-api.ts';
import classes from './blocklists.module.css';

function TestOf({ list }: { list: Blocklist }) {
  const failed = list.tests.filter(({ is_live: isLive }) => !isLive);
  if (list.tests.length === 0) return <Chip>not tested yet</Chip>;
  if (failed.length === 0) return <Chip tone="good">passed</Chip>;
  return (
    <>
      <Chip tone="doubt">not believed</Chip>
      {failed.map(({ kind, why }) => (
        <span key={kind} className={classes.why}>
          {why}
        </span>
      ))}
    </>
  );
}

/** The lists that are asked, with how each fares from here. */
export function CatalogTable({ lists }: { lists: readonly Blocklist[] }) {
  const asked = lists.filter(({ not_asked: why }) => why === null);
  return (
    <details className={classes.catalog}>
      <summary>
        {count(asked.length, 'list')} asked, {figure(lists.length - asked.length)} in the catalog that are not
      </summary>
      <p className={classes.text}>
        Every list is tested before it is believed: it must hold its own test entry, and not hold what no list may hold.
      </p>
      <Sideways label="Lists, table" minWidth={760}>
        <table className={tables.table}>
          <thead>
            <tr>
              <th scope="col">List</th>
              <th scope="col">Who asks it</th>
              <th scope="col">Test from here</th>
              <th scope="col">Questions today</th>
              <th scope="col">Known as of</th>
            </tr>
          </thead>
          <tbody>
            {asked.map((list) => (
              <tr key={list.list}>
                <td>
                  {list.name}
                  <span className={classes.why}>
                    <bdi>{list.list}</bdi>
                  </span>
                </td>
                <td>{list.used_by || 'No source names anybody.'}</td>
                <td>
                  <TestOf list={list} />
                </td>
                <td className={tables.number}>
                  {figure(list.questions_today)} of {figure(list.questions_per_day)}
                </td>
                <td>{calendarDay(list.status_at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Sideways>
    </details>
  );
}
