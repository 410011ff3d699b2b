import type { Static } from 'typebox';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { fileOf, HttpReply } from '../../../platform/http/index.ts';
import { countedPaging } from '../../../platform/paging/index.ts';
import { readSourceOrTemplate, storable } from '../_message/index.ts';
import { nameView, startedView, type Conditions, type InspectionStatus } from '../_inspections/index.ts';
import { compareWithSheet } from './comparison.ts';
import { keptLink } from './brief-link.ts';
import * as contracts from './contract.ts';
import { PATH } from './contract.ts';
import { linkTests, type LinkTestSummary } from './inspection.ts';
import type { GivenLink, LinkList } from './placed-links.ts';

function readLinks(body: Static<typeof contracts.createTest.body & {}>): LinkList {
  const links: GivenLink[] = [...(body.links ?? []).map((url) => ({ url })), ...(body.linksWithPositions ?? [])];
  if (links.length === 0) throw invalid('links, linksWithPositions:', 'give at least one link in one of them.');
  if (links.length > contracts.LINKS_MAX)
    throw invalid(
      'links, linksWithPositions:',
      `hold ${links.length} links together; at most ${contracts.LINKS_MAX.toLocaleString('en')} are accepted.`,
    );
  return { kind: 'links', links, userAgent: body.userAgent ?? null };
}

type Filters = Omit<Static<typeof contracts.listTests.query & {}>, 'limit' | 'skip'>;

const TEST_STATUSES: Record<string, InspectionStatus> = {
  processing: 'Processing',
  complete: 'Complete',
  completed: 'Complete',
  failed: 'Failed',
};
const LINK_STATUSES = new Set(['pass', 'warning', 'error']);

/** One word for the status of the test, and for that of a link: the wire has both under one name. */
function conditionsOf({ status, id, url, isExpiredSSL, statusCode }: Filters): Conditions {
  const wanted = status?.toLowerCase();
  const ofTest = wanted === undefined ? undefined : TEST_STATUSES[wanted];
  if (wanted !== undefined && !ofTest && !LINK_STATUSES.has(wanted))
    throw invalid('status', 'must be one of Processing, Complete, Failed, pass, warning, Error.');
  const facets = {
    ...(wanted !== undefined && !ofTest && { statuses: [wanted] }),
    ...(isExpiredSSL !== undefined && { isExpiredSSL: isExpiredSSL === 'true' }),
    ...(statusCode !== undefined && { statusCodes: [statusCode] }),
  };
  return {
    ...(ofTest && { status: ofTest }),
    ...(id !== undefined && { id }),
    ...(Object.keys(facets).length > 0 && { facets }),
    ...(url !== undefined && { contains: { facet: 'urls', text: url } }),
  };
}

async function list(
  ctx: Pick<Context, 'db' | 'principal' | 'baseUrl'>,
  query: Static<typeof contracts.listTests.query & {}>,
) {
  const { limit, skip, ...filters } = query;
  const { items, total } = await linkTests.list(ctx, { limit, skip, isBrief: true, where: conditionsOf(filters) });
  return {
    ...countedPaging(ctx.baseUrl + PATH, query, total),
    items: items.map(({ id, name, status, createdAt, summary }) => {
      const { links = 0, errors = 0, warnings = 0, notice, results = [] } = summary as Partial<LinkTestSummary>;
      return {
        id,
        name: nameView({ name }),
        links: { self: `${PATH}/${id}` },
        status,
        created_at: createdAt.toISOString(),
        link_count: links,
        error_count: errors,
        warning_count: warnings,
        ...(notice !== undefined && { notice }),
        results: results.map(keptLink),
      };
    }),
  };
}

/** Of longer results the text goes out as the database has it. In characters. */
const READ_LENGTH_MAX = 1_000_000;

async function show(ctx: Pick<Context, 'db' | 'principal'>, id: string) {
  const { status, createdAt, updatedAt, error, summary, written } = await linkTests.getWritten(ctx, id, 'results');
  const { links: count = 0, notice } = summary as Partial<LinkTestSummary>;
  const meta = {
    status,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    ...(written !== null && { count, ...(notice !== undefined && { notice }) }),
    ...(error !== null && { error }),
  };
  const items = { id, links: { self: `${PATH}/${id}` } };
  if (written !== null && written.length > READ_LENGTH_MAX) {
    const head = JSON.stringify({ meta, items }).slice(0, -'}}'.length);
    return new HttpReply(`${head},"results":${written}}}`, { 'content-type': 'application/json; charset=utf-8' });
  }
  const view = { meta, items: { ...items, results: written === null ? [] : JSON.parse(written) } };
  return status === 'Processing' ? new HttpReply(view, { 'retry-after': '1' }) : view;
}

async function compare(ctx: Pick<Context, 'db' | 'principal' | 'compute'>, id: string, csv: unknown) {
  const file = fileOf('csv', csv).bytes;
  const { status, result } = await linkTests.get(ctx, id);
  if (status === 'Processing')
    throw new AppError('conflict', 'The links are still being checked; compare when the test is complete.', {
      headers: { 'retry-after': '1' },
    });
  if (!result) throw new AppError('conflict', 'The test failed, so there is nothing to compare; reprocess it first.');
  const errors = await compareWithSheet(ctx.compute, result, file);
  return { meta: { status }, items: { valid: errors.length === 0, errors } };
}

export const endpoints = [
  endpoint(contracts.createTest, async (ctx, { body }) =>
    startedView(await linkTests.start(ctx, ctx.principal.accountId, readLinks(body)), PATH),
  ),
  endpoint(contracts.createTestFromHtml, async (ctx, { body }) =>
    startedView(
      await linkTests.start(ctx, ctx.principal.accountId, storable(await readSourceOrTemplate(ctx, body))),
      PATH,
    ),
  ),
  endpoint(contracts.listTests, (ctx, { query }) => list(ctx, query)),
  endpoint(contracts.getTest, (ctx, { params }) => show(ctx, params.id)),
  endpoint(contracts.reprocessTest, async (ctx, { params }) =>
    startedView(await linkTests.restart(ctx, params.id), PATH),
  ),
  endpoint(contracts.deleteTest, async (ctx, { params }) => {
    await linkTests.remove(ctx, ctx.principal.accountId, params.id);
    return { message: 'The link test was deleted.' };
  }),
  endpoint(contracts.compareTest, (ctx, { params, body }) => compare(ctx, params.id, body.csv)),
];
