// Alerts by Slack: where Slack's API is, and the operator's own Slack app.
import type { Setting } from './settings.ts';

export interface SlackConfig {
  /** Starts the addresses of Slack's API; no trailing slash. */
  api: string;
  /** The operator's Slack app; undefined: there is none, and accounts save tokens of their own. */
  app: { clientId: string; clientSecret: string } | undefined;
}

export const SLACK_SETTINGS: readonly Setting[] = [
  {
    name: 'GALLEY_SLACK_API',
    default: 'https://slack.com/api',
    about: 'Where alerts ask Slack’s API; another address for a proxy of yours.',
    check: (text) =>
      /^https?:\/\/[^\s/]+/.test(text) && URL.canParse(text) ? undefined : 'give an http or https URL.',
  },
  {
    name: 'GALLEY_SLACK_CLIENT_ID',
    default: '',
    about:
      'Client ID of a Slack app of yours, so that accounts connect Slack with a button; together with ' +
      '`GALLEY_SLACK_CLIENT_SECRET`. Its redirect URL is `<address of Galley>/alerts/slack`. Empty: accounts save a ' +
      'bot token or use incoming webhooks.',
    check: (text) => (/^[\w.-]{1,100}$/.test(text) ? undefined : 'give the client ID of a Slack app.'),
  },
  {
    name: 'GALLEY_SLACK_CLIENT_SECRET',
    default: '',
    about: 'Client secret of that Slack app.',
    check: (text) => (/^\S{1,200}$/.test(text) ? undefined : 'give the client secret of a Slack app.'),
    isSecret: true,
  },
];

/** Adds to `faults` where one half of the app is given without the other. */
export function readSlack(read: (name: string) => string | undefined, faults: string[]): SlackConfig {
  const clientId = read('GALLEY_SLACK_CLIENT_ID');
  const clientSecret = read('GALLEY_SLACK_CLIENT_SECRET');
  if ((clientId === undefined) !== (clientSecret === undefined))
    faults.push('GALLEY_SLACK_CLIENT_ID and GALLEY_SLACK_CLIENT_SECRET belong together: give both, or neither.');
  const app = clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret } : undefined;
  return { api: (read('GALLEY_SLACK_API') as string).replace(/\/+$/, ''), app };
}
