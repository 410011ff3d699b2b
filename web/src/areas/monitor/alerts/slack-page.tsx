import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, sentenceOf } from '../../../ground/api.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';

/** What Slack sent back in the address. */
function given() {
  const query = new URLSearchParams(window.location.search);
  return { code: query.get('code') ?? '', state: query.get('state') ?? '' };
}

const back = (
  <Button variant="default" renderRoot={(props) => <Link to="/alerts" {...props} />}>
    Back to alerts
  </Button>
);

/** Where Slack sends people back to when they have allowed the app, or not. */
export function SlackPage() {
  const { code, state } = given();
  const isAllowed = code !== '' && state !== '';
  // A code is good once: it is exchanged when the page opens, and never again.
  const { data, error } = useQuery({
    queryKey: ['slack-install', state],
    queryFn: () => api.call('PUT /v1/alerts/slack/oauth', { body: { code, state } }),
    enabled: isAllowed,
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return (
    <>
      <PageHead title="Slack" lead="Alerts go to channels of a workspace that has allowed it." />
      {!isAllowed && (
        <Notice title="Slack is not connected" action={back}>
          <p>Nobody has allowed the app. Begin again under alerts.</p>
        </Notice>
      )}
      {error && (
        <Notice title="Slack is not connected" action={back}>
          <p>{sentenceOf(error)}</p>
        </Notice>
      )}
      {isAllowed && !data && !error && <Skeleton height={90} />}
      {data && (
        <Notice title="Slack is connected" action={back}>
          <p>{data.team_name ?? 'The workspace'} can be told of alerts now: choose its channels in a setting.</p>
        </Notice>
      )}
    </>
  );
}
