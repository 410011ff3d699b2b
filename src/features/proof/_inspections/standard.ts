// The endpoints that a kind has where it needs none of its own: start it on an email, list, get, delete.
import { Type, type TSchema } from 'typebox';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { contract, HttpReply, type Contract } from '../../../platform/http/index.ts';
import { countedFields, countedPaging, skipFields, type SkipPage } from '../../../platform/paging/index.ts';
import { BODY_BYTES_MAX, readSourceOrTemplate, SourceBody, storable, type StoredSource } from '../_message/index.ts';
import type { InspectionMachine } from './machine.ts';
import type { Listing } from './listing.ts';
import { Deleted, nameView, Started, startedView } from './views.ts';

/** How errors are written, where existing clients know them so. */
type ErrorShape = Contract['errorShape'];

/** Of a kind that has these endpoints. */
type ListedShape = Listing & Required<Pick<Listing, 'shows'>>;

const Named = Type.Object({ id: Type.String() });

/** `accessibility test` → `AccessibilityTest`. */
function idOf(noun: string): string {
  return noun.replaceAll(/(?:^|\s)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** Of lists, and of one test. */
function readingOf(
  { path, tag, shows: { result, counts } }: ListedShape,
  { noun, errorShape }: { noun: string; errorShape: ErrorShape },
) {
  const common = { tag: tag.name, errorShape } as const;
  const id = idOf(noun);
  const times = { created_at: Type.String(), updated_at: Type.String() };
  const summary = {
    id: Type.String(),
    name: Type.String({ description: 'Never empty.' }),
    status: Type.String(),
    ...Object.fromEntries(counts.map((name) => [name, Type.Integer()])),
    ...times,
  };
  return {
    list: contract({
      ...common,
      isMetric: true,
      method: 'GET',
      operationId: `list${id}s`,
      path,
      summary: `List ${noun}s, newest first`,
      description: 'Pages by `limit` and `skip`; `paging` holds the addresses of the next and previous pages.',
      query: Type.Object(skipFields()),
      reply: Type.Object({
        ...countedFields,
        items: Type.Array(Type.Object(summary)),
      }) as TSchema,
      errors: ['invalid_request'],
    }),
    get: contract({
      ...common,
      method: 'GET',
      operationId: `get${id}`,
      isPolled: true,
      path: `${path}/{id}`,
      summary: `Get ${withArticle(noun)}`,
      description:
        '`items` is empty until the test is complete. While it runs, the answer carries `Retry-After`: ' +
        'ask again after that many seconds.',
      params: Named,
      reply: Type.Object({
        meta: Type.Object({ status: Type.String(), ...times, error: Type.Optional(Type.String()) }),
        items: Type.Array(result),
      }),
      errors: ['not_found'],
    }),
  };
}

function contractsOf(listing: ListedShape, called: { noun: string; errorShape: ErrorShape }) {
  const { path, tag } = listing;
  const { noun, errorShape } = called;
  const common = { tag: tag.name, errorShape } as const;
  const id = idOf(noun);
  return {
    ...readingOf(listing, called),
    create: contract({
      ...common,
      method: 'POST',
      operationId: `create${id}`,
      path,
      summary: `Start ${withArticle(noun)} of an email`,
      description:
        'From HTML, a page, a whole message or a stored template: give exactly one of `html`, `url`, `mime` and `template`.',
      body: SourceBody,
      bodyBytesMax: BODY_BYTES_MAX,
      reply: Started,
      status: 201,
      errors: ['invalid_request', 'source_unreachable', 'too_large'],
    }),
    remove: contract({
      ...common,
      method: 'DELETE',
      operationId: `delete${id}`,
      path: `${path}/{id}`,
      summary: `Delete ${withArticle(noun)}`,
      description: 'The test and its result are deleted. This cannot be undone.',
      params: Named,
      reply: Deleted,
      errors: ['not_found'],
    }),
  };
}

async function list(
  ctx: Pick<Context, 'db' | 'principal' | 'baseUrl'>,
  machine: Pick<InspectionMachine<StoredSource, object, never>, 'list'>,
  { path, counts, query }: { path: string; counts: readonly string[]; query: SkipPage },
) {
  const { limit, skip } = query;
  const { items, total } = await machine.list(ctx, { limit, skip, isBrief: true });
  const nothing = Object.fromEntries(counts.map((name) => [name, 0]));
  return {
    ...countedPaging(ctx.baseUrl + path, { limit, skip }, total),
    items: items.map((test) => ({
      id: test.id,
      name: nameView(test),
      status: test.status,
      ...nothing,
      ...test.summary,
      created_at: test.createdAt.toISOString(),
      updated_at: test.updatedAt.toISOString(),
    })),
  };
}

async function show(
  ctx: Pick<Context, 'db' | 'principal'>,
  machine: Pick<InspectionMachine<StoredSource, object, never>, 'get'>,
  id: string,
): Promise<HttpReply> {
  const test = await machine.get(ctx, id);
  const meta = {
    status: test.status,
    created_at: test.createdAt.toISOString(),
    updated_at: test.updatedAt.toISOString(),
    ...(test.error !== null && { error: test.error }),
  };
  return new HttpReply(
    { meta, items: test.result ? [test.result] : [] },
    test.status === 'Processing' ? { 'retry-after': '1' } : {},
  );
}

/** One by one, for a kind that has others between them, or one of these in its own way. */
export function standardEndpoints<Result extends object>(
  machine: Omit<InspectionMachine<StoredSource, Result, never>, 'inspect'>,
  { errorShape = 'message' }: { errorShape?: ErrorShape } = {},
) {
  const { noun, listing } = machine;
  if (!listing?.shows) throw new Error(`The kind ${machine.kind} does not declare what its endpoints show.`);
  const { path, shows } = listing;
  const contracts = contractsOf({ ...listing, shows }, { noun, errorShape });
  return {
    create: endpoint(contracts.create, async (ctx, { body }) =>
      startedView(
        await machine.start(ctx, ctx.principal.accountId, storable(await readSourceOrTemplate(ctx, body))),
        path,
      ),
    ),
    list: endpoint(contracts.list, (ctx, { query }) => list(ctx, machine, { path, counts: shows.counts, query })),
    get: endpoint(contracts.get, (ctx, { params }) => show(ctx, machine, params.id)),
    remove: endpoint(contracts.remove, async (ctx, { params }) => {
      await machine.remove(ctx, ctx.principal.accountId, params.id);
      return { message: `The ${noun} was deleted.` };
    }),
  };
}
