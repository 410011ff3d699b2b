// What webhooks of domains and of accounts share: kinds, the bound of URLs, and how one is kept.
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { WEBHOOK_KINDS, type WebhookKind } from './contract.ts';
import * as store from './store.ts';
import type { Subscribed } from './store.ts';

export type Doors = Pick<Context, 'config' | 'db' | 'secrets' | 'clock' | 'principal' | 'baseUrl'>;

const URLS_MAX = 3;

/** What existing clients call a kind. */
const ALIASES: Readonly<Record<string, WebhookKind>> = { unsubscribe: 'unsubscribed' };

/** The kind of this name; undefined for none. */
export function kindNamed(name: string): WebhookKind | undefined {
  return Object.hasOwn(ALIASES, name) ? ALIASES[name] : WEBHOOK_KINDS.find((kind) => kind === name);
}

/** The kind of this name. Throws `invalid_request`. */
export function readKind(field: string, name: string): WebhookKind {
  const kind = kindNamed(name);
  if (!kind) throw invalid(field, `must be one of ${WEBHOOK_KINDS.join(', ')}.`);
  return kind;
}

/** Kinds as a list, a repeated field, or joined by commas. Throws `invalid_request`. */
export function readKinds(given: string | readonly string[]): WebhookKind[] {
  const names = [given].flat().flatMap((one) => one.split(','));
  const kinds = names.map((name) => readKind('event_types', name.trim()));
  if (kinds.length === 0) throw invalid('event_types', `must name at least one of ${WEBHOOK_KINDS.join(', ')}.`);
  return WEBHOOK_KINDS.filter((kind) => kinds.includes(kind));
}

/** URLs by kind; null for a kind without any. */
export function urlsByKind(subscribed: readonly Subscribed[]) {
  const of = (kind: WebhookKind) => {
    const urls = subscribed.filter((one) => one.kind === kind).map(({ url }) => url);
    return urls.length === 0 ? null : { urls };
  };
  return Object.fromEntries(WEBHOOK_KINDS.map((kind) => [kind, of(kind)])) as Record<
    WebhookKind,
    { urls: string[] } | null
  >;
}

/** Whose webhooks a change is of. */
interface Place {
  domainId: string | null;
  webhookId: string | null;
  description: string;
}

/** Adds kinds to a URL. Those that the URL has already are left to the caller. */
export async function subscribe(
  doors: Doors,
  tx: Sql,
  { place, kinds, url, host }: { place: Place; kinds: readonly WebhookKind[]; url: string; host: string },
): Promise<void> {
  const { accountId } = doors.principal;
  const createdAt = doors.clock.now();
  if (!(await store.hasWebhooks(tx, accountId))) await store.beginReading(tx, accountId, createdAt);
  const urlId = await store.keepUrl(tx, accountId, { url, host, baseUrl: doors.baseUrl, createdAt });
  await store.insertWebhooks(tx, accountId, { ...place, kinds, urlId, createdAt });
}

/** Refuses a URL that is there already, and a fourth one. Throws `invalid_request`. */
export function refuseMore(
  present: readonly Subscribed[],
  { kinds, urls }: { kinds: readonly WebhookKind[]; urls: readonly string[] },
): void {
  for (const kind of kinds) {
    const there = present.filter((one) => one.kind === kind).map(({ url }) => url);
    const again = urls.find((url) => there.includes(url));
    if (again !== undefined)
      throw new AppError('invalid_request', `Webhook for event type '${kind}' with URL '${again}' already exists`, {
        details: { field: 'url' },
      });
    if (there.length + urls.length > URLS_MAX)
      throw new AppError(
        'invalid_request',
        `An event type has at most ${URLS_MAX} URLs; '${kind}' would have ${there.length + urls.length}.`,
        { details: { field: 'url' } },
      );
  }
}
