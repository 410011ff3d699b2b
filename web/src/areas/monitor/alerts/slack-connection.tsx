import { Alert, Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, sentenceOf } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { settingsQuery, slackChannelsQuery } from './alerts-api.ts';
import classes from './alerts.module.css';

/** The workspace of Slack that is told of alerts: connected, taken away, or why it cannot be connected. */
export function SlackConnection() {
  const queries = useQueryClient();
  const { data: app } = useQuery({
    queryKey: ['slack-app'],
    queryFn: ({ signal }) => api.call('GET /v1/alerts/slack/oauth', {}, { signal }),
  });
  const { data: settings } = useQuery(settingsQuery);
  const connect = useMutation({
    mutationFn: () => api.call('POST /v1/alerts/slack/oauth', {}),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const disconnect = useMutation({
    mutationFn: () => api.call('DELETE /v1/alerts/settings/slack', {}),
    onSuccess: ({ message }) => {
      announce(message);
      queries.removeQueries(slackChannelsQuery);
      void queries.invalidateQueries({ queryKey: ['alert-settings'] });
    },
  });
  if (!app || !settings) return null;
  const { token, team_name: team } = settings.slack;
  const error = connect.error ?? disconnect.error;
  return (
    <section aria-labelledby="slack-connection" className={classes.connection}>
      <h2 id="slack-connection" className={classes.part}>
        Slack
      </h2>
      {error && (
        <Alert color="red" mb="md" title="That did not work">
          {sentenceOf(error)}
        </Alert>
      )}
      <p className={classes.about}>
        {token === null ? app.message : `Alerts can go to channels of ${team ?? 'a workspace'}.`}
      </p>
      {token === null && app.configured && (
        <Button size="xs" variant="default" loading={connect.isPending} onClick={() => connect.mutate()}>
          Connect Slack
        </Button>
      )}
      {token !== null && (
        <Button size="xs" variant="default" loading={disconnect.isPending} onClick={() => disconnect.mutate()}>
          Disconnect Slack
        </Button>
      )}
    </section>
  );
}
