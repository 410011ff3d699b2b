import { Alert, Button, SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { PlusIcon } from '../../../ground/brand/icons.tsx';
import { PageNumbers } from '../../../ground/shell/page-numbers.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { AlertList } from './alert-list.tsx';
import { ALERTS_PER_PAGE, alertsQuery, settingsQuery, type AlertSetting } from './alerts-api.ts';
import classes from './alerts.module.css';
import { AlertSigningKey } from './alert-signing-key.tsx';
import { QuietHoursForm } from './quiet-hours-form.tsx';
import { SettingDialog } from './setting-dialog.tsx';
import { SettingsTable } from './settings-table.tsx';
import { SlackConnection } from './slack-connection.tsx';

type State = 'open' | 'over';

function AlertHistory() {
  const [state, setState] = useState<State>('open');
  const [page, setPage] = useState(1);
  const alerts = useQuery(alertsQuery({ state, skip: (page - 1) * ALERTS_PER_PAGE }));
  const pages = Math.ceil((alerts.data?.total ?? 0) / ALERTS_PER_PAGE);
  return (
    <section aria-labelledby="alert-history">
      <h2 id="alert-history" className={classes.part}>
        What was found
      </h2>
      <SegmentedControl
        aria-label="Alerts shown"
        mb="md"
        size="xs"
        value={state}
        data={[
          { value: 'open', label: 'Open' },
          { value: 'over', label: 'Over' },
        ]}
        onChange={(value) => (setState(value as State), setPage(1))}
      />
      {alerts.error && (
        <Alert color="red" title="The alerts could not be loaded">
          {sentenceOf(alerts.error)}
        </Alert>
      )}
      {alerts.isPending && <Skeleton height={90} />}
      {alerts.data?.total === 0 && (
        <p className={classes.about}>{state === 'open' ? 'No open alerts.' : 'No alerts ended in the last 30 days.'}</p>
      )}
      {alerts.data && alerts.data.total > 0 && <AlertList alerts={alerts.data.items} label="Alerts, list" />}
      <PageNumbers label="Pages of alerts" pages={pages} page={page} onChange={setPage} />
    </section>
  );
}

/** Who is told of what, when nobody is woken, and what was told. */
export function AlertsPage() {
  const { canWrite } = useRole();
  const settings = useQuery(settingsQuery);
  const [edited, setEdited] = useState<{ setting?: AlertSetting }>();
  const add = () => setEdited({});
  return (
    <>
      <PageHead title="Alerts" lead="Galley tells you by email, webhook or Slack when something is the matter.">
        {canWrite && settings.data?.events.length !== 0 && (
          <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={add}>
            New setting
          </Button>
        )}
      </PageHead>
      {settings.error && (
        <Alert color="red" title="The settings could not be loaded">
          {sentenceOf(settings.error)}
        </Alert>
      )}
      {settings.isPending && <Skeleton height={90} />}
      {settings.data?.events.length === 0 && (
        <Notice title="No alert settings yet" action={canWrite && <Button onClick={add}>New setting</Button>}>
          Choose an event, such as a listing on a blocklist or a threshold that is crossed, and the email address,
          webhook or Slack channel that is notified.
        </Notice>
      )}
      {settings.data && settings.data.events.length > 0 && (
        <SettingsTable
          settings={settings.data.events}
          onEdit={canWrite ? (setting) => setEdited({ setting }) : undefined}
        />
      )}
      <AlertHistory />
      <QuietHoursForm />
      {canWrite && <SlackConnection />}
      {settings.data?.webhooks.signing_key_fault !== undefined && (
        <Alert color="red" title="The signing key of alerts cannot be read">
          {settings.data.webhooks.signing_key_fault}
        </Alert>
      )}
      {canWrite && <AlertSigningKey signingKey={settings.data?.webhooks.signing_key ?? null} />}
      {edited && <SettingDialog setting={edited.setting} onClose={() => setEdited(undefined)} />}
    </>
  );
}
