import { count, figure } from '../../../ground/words.ts';
import { ActionsHead } from '../../../ground/shell/row-actions.tsx';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { ActionsCell } from '../../../shared/send/actions-cell.tsx';
import sendClasses from '../../../shared/send/send.module.css';
import { LIMIT_METRICS, labelIn, PERIODS, type Limit, type LimitUse } from './thresholds-api.ts';
import { useAccounts } from './use-accounts.ts';
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
        <bdi>{use.account_name}</bdi>: {figure(use.used)} of {figure(max)}
      </span>
      <span className={classes.meter} data-full={share >= 1 || undefined} aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
    </div>
  );
}

function Uses({ uses }: { uses: readonly LimitUse[] }) {
  const [first] = uses;
  if (!first) return <span className={classes.whose}>Nothing yet</span>;
  return (
    <>
      {uses.slice(0, ACCOUNTS_SHOWN).map((use) => (
        <Use key={use.account_id} use={use} />
      ))}
      <span className={classes.whose}>
        {uses.length > ACCOUNTS_SHOWN && `${count(uses.length - ACCOUNTS_SHOWN, 'more account')}. `}
        Resets <When at={new Date(first.resets_at)} />
      </span>
    </>
  );
}

/** How many accounts are called by their names. */
const NAMES_MAX = 3;

/** What is limited, in words. */
function limitWords({ limit, metric, period }: Limit): string {
  const one = LIMIT_METRICS.find(({ value }) => value === metric)?.one ?? metric;
  return `${count(Number(limit), one)} per ${labelIn(PERIODS, period)}`;
}

/** Whom a limit is for. */
function appliesTo({ dimension, filters }: Limit, nameOf: (id: string) => string): string {
  if (dimension !== 'subaccount') return 'The account';
  const [filter, ...more] = filters;
  if (!filter) return 'The account and each subaccount';
  if (more.length > 0) return `What ${filters.length} filters leave`;
  const { comparator, values } = filter;
  const those = values.length > NAMES_MAX ? count(values.length, 'account') : values.map(nameOf).join(', ');
  if (comparator === '!=') return `All accounts but ${those}`;
  return values.length > 1 ? `Each of ${those}` : those;
}

interface TableProps {
  limits: readonly Limit[];
  uses: readonly LimitUse[];
  onEdit: ((limit: Limit) => void) | undefined;
}

/** Limits, and how far they are used up. */
export function LimitsTable({ limits, uses, onEdit }: TableProps) {
  const askDelete = useDelete('DELETE /v1/thresholds/limits/{name}', 'limit');
  const { nameOf } = useAccounts();
  return (
    <Sideways label="Limits, table" minWidth={680}>
      <table className={sendClasses.table}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Limit</th>
            <th scope="col">Used</th>
            <th scope="col">Applies to</th>
            <ActionsHead />
          </tr>
        </thead>
        <tbody>
          {limits.map((limit) => (
            <tr key={limit.id}>
              <td>
                <bdi>{limit.name}</bdi>
              </td>
              <td>{limitWords(limit)}</td>
              <td>
                <Uses uses={uses.filter(({ name }) => name === limit.name)} />
              </td>
              <td>
                <bdi>{appliesTo(limit, nameOf)}</bdi>
              </td>
              <ActionsCell
                name={limit.name}
                editLabel="Edit"
                onEdit={onEdit && (() => onEdit(limit))}
                onDelete={() => askDelete(limit.name, 'What it stopped works again.')}
              />
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}
