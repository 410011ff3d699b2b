// The setting of alerts by Slack.
import type { Setting } from './settings.ts';

export const SLACK_SETTINGS: readonly Setting[] = [
  {
    name: 'GALLEY_SLACK_API',
    default: 'https://slack.com/api',
    about: 'Where alerts ask Slack’s API; another address for a proxy of yours.',
    check: (text) =>
      /^https?:\/\/[^\s/]+/.test(text) && URL.canParse(text) ? undefined : 'give an http or https URL.',
  },
];
