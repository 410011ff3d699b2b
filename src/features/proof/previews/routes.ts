import type { Static } from 'typebox';
import { nameOfEmail } from '../../../engines/html/index.ts';
import { notFound } from '../../../platform/errors/index.ts';
import { endpoint, type Context, type Outside } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { skipOf } from '../../../platform/paging/index.ts';
import type { Lists } from '../../../platform/ports/index.ts';
import { unixSeconds } from '../../../platform/times/index.ts';
import { isAccountOpen } from '../../account/accounts/index.ts';
import { checkFields, checksView, inspectionsOf } from '../_content-checking/index.ts';
import { readHeaderFields, readSourceOrTemplate, readSubject, storable, type Source } from '../_message/index.ts';
import { engineFor } from '../preview-clients/index.ts';
import {
  clientsFrom,
  getTest,
  readSearch,
  removeTest,
  REPROCESSES_MAX,
  reprocessClients,
  resultIn,
  startTest,
  type Warning,
} from './actions.ts';
import { addChecks } from './checks.ts';
import { inlinedStyles, plainText } from './contents.ts';
import * as contracts from './contract.ts';
import * as results from './results-contract.ts';
import { getFile } from './files-contract.ts';
import { watchTest as watchTestContract } from './events-contract.ts';
import { watchTest } from './events.ts';
import { readEvidence } from './evidence.ts';
import { findInfo } from './info-store.ts';
import { pictureReply, type WantedPicture } from './picture-reply.ts';
import { listOwnShots } from './pictures-store.ts';
import { htmlAsSent } from './prepared.ts';
import { profileIn } from './profiles.ts';
import { readSpam, spamView } from './spam.ts';
import { findTestByToken, listResults, listTests, renameTest, type PreviewTest } from './store.ts';
import { findFeatures } from './undecided.ts';
import { echoView, infoView, resultView, summaryView, V1_WORDS, V2_WORDS, type ResultParts } from './view.ts';

function unknownFields(body: object): Warning[] {
  const known = Object.keys(contracts.newTest({}).properties);
  return Object.keys(body)
    .filter((name) => !known.includes(name))
    .map((name) => ({ name: 'unknown_field', message: `Unknown field: ${name}` }));
}

function unfilledTags({ unfilledTags: tags = [] }: Source): Warning[] {
  return tags.map((tag) => ({ name: 'unfilled_merge_tag', message: `data has no value for ${tag.slice(0, 200)}` }));
}

function wantedChecks(checks: Record<string, boolean | null | undefined>): Record<string, boolean> {
  return Object.fromEntries(Object.entries(checks).map(([name, isWanted]) => [name, isWanted === true]));
}

async function create(
  ctx: Pick<
    Context,
    | 'config'
    | 'db'
    | 'jobs'
    | 'blobs'
    | 'fetch'
    | 'compute'
    | 'secrets'
    | 'clock'
    | 'log'
    | 'lists'
    | 'ports'
    | 'facts'
    | 'principal'
  >,
  body: Static<ReturnType<typeof contracts.newTest>>,
) {
  const { clientIds, warnings } = clientsFrom(body.clients);
  const subject = await readSubject(ctx, body.subject, body);
  const headers = readHeaderFields(body.headers ?? {});
  const source = await readSourceOrTemplate(ctx, body);
  const spam = await readSpam(ctx, body.spam, { source: storable(source), subject, headers });
  const test = await startTest(ctx, ctx.principal.accountId, {
    subject,
    source,
    clientIds,
    spam,
    imageBlocking: body.image_blocking ?? false,
    paneWidth: body.pane_width ?? null,
    headers: { ...source.headers, ...headers },
    referenceId: body.reference_id ?? null,
    customerId: body.customer_id ?? null,
    contentChecking: wantedChecks(body.content_checking ?? {}),
  });
  return {
    id: test.id,
    ...echoView(test),
    ...(await spamView(ctx, test)),
    warnings: [...warnings, ...unknownFields(body), ...unfilledTags(source)],
    content_checking: await contentCheckingView(ctx, test),
  };
}

async function contentCheckingView(
  ctx: Pick<Outside, 'db' | 'lists'>,
  { accountId, contentChecking: checks }: Pick<PreviewTest, 'accountId' | 'contentChecking'>,
) {
  return checksView(ctx.lists, checks, await inspectionsOf(ctx.db, { accountId, checks }));
}

async function list(ctx: Pick<Context, 'db' | 'principal'>, query: Static<typeof contracts.listTestsV2.query & {}>) {
  const { results: limit = 50, page = 1 } = query;
  const tests = await listTests(ctx.db, ctx.principal.accountId, {
    ...readSearch(query),
    ...skipOf({ limit, page }),
  });
  return tests.map(summaryView);
}

async function info(ctx: Pick<Context, 'db' | 'lists' | 'principal'>, id: string) {
  const test = await findInfo(ctx.db, ctx.principal.accountId, id);
  if (!test) throw notFound('preview test', id);
  return { ...infoView(test, await contentCheckingView(ctx, test)), ...(await spamView(ctx, test)) };
}

async function remove(ctx: Pick<Context, 'db' | 'jobs' | 'blobs' | 'log' | 'lists' | 'principal'>, id: string) {
  if (!(await removeTest(ctx, ctx.principal.accountId, id))) throw notFound('preview test', id);
  return { success: true };
}

/** The results of a test by client, as the API shows them; of one client when it is named. */
export async function resultsOf(
  ctx: Pick<Context, 'db' | 'browser' | 'baseUrl' | 'lists'>,
  wanted: { test: PreviewTest; clientId?: string; filesUrl?: string; words: ResultParts['words'] },
) {
  const { test, clientId, words, filesUrl = `${ctx.baseUrl}/files/previews/${test.fileToken}` } = wanted;
  const all = await listResults(ctx.db, test.accountId, test.id);
  const results = clientId === undefined ? all : [resultIn(all, clientId)];
  const found = await listOwnShots(ctx.db, test.accountId, { testId: test.id, clientId });
  const shots = Map.groupBy(found, (shot) => shot.clientId);
  const evidence = await readEvidence(ctx, test.accountId, clientId);
  const used = await findFeatures(ctx.db, test.accountId, test.id);
  return Object.fromEntries(
    results.map((result) => {
      const profile = profileIn(test, result.clientId);
      const own = shots.get(result.clientId) ?? [];
      const made = own.find((shot) => shot.shot === 'default')?.picture?.engine;
      const fidelity = made
        ? made === profile.engine
          ? profile.fidelity
          : 'emulated'
        : engineFor(ctx.browser, profile).fidelity;
      const parts = { test, profile, result, shots: own, filesUrl, fidelity, words };
      return [result.clientId, resultView({ ...parts, used, evidence: evidence.get(result.clientId) })];
    }),
  );
}

async function sourceHtml(ctx: Pick<Context, 'db' | 'blobs' | 'compute' | 'principal'>, id: string): Promise<string> {
  return htmlAsSent(ctx, await getTest(ctx, id));
}

/** A picture at the address that its owner was given: the same for as long as the test is there. */
async function ownFile(
  ctx: Pick<Context, 'db' | 'blobs' | 'jobs' | 'headers'>,
  { token, ...wanted }: { token: string } & WantedPicture,
): Promise<HttpReply> {
  const test = await findTestByToken(ctx.db, token);
  if (!test || !(await isAccountOpen(ctx, test.accountId))) throw notFound('picture', wanted.file);
  return pictureReply(ctx, { ...wanted, test });
}

const reading = [
  endpoint(contracts.listTestsV2, (ctx, { query }) => list(ctx, query)),
  endpoint(contracts.listTestsV1, (ctx, { query }) => list(ctx, query)),
  endpoint(contracts.getTestV2, (ctx, { params }) => info(ctx, params.test_id)),
  endpoint(contracts.getTestV1, (ctx, { params }) => info(ctx, params.test_id)),
  endpoint(watchTestContract, async (ctx, { params }) => watchTest(ctx, await getTest(ctx, params.test_id))),
];

const others = [
  endpoint(contracts.renameTest, async (ctx, { params: { test_id: id }, body }) => {
    const name = nameOfEmail({ given: body.name });
    if (!(await renameTest(ctx.db, ctx.principal.accountId, { id, name }))) throw notFound('preview test', id);
    return { id, name };
  }),
  endpoint(contracts.deleteTestV2, (ctx, { params }) => remove(ctx, params.test_id)),
  endpoint(contracts.deleteTestV1, (ctx, { params }) => remove(ctx, params.test_id)),
  endpoint(results.listResults, async (ctx, { params }) =>
    resultsOf(ctx, { test: await getTest(ctx, params.test_id), words: V1_WORDS }),
  ),
  endpoint(results.getResult, async (ctx, { params }) =>
    resultsOf(ctx, { test: await getTest(ctx, params.test_id), clientId: params.client_id, words: V2_WORDS }),
  ),
  endpoint(results.reprocess, async (ctx, { params, body }) => {
    const outcomes = await reprocessClients(ctx, params.test_id, body.clients);
    return Object.fromEntries(
      outcomes.map(({ clientId, result, reason }) => [
        clientId,
        {
          success: reason === undefined,
          ...(reason !== undefined && { reason }),
          remaining_reprocesses: Math.max(0, REPROCESSES_MAX - (result?.reprocesses ?? 0)),
          regional: false,
          ...(reason === undefined && {
            screenshot: {
              id: clientId,
              type: 'resubmit' as const,
              sent: result ? unixSeconds(result.submittedAt) : 0,
              completed: 0,
            },
          }),
        },
      ]),
    );
  }),
  endpoint(results.getContent, async (ctx, { params }) => ({ content: await sourceHtml(ctx, params.test_id) })),
  endpoint(results.getContentAs, async (ctx, { params }) => {
    const html = await sourceHtml(ctx, params.test_id);
    const shown = params.content === 'inlinecss' ? inlinedStyles : plainText;
    return { content: await ctx.compute.run(shown, html, { urgency: 'answer' }) };
  }),
  endpoint(getFile, (ctx, { params, query }) =>
    ownFile(ctx, {
      token: params.token,
      clientId: params.client_id,
      file: params.file,
      isDownload: query.download !== undefined,
      width: query.width,
    }),
  ),
];

/** What asks for content checks names those that there are. */
export function endpoints(lists: Lists) {
  const checks = checkFields(lists);
  return [
    endpoint(contracts.createTestV2(checks), (ctx, { body }) => create(ctx, body)),
    endpoint(contracts.createTestV1(checks), (ctx, { body }) => create(ctx, body)),
    ...reading,
    endpoint(contracts.addChecks(checks), async (ctx, { params, body }) => {
      const test = await addChecks(ctx, await getTest(ctx, params.test_id), wantedChecks(body));
      return { id: test.id, content_checking: await contentCheckingView(ctx, test) };
    }),
    ...others,
  ];
}
