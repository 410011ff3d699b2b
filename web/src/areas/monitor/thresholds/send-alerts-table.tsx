import { ActionsHead } from '../../../ground/shell/row-actions.tsx';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { Ago } from '../../../ground/shell/when.tsx';
import { figure } from '../../../ground/words.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { ActionsCell } from '../../../shared/send/actions-cell.tsx';
import sendClasses from '../../../shared/send/send.module.css';
import { DIMENSIONS, labelIn, percentOf, SEND_METRICS, type SendAlert } from './thresholds-api.ts';
import { useDelete } from './use-delete.ts';

/** Of an alert, so many hits are open at once. */
const HITS_MAX = 500;

function State({ alert: { last_checked: checked, values_crossed: crossed } }: { alert: SendAlert }) {
  if (checked === '') return <Chip tone="doubt">not checked yet</Chip>;
  if (crossed === 0) return <Chip tone="good">not crossed</Chip>;
  return (
    <>
      <Chip tone="bad">{`${figure(crossed)} crossed`}</Chip>
      {crossed > HITS_MAX && ` Hits are shown for ${HITS_MAX}.`}
    </>
  );
}

interface TableProps {
  alerts: readonly SendAlert[];
  onEdit: ((alert: SendAlert) => void) | undefined;
}

/** Which rates are watched, and whether they are crossed. */
export function SendAlertsTable({ alerts, onEdit }: TableProps) {
  const askDelete = useDelete('DELETE /v1/thresholds/alerts/send/{name}', 'alert on sending');
  return (
    <Sideways label="Alerts on sending, table" minWidth={680}>
      <table className={sendClasses.table}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Watches</th>
            <th scope="col">For each</th>
            <th scope="col">State</th>
            <th scope="col">Last checked</th>
            <ActionsHead />
          </tr>
        </thead>
        <tbody>
          {alerts.map((alert) => (
            <tr key={alert.id}>
              <td>
                <bdi>{alert.name}</bdi>
              </td>
              <td>
                {labelIn(SEND_METRICS, alert.metric)} {alert.comparator} {percentOf(alert.limit)} % in {alert.period}
                {alert.filters.length > 0 && ', filtered'}
              </td>
              <td>{labelIn(DIMENSIONS, alert.dimension)}</td>
              <td>
                <State alert={alert} />
              </td>
              <td>{alert.last_checked === '' ? '–' : <Ago at={new Date(alert.last_checked)} />}</td>
              <ActionsCell
                name={alert.name}
                editLabel="Edit"
                onEdit={onEdit && (() => onEdit(alert))}
                onDelete={() => askDelete(alert.name, 'Its hits are deleted, too.')}
              />
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}
