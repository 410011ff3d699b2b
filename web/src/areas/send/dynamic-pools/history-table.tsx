import { Sideways } from '../../../ground/shell/sideways.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import sendClasses from '../../../shared/send/send.module.css';
import { bandOf, type Move } from './dynamic-pools-api.ts';
import classes from './dynamic-pools.module.css';

function Band({ pool }: { pool: string }) {
  const band = bandOf(pool);
  return band ? (
    <Chip tone={band.tone}>{band.label}</Chip>
  ) : (
    <span className={`${classes.dim} ${classes.number}`}>no pool</span>
  );
}

/** When domains came into which pool, why, and through whom. */
export function HistoryTable({ moves }: { moves: readonly Move[] }) {
  return (
    <Sideways label="History, table" minWidth={1000}>
      <table className={sendClasses.table}>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Domain</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Why</th>
            <th scope="col">By</th>
          </tr>
        </thead>
        <tbody>
          {moves.map((move) => (
            <tr key={move.id}>
              <td className={classes.time}>
                <When at={new Date(move.timestamp)} />
              </td>
              <td className={classes.name}>
                <bdi>{move.domain_name}</bdi>
              </td>
              <td>
                <Band pool={move.prev_band} />
              </td>
              <td>
                <Band pool={move.new_band} />
              </td>
              <td className={classes.why}>{move.reason}</td>
              <td>
                <bdi>{move.initiated_by}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}
