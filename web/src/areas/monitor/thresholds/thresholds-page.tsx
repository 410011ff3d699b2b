import { Alert, Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { PlusIcon } from '../../../ground/brand/icons.tsx';
import { PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { HitsTable } from './hits-table.tsx';
import { LimitDialog } from './limit-dialog.tsx';
import { LimitsTable } from './limits-table.tsx';
import { SendAlertDialog } from './send-alert-dialog.tsx';
import { SendAlertsTable } from './send-alerts-table.tsx';
import {
  hitsQuery,
  limitsQuery,
  sendAlertsQuery,
  usesQuery,
  type Limit,
  type LimitUse,
  type SendAlert,
} from './thresholds-api.ts';
import classes from './thresholds.module.css';

interface PartProps<Item> {
  id: string;
  title: string;
  list: { data: { items: Item[]; total: number } | undefined; error: Error | null; isPending: boolean };
  empty: ReactNode;
  action?: ReactNode;
  children: (items: Item[]) => ReactNode;
}

/** A list of the page, with what is said when it is empty, under way or longer than it is shown. */
function Part<Item>({ id, title, list, empty, action, children }: PartProps<Item>) {
  const { data, error, isPending } = list;
  return (
    <section aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id} className={classes.part}>
          {title}
        </h2>
        {action}
      </div>
      {error && (
        <Alert color="red" title={`${title} could not be loaded`}>
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={90} />}
      {data?.total === 0 && <p className={classes.empty}>{empty}</p>}
      {data && data.items.length > 0 && children(data.items)}
      {data && data.total > data.items.length && (
        <p className={classes.empty}>
          {data.items.length} of {data.total} are shown.
        </p>
      )}
    </section>
  );
}

type Edited = { limit: Limit | undefined } | { alert: SendAlert | undefined };

function Dialogs({ edited, onClose }: { edited: Edited | undefined; onClose: () => void }) {
  if (!edited) return null;
  return 'limit' in edited ? (
    <LimitDialog limit={edited.limit} onClose={onClose} />
  ) : (
    <SendAlertDialog alert={edited.alert} onClose={onClose} />
  );
}

/** Limits that stop what accounts use, alerts on how sending goes, and where those were crossed. */
export function ThresholdsPage() {
  const { canWrite } = useRole();
  const [limits, uses] = [useQuery(limitsQuery), useQuery(usesQuery)];
  const [alerts, hits] = [useQuery(sendAlertsQuery), useQuery(hitsQuery)];
  const [edited, setEdited] = useState<Edited>();
  const used: LimitUse[] = uses.data?.items ?? [];
  const button = (label: string, edit: Edited) =>
    canWrite && (
      <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={() => setEdited(edit)}>
        {label}
      </Button>
    );
  return (
    <>
      <PageHead
        title="Thresholds"
        lead={
          <>
            Limits stop what accounts use. Alerts on sending watch the rates of what you send. Who is notified is set on{' '}
            <Link to="/alerts">Alerts</Link>: events “Threshold crossed” and “Limit reached”.
          </>
        }
      />
      {uses.error && (
        <Alert color="red" title="What is used could not be loaded">
          {sentenceOf(uses.error)}
        </Alert>
      )}
      <Part
        id="limits"
        title="Limits"
        list={limits}
        action={button('New limit', { limit: undefined })}
        empty="This account has no limits yet."
      >
        {(items) => (
          <LimitsTable limits={items} uses={used} onEdit={canWrite ? (limit) => setEdited({ limit }) : undefined} />
        )}
      </Part>
      <Part
        id="send-alerts"
        title="Alerts on sending"
        list={alerts}
        action={button('New alert', { alert: undefined })}
        empty="No alerts on sending yet. No rate is watched."
      >
        {(items) => <SendAlertsTable alerts={items} onEdit={canWrite ? (alert) => setEdited({ alert }) : undefined} />}
      </Part>
      <Part id="hits" title="Hits" list={hits} empty="No hits in the periods that are watched.">
        {(items) => <HitsTable hits={items} />}
      </Part>
      <Dialogs edited={edited} onClose={() => setEdited(undefined)} />
    </>
  );
}
