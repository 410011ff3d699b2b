import { endpoint } from '../../../platform/feature/index.ts';
import { describeApp, finishInstall, startInstall } from './slack-app.ts';
import * as contracts from './slack-contract.ts';

export const slackEndpoints = [
  endpoint(contracts.getSlackApp, async (ctx) => describeApp(ctx)),
  endpoint(contracts.createSlackInstall, (ctx) => startInstall(ctx)),
  endpoint(contracts.finishSlackInstall, async (ctx, { body }) => {
    const { id, name, scope } = await finishInstall(ctx, body);
    return { message: 'Slack has been connected', team_id: id, team_name: name, scope };
  }),
];
