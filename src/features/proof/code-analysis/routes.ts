import type { Static } from 'typebox';
import { audiences, dictionary, instanceId } from '../../../engines/code-analysis/index.ts';
import { AppError, notFound } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { skipPaging } from '../../../platform/paging/index.ts';
import { fillField, readLine, readSourceOrTemplate, storable, type TemplateDoors } from '../_message/index.ts';
import { nameView, type Inspection } from '../_inspections/index.ts';
import { audienceView, chooseAudience } from './audience.ts';
import * as contracts from './contract.ts';
import { PATH } from './contract.ts';
import { codeAnalyses, type CodeInput, type CodeResult } from './inspection.ts';
import { listResolved, setResolved } from './store.ts';
import { analysisView, statusView } from './result.ts';

const linksTo = (id: string) => ({ self: `${PATH}/${id}` });

async function readInput(
  ctx: TemplateDoors,
  body: Static<typeof contracts.createAnalysis.body & {}>,
): Promise<CodeInput> {
  const audience = chooseAudience(body.audience);
  const subject = await fillField(ctx, {
    field: 'subject',
    text: readLine('subject', body.subject?.trim() ?? ''),
    data: body.data,
  });
  return { ...storable(await readSourceOrTemplate(ctx, body)), audience, ...(subject && { subject }) };
}

function startedView({ id, status, version }: Inspection<CodeResult>) {
  return { meta: { status: statusView(status), version }, items: { id, links: linksTo(id) } };
}

async function list(
  ctx: Pick<Context, 'db' | 'principal' | 'baseUrl'>,
  { status, limit, skip }: Static<typeof contracts.listAnalyses.query & {}>,
) {
  const { items, total } = await codeAnalyses.list(ctx, {
    limit,
    skip,
    isBrief: true,
    where: status ? { status: status === 'Completed' ? 'Complete' : status } : {},
  });
  return {
    meta: { count: total, ...skipPaging(ctx.baseUrl + PATH, { status, limit, skip }, total) },
    items: items.map((item) => ({
      test_id: item.id,
      name: nameView(item),
      status: statusView(item.status),
      version: item.version,
      created_at: item.createdAt.toISOString(),
      links: linksTo(item.id),
    })),
  };
}

async function show(
  ctx: Pick<Context, 'db' | 'principal'>,
  wanted: { id: string; version?: number },
  query: Static<typeof contracts.getAnalysis.query & {}>,
) {
  const { id, version } = wanted;
  const found = await codeAnalyses.get(ctx, id, version === undefined ? {} : { version });
  const { slug, support_type: supportType, application_type: applicationType, group_by: groupBy, audience } = query;
  const view = analysisView(found, {
    filter: {
      ...(slug !== undefined && { slug }),
      ...(supportType && { supportType }),
      ...(applicationType && { applicationType }),
      ...(groupBy && { groupBy }),
    },
    resolved: await listResolved(ctx.db, ctx.principal.accountId, id),
    ...(audience !== undefined && { audience: chooseAudience(audience) }),
  });
  return found.status === 'Processing' ? new HttpReply(view, { 'retry-after': '1' }) : view;
}

async function resolve(
  ctx: Pick<Context, 'db' | 'clock' | 'principal'>,
  { testId, id, isResolved }: { testId: string; id: string; isResolved: boolean },
) {
  const { result, version, status } = await codeAnalyses.get(ctx, testId);
  if (status === 'Processing')
    throw new AppError('conflict', 'This version is still being analyzed; its instances are not known yet.', {
      headers: { 'retry-after': '1' },
    });
  const isKnown =
    result?.analysis.features.some(({ slug, instances }) =>
      instances.some((instance) => instanceId(slug, instance) === id),
    ) ?? false;
  if (!isKnown) throw notFound(`instance in version ${version} of this code analysis`, id);
  await setResolved(ctx.db, { inspectionId: testId, instanceId: id }, { isResolved, at: ctx.clock.now() });
  return {
    message: isResolved ? 'The instance is marked as resolved.' : 'The instance is no longer marked as resolved.',
    items: { id, version, resolved: isResolved },
  };
}

export const endpoints = [
  endpoint(contracts.getDictionary, async () => ({ lookups: dictionary() })),
  endpoint(contracts.listAudiences, async () => ({ items: audiences.map(audienceView) })),
  endpoint(contracts.listAnalyses, (ctx, { query }) => list(ctx, query)),
  endpoint(contracts.createAnalysis, async (ctx, { body }) =>
    startedView(await codeAnalyses.start(ctx, ctx.principal.accountId, await readInput(ctx, body))),
  ),
  endpoint(contracts.getAnalysis, (ctx, { params, query }) => show(ctx, { id: params.test_id }, query)),
  endpoint(contracts.updateAnalysis, async (ctx, { params, body }) => {
    // Before a page is fetched for an analysis that is not there.
    await codeAnalyses.get(ctx, params.test_id);
    return startedView(await codeAnalyses.restart(ctx, params.test_id, await readInput(ctx, body)));
  }),
  endpoint(contracts.deleteAnalysis, async (ctx, { params }) => {
    await codeAnalyses.remove(ctx, ctx.principal.accountId, params.test_id);
    return { message: 'The code analysis was deleted.' };
  }),
  endpoint(contracts.listVersions, async (ctx, { params }) => {
    const versions = await codeAnalyses.versions(ctx, params.test_id);
    return {
      meta: { count: versions.length },
      items: {
        versions: versions.map(({ version, status, versionCreatedAt }) => ({
          version,
          status: statusView(status),
          created_at: versionCreatedAt.toISOString(),
          links: { self: `${PATH}/${params.test_id}/versions/${version}` },
        })),
      },
    };
  }),
  endpoint(contracts.getVersion, (ctx, { params, query }) =>
    show(ctx, { id: params.test_id, version: params.version_id }, query),
  ),
  endpoint(contracts.resolveInstance, (ctx, { params, body }) =>
    resolve(ctx, { testId: params.test_id, id: params.id, isResolved: body.resolved }),
  ),
];
