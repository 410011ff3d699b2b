import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, sentenceOf } from '../../../ground/api.ts';
import { tell } from '../../../ground/shell/ask.ts';
import { useRole } from '../../../ground/shell/role.ts';
import { Ago, When } from '../../../ground/shell/when.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { eventLabel, type Alert } from './alerts-api.ts';
import classes from './alerts.module.css';

function useResolve() {
  const queries = useQueryClient();
  return async ({ id }: Alert): Promise<void> => {
    try {
      await api.call('POST /v1/galley/alerts/{alert_id}/resolve', { path: { alert_id: id }, body: {} });
    } catch (error) {
      tell({ color: 'red', title: 'The alert was not resolved', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['alerts'] });
  };
}

/** Who was told, in a sentence. */
function toldWords({ deliveries }: Alert): string {
  const count = (state: string): number => deliveries.filter((one) => one.state === state).length;
  if (deliveries.length === 0) return 'No alert setting names this event, so nobody was told.';
  const failed = deliveries.find(({ state }) => state === 'failed');
  if (failed) return `${failed.target} was not reached: ${failed.message ?? 'no answer'}`;
  const waiting = count('waiting');
  if (waiting > 0) return `${waiting} of ${deliveries.length} messages waiting.`;
  const canceled = count('canceled');
  return `Sent to ${count('delivered')}${canceled > 0 ? `, ${canceled} canceled` : ''}.`;
}

function AlertItem({ alert, onResolve }: { alert: Alert; onResolve: (() => void) | undefined }) {
  const over = alert.over_at === null ? undefined : new Date(alert.over_at);
  return (
    <li className={classes.alert} data-over={over !== undefined || undefined}>
      <div className={classes.head}>
        <Chip tone={over ? undefined : 'bad'}>{over ? 'over' : 'open'}</Chip>
        <span className={classes.event}>{eventLabel(alert.event)}</span>
        <span className={classes.time}>
          <Ago at={new Date(alert.created_at)} />
          {alert.count > 1 && `, ${alert.count} times`}
          {over && (
            <>
              , over <When at={over} />
            </>
          )}
        </span>
      </div>
      <p className={classes.message}>{alert.message}</p>
      {alert.fix !== undefined && !over && <p className={classes.fix}>{alert.fix}</p>}
      <p className={classes.told}>{toldWords(alert)}</p>
      <div className={classes.actions}>
        {alert.page !== undefined && (
          <Button
            size="compact-xs"
            variant="default"
            renderRoot={(props) => <Link to={alert.page as string} {...props} />}
          >
            Show
          </Button>
        )}
        {!over && onResolve && (
          <Button size="compact-xs" variant="default" onClick={onResolve}>
            Resolve
          </Button>
        )}
      </div>
    </li>
  );
}

/** Alerts, each with what to do about it. */
export function AlertList({ alerts, label }: { alerts: readonly Alert[]; label: string }) {
  const { canWrite } = useRole();
  const resolve = useResolve();
  return (
    <ul className={classes.list} aria-label={label}>
      {alerts.map((alert) => (
        <AlertItem key={alert.id} alert={alert} onResolve={canWrite ? () => void resolve(alert) : undefined} />
      ))}
    </ul>
  );
}
