// What an inbox tells a program of each message that comes: a signed POST, tried a few times.
import { Type } from 'typebox';
import type { Sql } from '../../../platform/db/index.ts';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import { attempt, isSuccess, NOT_WANTED, readTarget, type Attempt } from '../../../platform/posting/index.ts';
import { unixMoment } from '../../../platform/times/index.ts';
import { signatureOf, signingKeyOf } from '../signing-keys/index.ts';
import { findMessageOfAnyone, saveWebhook, type SandboxMessage, type WebhookPost } from './messages-store.ts';
import { findInbox, type SandboxInbox } from './store.ts';
import { summaryView } from './view.ts';

/** With the waits between them, they take some 20 seconds where the receiver answers at once. */
const ATTEMPTS = 5;

/** Throws `invalid_request`. */
export function readWebhookUrl({ config }: Pick<Outside, 'config'>, text: string | null): string | null {
  return text === null ? null : readTarget(text, { allowHosts: config.fetch.allowHosts, field: 'webhook_url' }).url;
}

function eventOf(message: SandboxMessage, inbox: SandboxInbox, now: Date) {
  const { checks: _checks, webhook: _webhook, forward: _forward, ...summary } = summaryView(message, '');
  return {
    event: 'sandbox_message',
    timestamp: unixMoment(now),
    inbox: { id: inbox.id, name: inbox.name },
    message: { ...summary, path: `/v1/sandbox/${inbox.id}/messages/${message.id}` },
  };
}

function stateAfter({ code }: Attempt, isLast: boolean): WebhookPost['state'] {
  if (isSuccess(code)) return 'delivered';
  if (code === NOT_WANTED) return 'rejected';
  return isLast ? 'failed' : 'waiting';
}

/** Posts once for a message and notes how it went. When the process dies between both, it is posted twice. */
export const tell = defineJob({
  name: 'sandbox-inboxes.tell',
  payload: Type.Object({ messageId: Type.String(), inboxId: Type.String() }),
  lane: 'net',
  urgency: 'bulk',
  attempts: ATTEMPTS,
  timeoutMs: 60_000,
  partOf: ({ inboxId }) => inboxId,
  async run(outside, { messageId }, { signal, isLast }) {
    const { db, clock } = outside;
    const message = await findMessageOfAnyone(db, messageId);
    if (!message?.webhook || message.webhook.state !== 'waiting') return;
    const { url, attempts } = message.webhook;
    const inbox = await findInbox(db, message.accountId, message.inboxId);
    if (inbox?.webhookUrl !== url) return saveWebhook(db, message, { url, attempts, state: 'dropped' });
    const key = await signingKeyOf(outside, message.accountId);
    const now = clock.now();
    const json = JSON.stringify({ signature: signatureOf(key, now), 'event-data': eventOf(message, inbox, now) });
    const made = await attempt(outside, { url, json, purpose: 'sandbox', signal });
    if (made.code === null && signal.aborted) throw new Error(made.message);
    const all = [...attempts, made];
    const state = stateAfter(made, isLast || all.length >= ATTEMPTS);
    await saveWebhook(db, message, { url, attempts: all, state });
    if (state === 'waiting') throw new Error(made.message);
  },
  async gaveUp({ db }, { messageId }) {
    const message = await findMessageOfAnyone(db, messageId);
    if (message?.webhook?.state === 'waiting') await saveWebhook(db, message, { ...message.webhook, state: 'failed' });
  },
});

/** What a message that comes now gets of its inbox. */
export const webhookFor = ({ webhookUrl: url }: SandboxInbox): WebhookPost | null =>
  url === null ? null : { url, state: 'waiting', attempts: [] };

/** In the transaction that keeps the message. */
export async function queueWebhook(
  { jobs }: Pick<Outside, 'jobs'>,
  tx: Sql,
  { id, accountId, inboxId, webhook }: Pick<SandboxMessage, 'id' | 'accountId' | 'inboxId' | 'webhook'>,
): Promise<void> {
  if (webhook) await jobs.enqueue(tx, tell, { payloads: [{ messageId: id, inboxId }], account: accountId });
}
