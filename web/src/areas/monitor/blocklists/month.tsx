import { Link } from '@tanstack/react-router';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { count, day, figure } from '../../../ground/words.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import tables from '../../../shared/send/send.module.css';
import type { Asset } from './blocklists-api.ts';
import classes from './blocklists.module.css';
import { DAYS, DAY_MS, periodsOf, type Change } from './periods.ts';

const LINES_MAX = 40;
const EVENTS_MAX = 100;

function standingOf(assets: readonly Asset[]) {
  return assets.flatMap(({ asset, kind, listed }) =>
    kind === 'email'
      ? []
      : listed.map(({ list, name, first_seen: at }) => ({ asset, list, name, since: new Date(at) })),
  );
}

function Periods({ changes, assets }: { changes: readonly Change[]; assets: readonly Asset[] }) {
  const now = new Date();
  const start = new Date(now.getTime() - DAYS * DAY_MS);
  const lines = periodsOf(changes, { standing: standingOf(assets), start });
  const place = (at: Date): number =>
    Math.min(100, Math.max(0, ((at.getTime() - start.getTime()) / (DAYS * DAY_MS)) * 100));
  if (lines.length === 0) return null;
  return (
    <figure className={classes.periods} role="img" aria-label="When each was on which list; the table has the figures">
      <div className={classes.axis} aria-hidden="true">
        <span>{day(start)}</span>
        <span>today</span>
      </div>
      {lines.slice(0, LINES_MAX).map(({ asset, list, name, periods }) => (
        <div key={`${asset} ${list}`} className={classes.line}>
          <span className={classes.lineName}>
            <bdi>{asset}</bdi> <span>{name}</span>
          </span>
          <span className={classes.track}>
            {periods.map(({ from, to }) => (
              <span
                key={from.getTime()}
                data-open={to === undefined || undefined}
                title={`${day(from)} to ${to ? day(to) : 'now'}`}
                style={{ left: `${place(from)}%`, width: `${place(to ?? now) - place(from)}%` }}
              />
            ))}
          </span>
        </div>
      ))}
      {lines.length > LINES_MAX && <p>{figure(lines.length - LINES_MAX)} more are in the table.</p>}
    </figure>
  );
}

interface MonthProps {
  changes: readonly Change[];
  /** There are more than were read. */
  isBound: boolean;
  assets: readonly Asset[];
}

/** The last thirty days: a bar for each time on a list, and the same as a table beside it. */
export function Month({ changes, isBound, assets }: MonthProps) {
  const shown = changes.slice(0, EVENTS_MAX);
  return (
    <section aria-label="The last 30 days">
      <h2 className={tables.part}>The last {DAYS} days</h2>
      {changes.length === 0 && <p className={classes.text}>Nothing came onto a list or off it.</p>}
      <div className={classes.month}>
        <Periods changes={changes} assets={assets} />
        {shown.length > 0 && (
          <Sideways label="Changes, table" minWidth={480}>
            <table className={tables.table}>
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">Asset</th>
                  <th scope="col">List</th>
                  <th scope="col">What</th>
                </tr>
              </thead>
              <tbody>
                {shown.map(({ asset, list, name, isListed, at }) => (
                  <tr key={`${asset} ${list} ${at.getTime()} ${isListed}`}>
                    <td className={tables.number}>
                      <When at={at} />
                    </td>
                    <td>
                      <Link to="/blocklists" search={{ asset }}>
                        <bdi>{asset}</bdi>
                      </Link>
                    </td>
                    <td title={list}>{name}</td>
                    <td>{isListed ? <Chip tone="bad">listed</Chip> : <Chip tone="good">off the list</Chip>}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Sideways>
        )}
      </div>
      {(isBound || changes.length > shown.length) && (
        <p className={classes.text}>
          The newest {count(shown.length, 'change')} of {isBound ? 'more than ' : ''}
          {figure(changes.length)}. The interface has all of the last 400 days.
        </p>
      )}
    </section>
  );
}
