import { createHash } from 'node:crypto';
import { AppError, notFound } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { callerName, cleanLine } from '../../../platform/http/index.ts';
import { newId, randomHex } from '../../../platform/ids/index.ts';
import { admitStored, admitWork } from '../../account/accounts/index.ts';
import { keepCapture, requireOperator } from '../captures/index.ts';
import { findTestOfAnyone, getTest, listResults, rawMessageOf } from '../previews/index.ts';
import { ATTEMPTS_MAX, LEASE_SECONDS, type StatedClient } from './contract.ts';
import {
  changeClaimed,
  claimRequest,
  countAgents,
  countOpenRequests,
  deleteAgent,
  findAgentByDigest,
  findRequestOfAnyone,
  insertAgent,
  insertRequest,
  listOffered,
  noteSeen,
  type CaptureAgent,
  type CaptureRequest,
} from './store.ts';

const TOKEN_BYTES = 24;

/** Tokens have 192 random bits: a fast hash is enough, there is nothing to guess. */
const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A new agent, and its token, which nobody can read again. Throws `forbidden`. */
export async function enroll(
  ctx: Pick<Context, 'config' | 'db' | 'clock' | 'principal'>,
  name: string,
): Promise<{ agent: CaptureAgent; token: string }> {
  await requireOperator(ctx);
  const accountId = ctx.principal.ownAccountId;
  await admitStored(ctx, accountId, { quota: 'captureAgents', count: () => countAgents(ctx.db, accountId) });
  const token = `agent-${randomHex(TOKEN_BYTES)}`;
  const agent = {
    id: newId(),
    accountId,
    name: cleanLine(name),
    clients: [],
    createdAt: ctx.clock.now(),
    lastSeenAt: null,
  };
  await insertAgent(ctx.db, agent, digestOf(token));
  return { agent, token };
}

export async function removeAgent(ctx: Pick<Context, 'db' | 'principal'>, id: string): Promise<void> {
  await requireOperator(ctx);
  const isDeleted = await ctx.db.tx((tx) => deleteAgent(tx, ctx.principal.ownAccountId, id));
  if (!isDeleted) throw notFound('agent', id);
}

/** Throws `invalid_client`, `conflict` where no agent runs the client, or `too_many_requests`. */
export async function startRequest(
  ctx: Pick<Context, 'config' | 'db' | 'clock' | 'principal' | 'requestor'>,
  { test_id: testId, client }: { test_id: string; client: string },
): Promise<CaptureRequest> {
  const test = await getTest(ctx, testId);
  const { accountId } = test;
  if (!(await listResults(ctx.db, accountId, test.id)).some(({ clientId }) => clientId === client))
    throw new AppError('invalid_client', `client is not part of this test: ${client}.`);
  const offered = await listOffered(ctx.db);
  if (!offered.includes(client))
    throw new AppError(
      'conflict',
      `No agent of this installation runs ${client}. ${offered.length ? `Agents run ${offered.join(', ')}.` : 'None has said what it runs.'}`,
    );
  await admitWork(ctx, accountId, { quota: 'captureRequests', count: () => countOpenRequests(ctx.db, accountId) });
  const request: CaptureRequest = {
    id: newId(),
    accountId,
    testId: test.id,
    clientId: client,
    requestedBy: callerName(ctx),
    state: 'waiting',
    attempts: 0,
    agentId: null,
    claimedAt: null,
    leaseUntil: null,
    error: null,
    captureId: null,
    createdAt: ctx.clock.now(),
    endedAt: null,
  };
  await insertRequest(ctx.db, request);
  return request;
}

/** The agent whose token it is. Throws `unauthorized`. */
export async function agentOf(ctx: Pick<Context, 'db' | 'headers'>): Promise<CaptureAgent> {
  const [, token] = /^Bearer (agent-[0-9a-f]{48})$/i.exec(String(ctx.headers['authorization'] ?? '')) ?? [];
  const agent = token === undefined ? undefined : await findAgentByDigest(ctx.db, digestOf(token));
  if (!agent) throw new AppError('unauthorized', 'The token of the agent is missing, unknown, or was ended.');
  return agent;
}

const leaseFrom = (now: Date): Date => new Date(now.getTime() + LEASE_SECONDS * 1000);

interface ClaimedJob {
  request: CaptureRequest;
  subject: string;
  raw: Buffer;
}

/** The next job for the agent; undefined where nothing waits for what it runs. */
export async function claim(
  ctx: Pick<Outside, 'db' | 'blobs' | 'clock' | 'compute'>,
  agent: CaptureAgent,
  clients: StatedClient[],
): Promise<ClaimedJob | undefined> {
  const now = ctx.clock.now();
  await noteSeen(ctx.db, { id: agent.id, clients, lastSeenAt: now });
  const wanted = { agentId: agent.id, clients: clients.map(({ client }) => client), now, until: leaseFrom(now) };
  const request = await ctx.db.tx((tx) => claimRequest(tx, wanted));
  const test = request && (await findTestOfAnyone(ctx.db, request.testId));
  if (!request || !test) return undefined;
  return { request, subject: test.subject, raw: await rawMessageOf(ctx, test) };
}

function notClaimed(id: string): AppError {
  return new AppError('conflict', `The job ${id} is not claimed by this agent: another has it, or it has ended.`);
}

/** A job that this agent claimed. Throws `not_found` for one that another did. */
async function getJob({ db }: Pick<Outside, 'db'>, agent: CaptureAgent, id: string): Promise<CaptureRequest> {
  const request = await findRequestOfAnyone(db, id);
  if (request?.agentId !== agent.id) throw notFound('job of this agent', id);
  return request;
}

export async function extend(ctx: Pick<Outside, 'db' | 'clock'>, agent: CaptureAgent, id: string): Promise<Date> {
  await getJob(ctx, agent, id);
  const leaseUntil = leaseFrom(ctx.clock.now());
  if (!(await changeClaimed(ctx.db, { id, agentId: agent.id }, { leaseUntil }))) throw notClaimed(id);
  return leaseUntil;
}

/** Keeps the picture as a capture, which counts at once: the operator enrolled the agent. */
export async function complete(
  ctx: Pick<Outside, 'config' | 'db' | 'blobs' | 'jobs' | 'clock' | 'compute'>,
  agent: CaptureAgent,
  { id, bytes, scale }: { id: string; bytes: Buffer; scale?: number },
): Promise<void> {
  const request = await getJob(ctx, agent, id);
  if (request.state === 'done') return;
  if (request.state !== 'claimed') throw notClaimed(id);
  const test = await findTestOfAnyone(ctx.db, request.testId);
  if (!test) throw notFound('job of this agent', id);
  const { client, version, os } = agent.clients.find((one) => one.client === request.clientId) ?? {
    client: request.clientId,
    version: 'not stated',
    os: 'not stated',
  };
  const now = ctx.clock.now();
  await keepCapture(ctx, test, {
    stated: { client, client_version: version, os, ...(scale !== undefined && { scale }) },
    bytes,
    made: {
      how: 'agent',
      agentName: agent.name,
      capturedBy: agent.name,
      state: 'accepted',
      decision: { reason: 'Made by an agent that the operator enrolled.', by: 'the operator', at: now.toISOString() },
    },
    async beside(tx, captureId) {
      const change = { state: 'done', captureId, endedAt: now, error: null } as const;
      if (!(await changeClaimed(tx, { id, agentId: agent.id }, change))) throw notClaimed(id);
    },
  });
}

/** Another try, or the end. */
export async function fail(
  ctx: Pick<Outside, 'db' | 'clock'>,
  agent: CaptureAgent,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const { attempts } = await getJob(ctx, agent, id);
  const isOver = attempts >= ATTEMPTS_MAX;
  const error = cleanLine(reason);
  const change = isOver
    ? ({ state: 'failed', error, endedAt: ctx.clock.now() } as const)
    : ({ state: 'waiting', error, leaseUntil: null } as const);
  if (!(await changeClaimed(ctx.db, { id, agentId: agent.id }, change))) throw notClaimed(id);
}
