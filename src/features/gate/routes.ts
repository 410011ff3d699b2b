import type { Static } from 'typebox';
import { REPORT_FORMATS, writeReport, type Counts } from '../../engines/findings/reports/index.ts';
import { notFound } from '../../platform/errors/index.ts';
import { endpoint, type Context } from '../../platform/feature/index.ts';
import { HttpReply } from '../../platform/http/index.ts';
import { pagingView, startedView, TOOL } from '../inspections/index.ts';
import { approve, getComplete, removeBaseline, startGate } from './actions.ts';
import * as contracts from './contract.ts';
import { emailReport, gates, judgedOf } from './inspection.ts';
import { pictureKey } from './objects.ts';
import { listBaselines } from './store.ts';
import { emptyView, gateView } from './view.ts';

const PATH = '/v1/inspect/gate';

async function show(ctx: Context, id: string) {
  const { status, createdAt, updatedAt, error, result, findings } = await gates.get(ctx, id);
  const meta = { status, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString(), ...(error !== null && { error }) };
  const items = result ? gateView(judgedOf(result, findings), { id, ...result, path: `${PATH}/${id}` }) : emptyView(id);
  return new HttpReply({ meta, items } satisfies Static<typeof contracts.getGate.reply>, status === 'Processing' ? { 'retry-after': '1' } : {});
}

interface Summary {
  email: string;
  verdict: 'pass' | 'fail';
  reasons: string[];
  counts: Counts;
}

async function list(ctx: Context, page: { limit: number; skip: number }) {
  const { items, total } = await gates.list(ctx, { ...page, isBrief: true });
  return {
    meta: { count: total },
    paging: pagingView(ctx.baseUrl + PATH, page, total),
    items: items.map(({ id, status, summary, createdAt, updatedAt }) => {
      const { email = null, verdict = null, reasons = [], counts = null } = summary as Partial<Summary>;
      return { id, status, email, verdict, reasons, counts, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
    }),
  };
}

export const endpoints = [
  endpoint(contracts.createGate, async (ctx, { body }) => startedView(await startGate(ctx, body), PATH)),
  endpoint(contracts.listGates, (ctx, { query }) => list(ctx, query)),
  endpoint(contracts.getGate, (ctx, { params }) => show(ctx, params.id)),
  endpoint(contracts.getReport, async (ctx, { params, query }) => {
    const text = writeReport(query.format, { tool: TOOL, emails: [emailReport(await getComplete(ctx, params.id))] });
    return new HttpReply(text, { 'content-type': REPORT_FORMATS[query.format].contentType });
  }),
  endpoint(contracts.getPicture, async (ctx, { params }) => {
    const gate = await getComplete(ctx, params.id);
    const isKnown = gate.result.screenshots.some(({ client }) => client === params.client);
    const stored = isKnown ? await ctx.blobs.stream(pictureKey(gate, params.client, params.which)) : undefined;
    if (!stored) throw notFound(`${params.which} picture in this gate`, params.client);
    return new HttpReply(stored.body, { 'content-type': 'image/png', 'content-length': String(stored.sizeBytes) });
  }),
  endpoint(contracts.approveGate, async (ctx, { params, body }) => ({ baseline: body.baseline, clients: await approve(ctx, params.id, body) })),
  endpoint(contracts.deleteGate, async (ctx, { params }) => {
    await gates.remove(ctx, ctx.principal.accountId, params.id);
    return { message: 'The gate was deleted.' };
  }),
  endpoint(contracts.listBaselines, async (ctx, { query }) => {
    const { items, total } = await listBaselines(ctx.db, ctx.principal.accountId, query);
    return { meta: { count: total }, paging: pagingView(`${ctx.baseUrl}/v1/inspect/baselines`, query, total), items: items.map(({ name, clientIds, approvedAt }) => ({ name, clients: clientIds, approved_at: approvedAt.toISOString() })) };
  }),
  endpoint(contracts.deleteBaseline, async (ctx, { params }) => {
    await removeBaseline(ctx, params.name);
    return { message: 'The baseline was deleted.' };
  }),
];
