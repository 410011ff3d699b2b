import { endpoint, type Outside } from '../../../platform/feature/index.ts';
import * as contracts from './contract.ts';
import * as mailboxes from './mailboxes.ts';
import { listMailboxes, type SeedMailbox } from './mailboxes-store.ts';
import { mailboxView } from './view.ts';

const shown = (ctx: Pick<Outside, 'secrets'>, box: SeedMailbox) =>
  mailboxView(box, mailboxes.kindOfCredentials(ctx, box));

export const endpoints = [
  endpoint(contracts.listMailboxes, async (ctx) => {
    const items = await listMailboxes(ctx.db, ctx.principal.accountId);
    return { items: items.map((box) => shown(ctx, box)), total: items.length };
  }),
  endpoint(contracts.createMailbox, async (ctx, { body }) => shown(ctx, await mailboxes.addMailbox(ctx, body))),
  endpoint(contracts.getMailbox, async (ctx, { params }) =>
    shown(ctx, await mailboxes.getMailbox(ctx, params.mailbox_id)),
  ),
  endpoint(contracts.updateMailbox, async (ctx, { params, body }) =>
    shown(ctx, await mailboxes.changeMailbox(ctx, params.mailbox_id, body)),
  ),
  endpoint(contracts.deleteMailbox, async (ctx, { params }) => {
    await mailboxes.removeMailbox(ctx, params.mailbox_id);
    return { message: 'The mailbox and its credentials were deleted.' };
  }),
  endpoint(contracts.testMailbox, async (ctx, { params }) => {
    const outcome = await mailboxes.tryMailbox(ctx, await mailboxes.getMailbox(ctx, params.mailbox_id));
    if (!outcome.ok)
      return {
        working: false,
        reason: outcome.reason,
        message: outcome.message,
        temporary: outcome.isTemporary,
        has_tabs: false,
        folders: [],
      };
    return {
      working: true,
      reason: null,
      message: `Login works; ${outcome.folders.length} folders are looked into.`,
      temporary: false,
      has_tabs: outcome.hasTabs,
      folders: outcome.folders,
    };
  }),
];
