// Webhooks of the account itself: events of every domain, one URL with its kinds.
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import type { WebhookKind } from './contract.ts';
import * as store from './store.ts';
import type { Subscribed } from './store.ts';
import { readKinds, refuseMore, subscribe, type Doors } from './subscriptions.ts';
import { readUrl } from './urls.ts';

/** A URL with the kinds of events that it gets. */
export interface AccountWebhook {
  id: string;
  description: string;
  url: string;
  kinds: WebhookKind[];
  createdAt: Date;
}

interface Asked {
  description: string;
  url: string;
  event_types: string | readonly string[];
}

function grouped(subscribed: readonly Subscribed[]): AccountWebhook[] {
  const webhooks = new Map<string, AccountWebhook>();
  for (const { webhookId, description, url, kind, createdAt } of subscribed) {
    const id = webhookId as string;
    const webhook = webhooks.get(id) ?? { id, description, url, kinds: [], createdAt };
    if (createdAt < webhook.createdAt) webhook.createdAt = createdAt;
    webhook.kinds.push(kind);
    webhooks.set(id, webhook);
  }
  return [...webhooks.values()];
}

const missing = (): AppError => new AppError('not_found', 'Webhook not found');

/** All of them, or those with these ids. */
export async function listAccountWebhooks(doors: Doors, ids?: readonly string[]): Promise<AccountWebhook[]> {
  const webhooks = grouped(await store.listOfAccount(doors.db, doors.principal.accountId));
  return ids === undefined ? webhooks : webhooks.filter(({ id }) => ids.includes(id));
}

/** Throws `not_found`. */
export async function getAccountWebhook(doors: Doors, id: string): Promise<AccountWebhook> {
  const [webhook] = await listAccountWebhooks(doors, [id]);
  if (!webhook) throw missing();
  return webhook;
}

async function change<Result>(
  doors: Doors,
  work: (tx: Sql, present: Subscribed[]) => Promise<Result>,
): Promise<Result> {
  const { accountId } = doors.principal;
  return doors.db.tx(async (tx) => {
    await tx.lock(`webhooks ${accountId}`);
    return work(tx, await store.listOfAccount(tx, accountId));
  });
}

/** Throws `conflict` for a URL that another webhook of the account has. */
function refuseTwice(present: readonly Subscribed[], url: string): void {
  const other = present.find((one) => one.url === url);
  if (other)
    throw new AppError('conflict', `The webhook ${other.webhookId} has this URL already; change its event types.`, {
      details: { field: 'url' },
    });
}

/** Adds a webhook; answers with its id. */
export async function addAccountWebhook(doors: Doors, asked: Asked): Promise<string> {
  const kinds = readKinds(asked.event_types);
  const checked = readUrl(doors, asked.url);
  const webhookId = newId();
  const place = { domainId: null, webhookId, description: asked.description };
  await change(doors, async (tx, present) => {
    refuseTwice(present, checked.url);
    refuseMore(present, { kinds, urls: [checked.url] });
    await subscribe(doors, tx, { place, kinds, ...checked });
  });
  return webhookId;
}

/** Replaces the URL, the kinds and the description. Throws `not_found`. */
export async function putAccountWebhook(doors: Doors, id: string, asked: Asked): Promise<void> {
  const { accountId } = doors.principal;
  await change(doors, async (tx, present) => {
    const there = present.filter(({ webhookId }) => webhookId === id);
    if (there.length === 0) throw missing();
    const kinds = readKinds(asked.event_types);
    const checked = readUrl(doors, asked.url);
    const others = present.filter(({ webhookId }) => webhookId !== id);
    refuseTwice(others, checked.url);
    const kept = there.filter(({ url, kind }) => url === checked.url && kinds.includes(kind));
    const added = kinds.filter((kind) => !kept.some((one) => one.kind === kind));
    refuseMore(others, { kinds: added, urls: [checked.url] });
    const gone = there.filter((one) => !kept.includes(one)).map((one) => one.id);
    await store.deleteWebhooks(tx, accountId, gone);
    const place = { domainId: null, webhookId: id, description: asked.description };
    await subscribe(doors, tx, { place, kinds: added, ...checked });
    await store.describeWebhook(tx, accountId, { webhookId: id, description: asked.description });
    await store.cancelUnused(tx, accountId);
  });
}

/** Deletes webhooks by their ids, or all. Throws `not_found` when one is not there; then none is deleted. */
export async function deleteAccountWebhooks(doors: Doors, asked: { ids: readonly string[] } | 'all'): Promise<number> {
  const { accountId } = doors.principal;
  if (asked !== 'all' && asked.ids.length === 0) throw invalid('webhook_ids', 'or all=true is required.');
  return change(doors, async (tx, present) => {
    const isThere = (id: string): boolean => present.some(({ webhookId }) => webhookId === id);
    if (asked !== 'all' && !asked.ids.every(isThere)) throw missing();
    const gone = present.filter(({ webhookId }) => asked === 'all' || asked.ids.includes(webhookId as string));
    const ids = gone.map((one) => one.id);
    await store.deleteWebhooks(tx, accountId, ids);
    await store.cancelUnused(tx, accountId);
    return new Set(gone.map(({ webhookId }) => webhookId)).size;
  });
}
