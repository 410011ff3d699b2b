import { Alert, Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sentenceOf } from '../../../ground/api.ts';
import { PageHead } from '../../../ground/shell/page.tsx';
import { count } from '../../../ground/words.ts';
import { AlertList } from './alert-list.tsx';
import { alertsQuery, eventLabel, settingsQuery, type AlertSetting } from './alerts-api.ts';
import classes from './alerts.module.css';
import { TrendList } from './trend-list.tsx';

function DisabledSettings({ settings }: { settings: readonly AlertSetting[] }) {
  const disabled = settings.filter(({ disabled_at: at }) => at !== null);
  if (disabled.length === 0) return null;
  const events = [...new Set(disabled.map(({ event_type: event }) => eventLabel(event)))].join(', ');
  return (
    <Alert
      color="red"
      mb="md"
      className={classes.notice ?? ''}
      title={`${count(disabled.length, 'alert setting')} disabled`}
    >
      <p>No target of these settings takes alerts any more: {events}. Save a setting again to enable it.</p>
      <Button size="compact-xs" variant="default" renderRoot={(props) => <Link to="/alerts" {...props} />}>
        Alert settings
      </Button>
    </Alert>
  );
}

/** What is the matter now, and what gets worse, each with the way to mend it. */
export function OverviewPage() {
  const open = useQuery(alertsQuery({ state: 'open' }));
  const settings = useQuery(settingsQuery);
  const total = open.data?.total ?? 0;
  return (
    <>
      <PageHead
        title="What needs you"
        lead="Open alerts of all checks and rates that get worse, with the way to mend each."
      />
      {open.error && (
        <Alert color="red" title="The alerts could not be loaded">
          {sentenceOf(open.error)}
        </Alert>
      )}
      {settings.data && <DisabledSettings settings={settings.data.events} />}
      {settings.data?.events.length === 0 && (
        <Alert color="red" mb="md" className={classes.notice ?? ''} title="Nobody is told">
          <p>There are no alert settings yet, so alerts stand here and nowhere else.</p>
          <Button size="compact-xs" variant="default" renderRoot={(props) => <Link to="/alerts" {...props} />}>
            Add an alert setting
          </Button>
        </Alert>
      )}
      {open.isPending && <Skeleton height={90} />}
      {open.data && total === 0 && <p className={classes.none}>No open alerts.</p>}
      {open.data && total > 0 && <AlertList alerts={open.data.items} label="Open alerts" />}
      {open.data && total > open.data.items.length && (
        <p className={classes.more}>
          {count(total - open.data.items.length, 'more alert')}: <Link to="/alerts">all alerts</Link>
        </p>
      )}
      <TrendList />
    </>
  );
}
