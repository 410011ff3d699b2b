// Connecting Slack by the operator's Slack app.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

const common = { tag: 'Alerts', errorShape: 'message' } as const;
const PATH = '/v1/alerts/slack/oauth';
const orNull = Type.Union([Type.String(), Type.Null()]);

export const getSlackApp = contract({
  ...common,
  method: 'GET',
  operationId: 'getAlertSlackApp',
  path: PATH,
  summary: 'Say whether Slack can be connected by a Slack app',
  description:
    'The operator may set up a Slack app (`GALLEY_SLACK_CLIENT_ID`); `message` says what to do where there is none.',
  reply: Type.Object({
    configured: Type.Boolean(),
    redirect_uri: Type.String({ description: 'What the app has to have as its redirect URL.' }),
    message: Type.String(),
  }),
});

export const createSlackInstall = contract({
  ...common,
  method: 'POST',
  operationId: 'createAlertSlackInstallation',
  path: PATH,
  summary: 'Begin to connect Slack',
  description:
    'Open `url` in a browser, where somebody of the workspace allows the app. Slack sends the browser back to the ' +
    'dashboard with a code and a state, which the dashboard hands to the operation below. They are good for this ' +
    'session or key, once, and for ten minutes. Tested against an imitation of Slack’s documented API, not against Slack.',
  reply: Type.Object({ url: Type.String(), expires_at: Type.String() }),
  errors: ['conflict'],
});

export const finishSlackInstall = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateAlertSlackInstallation',
  path: PATH,
  summary: 'Connect Slack with the code that it sent back',
  description:
    'The code is exchanged for a bot token, which is stored encrypted and never shown. It takes the place of one that ' +
    'was saved before.',
  body: Type.Object({
    code: Type.String({ minLength: 1, maxLength: 1000 }),
    state: Type.String({ minLength: 1, maxLength: 200 }),
  }),
  sample: { code: '1234567890.1234567890.abcdef', state: '0123456789abcdef' },
  reply: Type.Object({ message: Type.String(), team_id: orNull, team_name: orNull, scope: orNull }),
  errors: ['invalid_request', 'conflict'],
});
