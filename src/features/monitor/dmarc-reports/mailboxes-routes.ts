import { endpoint, type Context } from '../../../platform/feature/index.ts';
import * as contracts from './mailboxes-contract.ts';
import { readOne } from './mailboxes-jobs.ts';
import { listMailboxes, type ReportMailbox } from './mailboxes-store.ts';
import * as mailboxes from './mailboxes.ts';

/** A mailbox on the wire: without its password. */
function mailboxView(box: ReportMailbox) {
  const { id, host, port, security, userName, verifyCertificate, folder, trust, isEnabled, state, problem } = box;
  return {
    id,
    host,
    port,
    security,
    user: userName,
    verify_certificate: verifyCertificate,
    folder,
    trust,
    enabled: isEnabled,
    state,
    problem,
    checked_at: box.checkedAt?.toISOString() ?? null,
    succeeded_at: box.succeededAt?.toISOString() ?? null,
    next_at: isEnabled && state !== 'stopped' ? box.dueAt.toISOString() : null,
    messages_read: Number(box.messagesRead),
    messages_left: box.messagesLeft,
    reports_found: Number(box.reportsFound),
    last_report_at: box.lastReportAt?.toISOString() ?? null,
    created_at: box.createdAt.toISOString(),
    updated_at: box.updatedAt.toISOString(),
  };
}

const queueIn =
  ({ jobs, principal: { accountId: account } }: Pick<Context, 'jobs' | 'principal'>) =>
  (tx: Context['db'], id: string): Promise<void> =>
    jobs.enqueue(tx, readOne, { payloads: [{ accountId: account, id }], account });

const foundWords = (count: number): string =>
  count === 1 ? 'There is 1 new message in the folder.' : `There are ${count} new messages in the folder.`;

export const mailboxEndpoints = [
  endpoint(contracts.listMailboxes, async ({ db, principal }) => ({
    items: (await listMailboxes(db, principal.accountId)).map(mailboxView),
  })),
  endpoint(contracts.createMailbox, async (ctx, { body }) =>
    mailboxView(await mailboxes.addMailbox(ctx, body, queueIn(ctx))),
  ),
  endpoint(contracts.getMailbox, async (ctx, { params }) =>
    mailboxView(await mailboxes.getMailbox(ctx, params.mailbox_id)),
  ),
  endpoint(contracts.updateMailbox, async (ctx, { params, body: fields }) =>
    mailboxView(await mailboxes.changeMailbox(ctx, params.mailbox_id, { fields, queue: queueIn(ctx) })),
  ),
  endpoint(contracts.deleteMailbox, async (ctx, { params }) => {
    await mailboxes.removeMailbox(ctx, params.mailbox_id);
    return { message: 'The mailbox has been removed.' };
  }),
  endpoint(contracts.testMailbox, async (ctx, { params }) => {
    const box = await mailboxes.getMailbox(ctx, params.mailbox_id);
    const { outcome, folders } = await mailboxes.tryMailbox(ctx, box);
    return {
      working: outcome.ok,
      reason: outcome.ok ? null : outcome.reason,
      message: outcome.ok ? `The login works. ${foundWords(outcome.left)}` : outcome.message,
      temporary: !outcome.ok && outcome.isTemporary,
      messages_new: outcome.ok ? outcome.left : null,
      folders,
    };
  }),
  endpoint(contracts.readMailboxNow, async (ctx, { params }) =>
    mailboxView(await mailboxes.readSoon(ctx, params.mailbox_id, queueIn(ctx))),
  ),
];
