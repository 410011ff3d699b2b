import { VisuallyHidden } from '@mantine/core';
import { RowActions } from '../../../ground/shell/row-actions.tsx';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { When } from '../../../ground/shell/when.tsx';
import sendClasses from '../../../shared/send/send.module.css';
import { LIMIT_METRICS, labelIn, PERIODS, type Limit, type LimitUse } from './thresholds-api.ts';
import classes from './thresholds.module.css';
import { useDelete } from './use-delete.ts';

/** Of a limit, the fullest accounts are shown. */
const ACCOUNTS_SHOWN = 3;

function Use({ use }: { use: LimitUse }) {
  const max = Number(use.limit);
  const share = max === 0 ? 1 : Math.min(1, use.used / max);
  return (
    <div className={classes.use}>
      <span>
        <bdi>{use.account_name}</bdi>: {use.used} of {max}
      </span>
      <span className={classes.meter} data-full={share >= 1 || undefined} aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
    </div>
  );
}

function Uses({ uses }: { uses: readonly LimitUse[] }) {
  const [first] = uses;
  if (!first) return <>Nothing in this window</>;
  return (
    <>
      {uses.slice(0, ACCOUNTS_SHOWN).map((use) => (
        <Use key={use.account_id} use={use} />
      ))}
      <span className={classes.whose}>
        {uses.length > ACCOUNTS_SHOWN && `${uses.length - ACCOUNTS_SHOWN} more accounts. `}
        Resets <When at={new Date(first.resets_at)} />
      </span>
    </>
  );
}

function holdsFor({ dimension, filters }: Limit): string {
  if (dimension !== 'subaccount') return 'The account';
  const named = filters.filter(({ comparator }) => comparator === '=').flatMap(({ values }) => values);
  if (named.length > 0) return named.length === 1 ? 'One account' : `${named.length} accounts, each by itself`;
  return 'The account and each subaccount';
}

interface TableProps {
  limits: readonly Limit[];
  uses: readonly LimitUse[];
  onEdit: ((limit: Limit) => void) | undefined;
}

/** Limits, and how far they are used up. */
export function LimitsTable({ limits, uses, onEdit }: TableProps) {
  const askDelete = useDelete('DELETE /v1/thresholds/limits/{name}', 'limit');
  return (
    <Sideways label="Limits, table" minWidth={680}>
      <table className={sendClasses.table}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Limit</th>
            <th scope="col">Holds for</th>
            <th scope="col">Used</th>
            <th scope="col">
              <VisuallyHidden>Actions</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {limits.map((limit) => (
            <tr key={limit.id}>
              <td>
                <bdi>{limit.name}</bdi>
              </td>
              <td>
                {limit.limit} {labelIn(LIMIT_METRICS, limit.metric).toLowerCase()} {labelIn(PERIODS, limit.period)}
              </td>
              <td>{holdsFor(limit)}</td>
              <td>
                <Uses uses={uses.filter(({ name }) => name === limit.name)} />
              </td>
              <td className={sendClasses.number}>
                {onEdit && (
                  <RowActions
                    name={limit.name}
                    editLabel="Edit"
                    onEdit={() => onEdit(limit)}
                    onDelete={() => askDelete(limit.name, 'What it stopped is let through again.')}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}
