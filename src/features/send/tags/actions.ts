import type { Static } from 'typebox';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { pivotPaging, type PivotPage } from '../../../platform/paging/index.ts';
import { findAccount, listSubaccountIds } from '../../account/accounts/index.ts';
import {
  COUNTERS,
  forgetTag,
  keptSince,
  readFigures,
  TAGS_MAX,
  wholeRange,
  type FigureCondition,
} from '../_figures/index.ts';
import { METRIC_NAMES, metricsView } from '../metrics/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import { aggregateOf, statsOf } from '../stats/index.ts';
import { SORTS, type queryTags as contract } from './contract.ts';
import {
  countTags,
  deleteTag,
  describeTag,
  findTag,
  listTags,
  listTagsOf,
  type AccountTag,
  type TagRow,
} from './store.ts';

type Doors = Pick<Context, 'db' | 'clock' | 'principal' | 'baseUrl'>;
type Scope = Pick<Context, 'db' | 'principal' | 'config' | 'secrets' | 'clock'>;
type RemovalScope = Scope & Pick<Context, 'lists'>;

const notThere = (): AppError => new AppError('not_found', 'Tag not found');

/** A tag of a domain of the caller's. Throws `not_found`. */
async function getTag(ctx: Scope, domain: string, tag: string): Promise<TagRow> {
  const { accountId } = ctx.principal;
  const { name } = await getDomain(ctx, accountId, domain);
  const found = await findTag(ctx.db, accountId, { domain: name, tag: tag.toLowerCase() });
  if (!found) throw notThere();
  return found;
}

const tagView = ({ name, description, firstSeen, lastSeen }: TagRow) => ({
  tag: name,
  description,
  'first-seen': firstSeen.toISOString(),
  'last-seen': lastSeen.toISOString(),
});

export const showTag = async (ctx: Scope, domain: string, tag: string) => tagView(await getTag(ctx, domain, tag));

interface Listing extends Omit<PivotPage, 'pivot'> {
  tag?: string;
  prefix?: string;
}

/** A page of the tags of a domain. */
export async function showTags(ctx: Scope & Doors, domain: string, { page, limit, tag, prefix = '' }: Listing) {
  const { accountId } = ctx.principal;
  const { name } = await getDomain(ctx, accountId, domain);
  const wanted = { page, limit, pivot: tag?.toLowerCase() };
  const rows = await listTags(ctx.db, accountId, { domain: name, prefix: prefix.toLowerCase(), page: wanted });
  const paging = pivotPaging(`${ctx.baseUrl}/v3/${name}/tags`, {
    name: 'tag',
    page: wanted,
    shown: rows.map((row) => row.tag),
    conditions: { prefix: prefix || undefined },
  });
  return { items: rows.map(tagView), paging };
}

/** Throws `not_found`. */
export async function describe(
  ctx: Scope,
  { domain, tag, description }: { domain?: string; tag: string; description: string },
) {
  const { accountId } = ctx.principal;
  const name = domain === undefined ? {} : { domain: (await getDomain(ctx, accountId, domain)).name };
  const count = await describeTag(ctx.db, accountId, { ...name, tag: tag.toLowerCase(), description });
  if (count === 0) throw notThere();
  return { message: 'Tag updated' };
}

/** Throws `not_found`. */
export async function remove(ctx: RemovalScope, { domain, tag: given }: { domain?: string; tag: string }) {
  const { accountId } = ctx.principal;
  const tag = given.toLowerCase();
  const name = domain === undefined ? {} : { domain: (await getDomain(ctx, accountId, domain)).name };
  const count = await ctx.db.tx(async (tx) => {
    const deleted = await deleteTag(tx, accountId, { ...name, tag });
    if (deleted > 0) await forgetTag(ctx, tx, { accountId, ...name, tag });
    return deleted;
  });
  if (count === 0) throw notThere();
  return { message: 'Tag deleted' };
}

/** The tag of a body; also where JSON came as a form. Throws `invalid_request`. */
export function tagIn(body: Readonly<Record<string, unknown>>): string {
  if (typeof body['tag'] === 'string') return body['tag'];
  for (const text of Object.keys(body)) {
    const found = text.startsWith('{') ? tagOf(text) : undefined;
    if (found) return found;
  }
  throw invalid('tag', 'is required.');
}

function tagOf(text: string): string | undefined {
  try {
    const { tag } = JSON.parse(text) as { tag?: unknown };
    return typeof tag === 'string' ? tag : undefined;
  } catch {
    return undefined;
  }
}

const conditionsOf = (named: Readonly<Partial<Record<FigureCondition['dimension'], string>>>): FigureCondition[] =>
  Object.entries(named).flatMap(([dimension, value]) =>
    value
      ? [{ dimension: dimension as FigureCondition['dimension'], is: 'in' as const, values: [value], isNot: false }]
      : [],
  );

interface TagStatsQuery extends Omit<Parameters<typeof statsOf>[1], 'event'> {
  event: string | readonly string[];
  provider?: string;
  device?: string;
  country?: string;
}

/** The stats of a tag of a domain. Throws `not_found`. */
export async function tagStats(ctx: Scope, place: { domain: string; tag: string }, query: TagStatsQuery) {
  const { domain, tag, name, description } = await getTag(ctx, place.domain, place.tag);
  const { provider = '', device = '', country = '', ...asked } = query;
  const where = conditionsOf({ domain, tag, recipient_provider: provider, device, country });
  return { tag: name, ...(await statsOf(ctx, asked, { where })), description };
}

const KINDS = {
  provider: 'recipient_provider',
  country: 'country',
  device: 'device',
} as const;
type Kind = keyof typeof KINDS;

const kindOf = (type: string): Kind => (type === 'countries' ? 'country' : (type.replace(/s$/, '') as Kind));

/** What a tag had by provider, country or device. Throws `not_found`. */
export async function tagAggregates(ctx: Scope, place: { domain: string; tag: string }, type: string) {
  const { domain, tag, name } = await getTag(ctx, place.domain, place.tag);
  const kind = kindOf(type);
  return { tag: name, [kind]: await aggregateOf(ctx, KINDS[kind], conditionsOf({ domain, tag })) };
}

/** Which providers, countries or devices are known of messages with any tag. Throws `not_found`. */
export async function namesOf(ctx: Scope, domain: string, kind: Kind) {
  const { name } = await getDomain(ctx, ctx.principal.accountId, domain);
  const any = { dimension: 'tag', is: 'contains', values: [''], isNot: false } as const;
  return { items: Object.keys(await aggregateOf(ctx, KINDS[kind], [...conditionsOf({ domain: name }), any])) };
}

export async function tagLimits({ db, principal }: Pick<Doors, 'db' | 'principal'>) {
  const count = await countTags(db, principal.accountId);
  return { limit: TAGS_MAX, count, limit_reached: count >= TAGS_MAX };
}

export async function domainTagLimit(ctx: Scope, domain: string) {
  const { id, name } = await getDomain(ctx, ctx.principal.accountId, domain);
  return { id, limit: TAGS_MAX, count: await countTags(ctx.db, ctx.principal.accountId, name) };
}

type Body = Static<NonNullable<typeof contract.body>>;

/** Throws `invalid_request` naming what is valid. */
function orderOf(sort: string): { field: 'tag' | 'firstSeen' | 'lastSeen'; isDown: boolean } {
  const [, name = '', direction = 'asc'] = /^([a-z_]+)(?::(asc|desc))?$/.exec(sort) ?? [];
  if (!(SORTS as readonly string[]).includes(name))
    throw invalid('pagination.sort', 'must be tag, first_seen or last_seen with :asc or :desc.');
  const field = name === 'tag' ? 'tag' : name.startsWith('first') ? 'firstSeen' : 'lastSeen';
  return { field, isDown: direction === 'desc' };
}

/** Metrics of these tags, by account and tag. */
async function metricsOf({ db, clock }: Doors, tags: readonly AccountTag[]) {
  const now = clock.now();
  const from = keptSince('day', now);
  const rows = await readFigures(
    { db },
    {
      accountIds: [...new Set(tags.map(({ accountId }) => accountId))],
      ...wholeRange({ from, to: now }, 'day', from),
      resolution: 'day',
      by: ['subaccount', 'tag'],
      where: [{ dimension: 'tag', is: 'in', values: tags.map(({ tag }) => tag), isNot: false }],
      counters: COUNTERS,
    },
  );
  const found = new Map(rows.map(({ group, counts }) => [`${group.subaccount} ${group.tag}`, counts]));
  return ({ accountId, tag }: AccountTag) => metricsView(METRIC_NAMES, found.get(`${accountId} ${tag}`) ?? {});
}

/** The tags of an account. Throws `invalid_request` naming the field. */
export async function queryTags(doors: Doors, body: Body) {
  const { db, principal } = doors;
  const {
    sort: asked,
    skip = 0,
    limit = 100,
    include_total: isCounted = true,
  } = (body.pagination ?? {}) as {
    sort?: string;
    skip?: number;
    limit?: number;
    include_total?: boolean;
  };
  const sort = asked || 'tag:asc';
  const { field, isDown } = orderOf(sort);
  const own = [principal.accountId];
  const accountIds = body.include_subaccounts ? [...own, ...(await listSubaccountIds(db, principal.accountId))] : own;
  const all = await listTagsOf(db, accountIds, (body.tag ?? '').toLowerCase());
  const key = ({ accountId, tag }: AccountTag): string => `${tag} ${accountId}`;
  const sign = isDown ? -1 : 1;
  all.sort((a, b) => sign * (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : 0) || (key(a) < key(b) ? -1 : 1));
  const page = all.slice(skip, skip + limit);
  const metrics = body.include_metrics ? await metricsOf(doors, page) : undefined;
  const accounts = new Map<string, Awaited<ReturnType<typeof findAccount>>>();
  for (const id of new Set(page.map(({ accountId }) => accountId))) accounts.set(id, await findAccount(db, id));
  return {
    items: page.map((tag) => ({
      account_id: tag.accountId,
      parent_account_id: accounts.get(tag.accountId)?.parentId ?? '',
      account_name: accounts.get(tag.accountId)?.name ?? '',
      tag: tag.name,
      description: tag.description,
      first_seen: tag.firstSeen.toISOString(),
      last_seen: tag.lastSeen.toISOString(),
      ...(metrics && { metrics: metrics(tag) }),
    })),
    pagination: { sort, skip, limit, ...(isCounted && { total: all.length }), include_total: isCounted },
  };
}
