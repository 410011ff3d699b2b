import { endpoint } from '../../../platform/feature/index.ts';
import { fileOf } from '../../../platform/http/index.ts';
import { countedPaging } from '../../../platform/paging/index.ts';
import { requireOperator } from '../captures/index.ts';
import { agentOf, claim, complete, enroll, extend, fail, removeAgent, startRequest } from './actions.ts';
import * as contracts from './contract.ts';
import { listAgents, listOffered, listRequests } from './store.ts';
import { agentView, requestView } from './view.ts';

export const endpoints = [
  endpoint(contracts.enrollAgent, async (ctx, { body }) => {
    const { agent, token } = await enroll(ctx, body.name);
    return { ...agentView(agent), token };
  }),
  endpoint(contracts.listAgents, async (ctx, { query }) => {
    await requireOperator(ctx);
    const { items, total } = await listAgents(ctx.db, ctx.principal.ownAccountId, query);
    return { ...countedPaging(ctx.baseUrl + contracts.AGENTS_PATH, query, total), items: items.map(agentView) };
  }),
  endpoint(contracts.deleteAgent, async (ctx, { params }) => {
    await removeAgent(ctx, params.agent_id);
    return { success: true };
  }),
  endpoint(contracts.requestCapture, async (ctx, { body }) =>
    requestView(await startRequest(ctx, body), ctx.clock.now()),
  ),
  endpoint(contracts.listRequests, async (ctx, { query }) => {
    const { items, total } = await listRequests(ctx.db, ctx.principal.accountId, query);
    const now = ctx.clock.now();
    return {
      ...countedPaging(ctx.baseUrl + contracts.REQUESTS_PATH, query, total),
      clients: await listOffered(ctx.db),
      items: items.map((request) => requestView(request, now)),
    };
  }),
  endpoint(contracts.claimJob, async (ctx, { body }) => {
    const claimed = await claim(ctx, await agentOf(ctx), body.clients);
    if (!claimed) return { job: null };
    const { request, subject, raw } = claimed;
    const leaseUntil = request.leaseUntil?.toISOString() ?? '';
    const job = { id: request.id, client: request.clientId, subject };
    return { job: { ...job, message: raw.toString('base64'), lease_until: leaseUntil } };
  }),
  endpoint(contracts.extendJob, async (ctx, { params }) => {
    const leaseUntil = await extend(ctx, await agentOf(ctx), params.request_id);
    return { lease_until: leaseUntil.toISOString() };
  }),
  endpoint(contracts.completeJob, async (ctx, { params, body }) => {
    const agent = await agentOf(ctx);
    const { bytes } = fileOf('picture', body.picture);
    const { scale } = body;
    await complete(ctx, agent, { id: params.request_id, bytes, ...(scale !== undefined && { scale }) });
    return { success: true };
  }),
  endpoint(contracts.failJob, async (ctx, { params, body }) => {
    await fail(ctx, await agentOf(ctx), { id: params.request_id, reason: body.reason });
    return { success: true };
  }),
];
