import { endpoint } from '../../../platform/feature/index.ts';
import { addRecipient, findInvited, listViewed, removeRecipient } from './actions.ts';
import * as contracts from './contract.ts';
import { sendNow } from './jobs.ts';
import { donePage, questionPage, unknownPage } from './page.ts';
import { activateByToken } from './store.ts';

export const endpoints = [
  endpoint(contracts.listSandboxRecipients, async (ctx) => ({
    recipients: await listViewed(ctx, ctx.principal.accountId),
  })),
  endpoint(contracts.addSandboxRecipient, async (ctx, { query }) => {
    const { accountId } = ctx.principal;
    const { recipient, isToSend } = await addRecipient(ctx, query.email);
    // Were this lost, the mail would go within a minute.
    if (isToSend) await ctx.jobs.enqueue(ctx.db, sendNow, { payloads: [{}], account: accountId });
    ctx.jobs.wake();
    return { recipient };
  }),
  endpoint(contracts.deleteSandboxRecipient, async (ctx, { params }) => {
    await removeRecipient(ctx, ctx.principal.accountId, params.email);
    return { message: 'Sandbox recipient deleted.' };
  }),
  endpoint(contracts.showActivation, async (ctx, { params }) => {
    const asked = await findInvited(ctx, params.token);
    return asked ? questionPage(asked) : unknownPage();
  }),
  endpoint(contracts.activate, async (ctx, { params }) => {
    const asked = await findInvited(ctx, params.token);
    if (!asked) return unknownPage();
    await activateByToken(ctx.db, params.token);
    return donePage(asked);
  }),
];
