import { VisuallyHidden } from '@mantine/core';
import { RowActions } from '../../../ground/shell/row-actions.tsx';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { Ago } from '../../../ground/shell/when.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import sendClasses from '../../../shared/send/send.module.css';
import { DIMENSIONS, labelIn, percentOf, SEND_METRICS, type Hit, type SendAlert } from './thresholds-api.ts';
import { useDelete } from './use-delete.ts';

function State({ alert, hits }: { alert: SendAlert; hits: readonly Hit[] }) {
  const crossed = hits.filter(({ name, triggered }) => triggered && name === alert.name).length;
  if (alert.last_checked === '') return <Chip tone="doubt">not checked yet</Chip>;
  return crossed > 0 ? <Chip tone="bad">{`${crossed} crossed`}</Chip> : <Chip tone="good">not crossed</Chip>;
}

interface TableProps {
  alerts: readonly SendAlert[];
  hits: readonly Hit[];
  onEdit: ((alert: SendAlert) => void) | undefined;
}

/** Which rates are watched, and whether they are crossed. */
export function SendAlertsTable({ alerts, hits, onEdit }: TableProps) {
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
            <th scope="col">
              <VisuallyHidden>Actions</VisuallyHidden>
            </th>
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
                <State alert={alert} hits={hits} />
              </td>
              <td>{alert.last_checked === '' ? '–' : <Ago at={new Date(alert.last_checked)} />}</td>
              <td className={sendClasses.rowActions}>
                {onEdit && (
                  <RowActions
                    name={alert.name}
                    editLabel="Edit"
                    onEdit={() => onEdit(alert)}
                    onDelete={() => askDelete(alert.name, 'Its hits are deleted, too.')}
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
