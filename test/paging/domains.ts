// The sending domains of an account in those dialects of paging that no list of Galley speaks yet.
import { Type } from 'typebox';
import { sql, type Sql } from '../../src/platform/db/index.ts';
import { defineFeature, endpoint, type Context } from '../../src/platform/feature/index.ts';
import { contract } from '../../src/platform/http/index.ts';
import {
  EndlessPaging,
  PageToken,
  pivotField,
  pivotFields,
  pivotPaging,
  readPivotPage,
  readPlace,
  readToken,
  tokenFields,
  tokenPaging,
  tokensAround,
  type PivotPage,
  type Place,
  type TokenList,
} from '../../src/platform/paging/index.ts';

const common = { tag: 'Domains', errorShape: 'message', summary: 'List domains' } as const;
const items = Type.Array(Type.String());
const BY_NAME = '/v3/toy/names';
const BY_TIME = '/v3/toy/times';

const listByName = contract({
  ...common,
  method: 'GET',
  operationId: 'listToyNames',
  path: BY_NAME,
  query: Type.Object({ ...pivotFields(), address: pivotField, term: Type.Optional(Type.String()) }),
  reply: Type.Object({ items, paging: EndlessPaging }),
});

const pageFields = tokenFields({ limit: 100, limitMax: 300 });
const Conditions = { search: Type.String({ default: '' }), limit: pageFields.limit };
const listByTime = contract({
  ...common,
  method: 'GET',
  operationId: 'listToyTimes',
  path: BY_TIME,
  query: Type.Object({ ...Conditions, ascending: Type.Boolean({ default: false }) }),
  reply: Type.Object({ items, paging: EndlessPaging }),
});
const listByTimeOn = contract({
  ...common,
  method: 'GET',
  operationId: 'listToyTimesOn',
  path: `${BY_TIME}/{page_token}`,
  params: Type.Object({ page_token: PageToken }),
  reply: Type.Object({ items, paging: EndlessPaging }),
});
const searchByTime = contract({
  ...common,
  method: 'POST',
  operationId: 'searchToyTimes',
  path: BY_TIME,
  body: Type.Object({ search: Conditions.search, pagination: Type.Object(pageFields, { default: {} }) }),
  reply: Type.Object({ items, pagination: EndlessPaging }),
});

type Asked = { search: string; limit: number; ascending: boolean };

const domainsOf = (db: Sql, accountId: string, part: string) =>
  db
    .of(accountId)
    .selectFrom('sendingDomains')
    .select(['id', 'name', 'createdAt'])
    .where(sql<boolean>`position(${part} in ${sql.ref('name')}) > 0`);

const namesAt = (db: Sql, { accountId, part }: { accountId: string; part: string }, page: PivotPage) =>
  readPivotPage(domainsOf(db, accountId, part), { name: 'address', column: 'name' }, page);

async function timesAt(ctx: Pick<Context, 'db' | 'secrets' | 'principal'>, list: TokenList, place: Place, on: Asked) {
  const rows = await readPlace(
    domainsOf(ctx.db, ctx.principal.accountId, on.search),
    { columns: ['createdAt', 'id'], isAscending: on.ascending },
    { ...place, limit: on.limit },
  );
  const shown = rows.map(({ createdAt, id }) => [createdAt, id]);
  return {
    items: rows.map(({ name }) => name),
    tokens: tokensAround(ctx.secrets, list, { place, shown, conditions: on }),
  };
}

const ofPath = (ctx: Pick<Context, 'principal'>): TokenList => ({
  accountId: ctx.principal.accountId,
  list: 'toy times',
  field: 'page_token',
});

const endpoints = [
  endpoint(listByName, async (ctx, { query: { page, limit, address: pivot, term } }) => {
    const asked = { page, limit, pivot };
    const rows = await namesAt(ctx.db, { accountId: ctx.principal.accountId, part: term ?? '' }, asked);
    const shown = rows.map(({ name }) => name);
    const paging = pivotPaging(ctx.baseUrl + BY_NAME, { name: 'address', page: asked, shown, conditions: { term } });
    return { items: shown, paging };
  }),
  endpoint(listByTime, async (ctx, { query }) => {
    const page = await timesAt(ctx, ofPath(ctx), { page: 'first' }, query);
    return { items: page.items, paging: tokenPaging(ctx.baseUrl + BY_TIME, page.tokens) };
  }),
  endpoint(listByTimeOn, async (ctx, { params }) => {
    const { place, conditions } = readToken<Asked>(ctx.secrets, ofPath(ctx), params.page_token);
    const page = await timesAt(ctx, ofPath(ctx), place, conditions);
    return { items: page.items, paging: tokenPaging(ctx.baseUrl + BY_TIME, page.tokens) };
  }),
  endpoint(searchByTime, async (ctx, { body: { search, pagination } }) => {
    const list = {
      accountId: ctx.principal.accountId,
      list: `toy times ${JSON.stringify(search)}`,
      field: 'pagination.token',
    };
    const { token, limit } = pagination;
    const { place } = token ? readToken(ctx.secrets, list, token) : { place: { page: 'first' } as const };
    const page = await timesAt(ctx, list, place, { search, limit, ascending: false });
    return { items: page.items, pagination: page.tokens };
  }),
];

export default defineFeature({ name: 'toy-lists', endpoints });
