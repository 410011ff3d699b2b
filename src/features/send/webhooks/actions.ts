import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import * as store from './store.ts';
import type { Subscribed } from './store.ts';
import { kindNamed, readKind, readKinds, refuseMore, subscribe, type Doors } from './subscriptions.ts';
import { readUrl } from './urls.ts';

/** Everything that changes a domain's webhooks, one change at a time. */
async function change<Result>(
  doors: Doors,
  name: string,
  work: (tx: Sql, domain: { id: string; present: Subscribed[] }) => Promise<Result>,
): Promise<Result> {
  const { accountId } = doors.principal;
  const { id } = await getDomain(doors, accountId, name);
  return doors.db.tx(async (tx) => {
    await tx.lock(`webhooks ${accountId}`);
    return work(tx, { id, present: await store.listOfDomain(tx, accountId, id) });
  });
}

const ofDomain = (domainId: string) => ({ domainId, webhookId: null, description: '' });
const missing = (): AppError => new AppError('not_found', 'Webhook not found');

/** Throws `not_found` for an unknown domain. */
export async function listDomainWebhooks(doors: Doors, name: string): Promise<Subscribed[]> {
  const { accountId } = doors.principal;
  const { id } = await getDomain(doors, accountId, name);
  return store.listOfDomain(doors.db, accountId, id);
}

/** The URLs of one kind. Throws `not_found` where there is none. */
export async function getDomainWebhook(doors: Doors, name: string, kindName: string): Promise<string[]> {
  const subscribed = await listDomainWebhooks(doors, name);
  const kind = kindNamed(kindName);
  const urls = subscribed.filter((one) => one.kind === kind).map(({ url }) => url);
  if (urls.length === 0) throw missing();
  return urls;
}

/** URLs of one kind, given once or repeated; without what comes twice. Throws `invalid_request`. */
function readUrls(doors: Doors, given: string | readonly string[]) {
  const urls = new Map([given].flat().map((one) => [one.trim(), readUrl(doors, one)]));
  if (urls.size === 0) throw invalid('url', 'must name at least one URL.');
  return [...urls.values()];
}

/** Adds URLs to a kind; answers with all that it has. */
export async function addDomainWebhook(
  doors: Doors,
  name: string,
  asked: { id: string; url: string | readonly string[] },
): Promise<string[]> {
  const kind = readKind('id', asked.id);
  return change(doors, name, async (tx, { id, present }) => {
    const checked = readUrls(doors, asked.url);
    const urls = checked.map(({ url }) => url);
    refuseMore(present, { kinds: [kind], urls });
    for (const one of checked) await subscribe(doors, tx, { place: ofDomain(id), kinds: [kind], ...one });
    return [...present.filter((one) => one.kind === kind).map(({ url }) => url), ...urls];
  });
}

/** Replaces the URLs of a kind. Throws `not_found` where there is none. */
export async function putDomainWebhook(
  doors: Doors,
  name: string,
  { kindName, url }: { kindName: string; url: string | readonly string[] },
): Promise<string[]> {
  const { accountId } = doors.principal;
  return change(doors, name, async (tx, { id, present }) => {
    const kind = kindNamed(kindName);
    const there = present.filter((one) => one.kind === kind);
    if (kind === undefined || there.length === 0) throw missing();
    const checked = readUrls(doors, url);
    const isWanted = (one: Subscribed): boolean => checked.some((wanted) => wanted.url === one.url);
    const added = checked.filter((wanted) => !there.some((one) => one.url === wanted.url));
    refuseMore(there.filter(isWanted), { kinds: [kind], urls: added.map((one) => one.url) });
    const gone = there.filter((one) => !isWanted(one)).map((one) => one.id);
    await store.deleteWebhooks(tx, accountId, gone);
    for (const one of added) await subscribe(doors, tx, { place: ofDomain(id), kinds: [kind], ...one });
    await store.cancelUnused(tx, accountId);
    return [...there.filter(isWanted), ...added].map((one) => one.url);
  });
}

/** Deletes a kind; answers with the URLs that it had. Throws `not_found` where there is none. */
export async function deleteDomainWebhook(doors: Doors, name: string, kindName: string): Promise<string[]> {
  const { accountId } = doors.principal;
  return change(doors, name, async (tx, { present }) => {
    const kind = kindNamed(kindName);
    const there = present.filter((one) => one.kind === kind);
    if (there.length === 0) throw missing();
    const ids = there.map((one) => one.id);
    await store.deleteWebhooks(tx, accountId, ids);
    await store.cancelUnused(tx, accountId);
    return there.map(({ url }) => url);
  });
}

interface UrlWithKinds {
  url: string;
  event_types: string | readonly string[];
}

/** What the older documents put before what is wrong with a URL. */
const PREFIX = 'invalid parameters: ';

/** Adds kinds to a URL, all or none; answers with everything that the domain has. */
export async function addDomainUrl(doors: Doors, name: string, asked: UrlWithKinds): Promise<Subscribed[]> {
  const { accountId } = doors.principal;
  return change(doors, name, async (tx, { id, present }) => {
    const kinds = readKinds(asked.event_types);
    const checked = readUrl(doors, asked.url, PREFIX);
    refuseMore(present, { kinds, urls: [checked.url] });
    await subscribe(doors, tx, { place: ofDomain(id), kinds, ...checked });
    return store.listOfDomain(tx, accountId, id);
  });
}

/** The kinds of a URL are these from then on. Throws `not_found` for a URL that the domain does not have. */
export async function putDomainUrl(doors: Doors, name: string, asked: UrlWithKinds): Promise<Subscribed[]> {
  const { accountId } = doors.principal;
  return change(doors, name, async (tx, { id, present }) => {
    const kinds = readKinds(asked.event_types);
    const checked = readUrl(doors, asked.url, PREFIX);
    const there = present.filter(({ url }) => url === checked.url);
    if (there.length === 0) throw missing();
    const added = kinds.filter((kind) => !there.some((one) => one.kind === kind));
    refuseMore(present, { kinds: added, urls: [checked.url] });
    const gone = there.filter(({ kind }) => !kinds.includes(kind)).map((one) => one.id);
    await store.deleteWebhooks(tx, accountId, gone);
    await subscribe(doors, tx, { place: ofDomain(id), kinds: added, ...checked });
    return store.listOfDomain(tx, accountId, id);
  });
}

/** Deletes URLs (joined by commas) with all of their kinds. Throws `not_found` where the domain has none of them. */
export async function deleteDomainUrls(doors: Doors, name: string, text: string): Promise<Subscribed[]> {
  const { accountId } = doors.principal;
  return change(doors, name, async (tx, { id, present }) => {
    // An address may hold commas of its own.
    const wanted = new Set([text.trim(), ...text.split(/,(?=\s*https?:)/i).map((one) => one.trim())]);
    const there = present.filter(({ url }) => wanted.has(url));
    if (there.length === 0) throw missing();
    const ids = there.map((one) => one.id);
    await store.deleteWebhooks(tx, accountId, ids);
    await store.cancelUnused(tx, accountId);
    return store.listOfDomain(tx, accountId, id);
  });
}
