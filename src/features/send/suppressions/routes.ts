import { AppError } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { pivotPaging, type PivotPage } from '../../../platform/paging/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import { addRecords, importFile } from './actions.ts';
import { addingOf, KINDS, LISTS, readingOf, removingOf, type ListName } from './contract.ts';
import { keptOf, type Fields } from './entries.ts';
import { deleteEntries, deleteEntry, findEntry, listEntries, removeTag, type List } from './store.ts';
import { entryView, typeOf } from './view.ts';

type ListContext = Pick<Context, 'db' | 'config' | 'secrets' | 'clock' | 'principal' | 'baseUrl'>;

/** The list of a domain of the caller's account. Throws `not_found`. */
async function listOf(ctx: ListContext, name: string, list: ListName): Promise<List> {
  const { accountId } = ctx.principal;
  return { accountId, domain: (await getDomain(ctx, accountId, name)).name, list };
}

interface Listing {
  page: PivotPage['page'];
  limit: number;
  address?: string;
  term?: string;
}

async function showPage(ctx: ListContext, list: List, { page, limit, address, term: asked }: Listing) {
  const term = asked?.trim().toLowerCase() || undefined;
  const wanted = { page, limit, pivot: address?.toLowerCase() };
  const entries = await listEntries(ctx.db, list, { page: wanted, term });
  const paging = pivotPaging(`${ctx.baseUrl}/v3/${list.domain}/${list.list}`, {
    name: 'address',
    page: wanted,
    shown: entries.map((entry) => entry.address),
    conditions: { term },
  });
  return { items: entries.map((entry) => entryView(list.list, entry)), paging };
}

async function remove(
  { db }: Pick<Context, 'db'>,
  list: List,
  { value, tag }: { value: string; tag: string | undefined },
): Promise<string> {
  const { removed, missing } = KINDS[list.list];
  const address = keptOf(value);
  if (tag === undefined) {
    if (!(await deleteEntry(db, list, address))) throw new AppError('not_found', missing);
  } else {
    if (!(await findEntry(db, list, address))) throw new AppError('not_found', missing);
    if (!(await db.tx((tx) => removeTag(tx, list, { address, tag }))))
      throw new AppError('not_found', 'Unsubscribe event for this tag does not exist');
  }
  return removed;
}

function endpointsOf(list: ListName) {
  const { listed, read } = readingOf(list);
  const { added, uploaded } = addingOf(list);
  const { removed, cleared } = removingOf(list);
  const { key, missing, cleared: clearedText } = KINDS[list];
  const valueOf = (params: object): string => (params as Record<string, string>)[key] as string;
  return [
    endpoint(listed, async (ctx, { params, query }) =>
      showPage(ctx, await listOf(ctx, params.domain_name, list), query),
    ),
    endpoint(read, async (ctx, { params }) => {
      const entry = await findEntry(ctx.db, await listOf(ctx, params.domain_name, list), keptOf(valueOf(params)));
      if (!entry) throw new AppError('not_found', missing);
      return entryView(list, entry);
    }),
    endpoint(added, async (ctx, { params, body }) => {
      const { message, first } = await addRecords(ctx, await listOf(ctx, params.domain_name, list), body);
      return list === 'whitelists' ? { message, type: typeOf(first), value: first } : { message };
    }),
    endpoint(uploaded, async (ctx, { params, body }) => {
      const { count, skipped, problems } = await importFile(
        ctx,
        await listOf(ctx, params.domain_name, list),
        (body as Fields)['file'],
      );
      const message = 'file uploaded successfully for processing. standby...';
      return { message, entries: count, skipped, problems };
    }),
    endpoint(removed, async (ctx, { params, query }) => {
      const value = valueOf(params);
      const { tag } = query as { tag?: string };
      const message = await remove(ctx, await listOf(ctx, params.domain_name, list), { value, tag });
      return { message, [key]: value };
    }),
    endpoint(cleared, async (ctx, { params }) => {
      await deleteEntries(ctx.db, await listOf(ctx, params.domain_name, list));
      return { message: clearedText };
    }),
  ];
}

export const endpoints = LISTS.flatMap(endpointsOf);
