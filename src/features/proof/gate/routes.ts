import type { Static } from 'typebox';
import { REPORT_FORMATS, writeReport, type Counts } from '../../../engines/reports/index.ts';
import { thumbnailsOf } from '../../../platform/browser/index.ts';
import { notFound } from '../../../platform/errors/index.ts';
import { endpoint, type Context, type Outside } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { countedPaging, type SkipPage } from '../../../platform/paging/index.ts';
import type { Lists } from '../../../platform/ports/index.ts';
import { findInspections, nameView, startedView, TOOL } from '../_inspections/index.ts';
import { approve, getComplete, messageOfGate, removeBaseline, runAgain, startGate } from './actions.ts';
import * as contracts from './contract.ts';
import { emailReport, gates, judgedOf } from './inspection.ts';
import { rulesOf } from './rules.ts';
import { baselineKey, pictureKey } from './objects.ts';
import { approvedOf, emailsOf, findHead, findPicture, listBaselines } from './store.ts';
import { baselineView, emptyView, gateView } from './view.ts';

const PATH = '/v1/inspect/gate';
const BASELINES = '/v1/inspect/baselines';

/** What was made before names is called as in its reports. */
function nameOfGate({ name }: { name: string }, email: string | null | undefined): string {
  return nameView({ name: name || (email ?? '') });
}

async function show(ctx: Pick<Context, 'db' | 'lists' | 'principal'>, id: string) {
  const { accountId } = ctx.principal;
  const gate = await gates.get(ctx, id);
  const { status, createdAt, updatedAt, error, result, findings } = gate;
  const meta = {
    status,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    ...(error !== null && { error }),
  };
  const head = result ?? (await findHead(ctx.db, accountId, id));
  const name = nameOfGate(gate, head?.email);
  const rules = rulesOf(ctx);
  const items = result
    ? gateView(judgedOf(result, { findings, rules }), {
        ...result,
        id,
        name,
        rules,
        approved: await approvedOf(ctx.db, accountId, id),
        path: `${PATH}/${id}`,
      })
    : emptyView({ id, name, rules }, head);
  return new HttpReply(
    { meta, items } satisfies Static<ReturnType<typeof contracts.getGate>['reply']>,
    status === 'Processing' ? { 'retry-after': '1' } : {},
  );
}

interface Summary {
  email: string;
  verdict: 'pass' | 'fail';
  reasons: string[];
  counts: Counts;
}

async function list(ctx: Pick<Context, 'db' | 'principal' | 'baseUrl'>, { limit, skip }: SkipPage) {
  const { items, total } = await gates.list(ctx, { limit, skip, isBrief: true });
  const emails = await emailsOf(
    ctx.db,
    ctx.principal.accountId,
    items.map(({ id }) => id),
  );
  return {
    ...countedPaging(ctx.baseUrl + PATH, { limit, skip }, total),
    items: items.map(({ id, name, status, summary, createdAt, updatedAt }) => {
      const {
        email = emails.get(id) ?? null,
        verdict = null,
        reasons = [],
        counts = null,
      } = summary as Partial<Summary>;
      return {
        id,
        name: nameOfGate({ name }, email),
        status,
        email,
        verdict,
        reasons,
        counts,
        created_at: createdAt.toISOString(),
        updated_at: updatedAt.toISOString(),
      };
    }),
  };
}

/** A picture, or a small one; the small one is made where none was kept. */
async function picture(
  { blobs }: Pick<Outside, 'blobs'>,
  { keyOf, size }: { keyOf: (size: contracts.PictureSize) => string; size: contracts.PictureSize },
  headers: Record<string, string> = {},
): Promise<HttpReply | undefined> {
  const stored = await blobs.stream(keyOf(size));
  if (stored)
    return new HttpReply(stored.body, {
      ...headers,
      'content-type': size === 'full' ? 'image/png' : 'image/jpeg',
      'content-length': String(stored.sizeBytes),
    });
  const whole = size === 'thumbnail' && (await blobs.get(keyOf('full')));
  return whole
    ? new HttpReply((await thumbnailsOf(whole)).fullThumbnail, { ...headers, 'content-type': 'image/jpeg' })
    : undefined;
}

/** What takes a policy or shows one goes by the checks that there are. */
export function endpoints(lists: Lists) {
  const rules = rulesOf({ lists });
  return [
    endpoint(contracts.createGate(rules), async (ctx, { body }) => startedView(await startGate(ctx, body), PATH)),
    endpoint(contracts.listGates, (ctx, { query }) => list(ctx, query)),
    endpoint(contracts.getGate(rules), (ctx, { params }) => show(ctx, params.id)),
    ...others,
  ];
}

const others = [
  endpoint(contracts.getReport, async (ctx, { params, query }) => {
    const email = emailReport(await getComplete(ctx, params.id), rulesOf(ctx));
    const text = writeReport(query.format, { tool: TOOL, emails: [email] });
    return new HttpReply(text, { 'content-type': REPORT_FORMATS[query.format].contentType });
  }),
  endpoint(contracts.getPicture, async (ctx, { params, query }) => {
    const gate = await getComplete(ctx, params.id);
    const isKnown = gate.result.screenshots.some(({ client }) => client === params.client);
    const found =
      isKnown &&
      (await picture(ctx, {
        keyOf: (size) => pictureKey(gate, params.client, { which: params.which, size }),
        size: query.size,
      }));
    if (!found) throw notFound(`${params.which} picture in this gate`, params.client);
    return found;
  }),
  endpoint(contracts.getMessage, (ctx, { params }) => messageOfGate(ctx, params.id)),
  endpoint(contracts.runAgain, async (ctx, { params }) => startedView(await runAgain(ctx, params.id), PATH)),
  endpoint(contracts.approveGate, async (ctx, { params, body }) => ({
    baseline: body.baseline,
    clients: await approve(ctx, params.id, body),
  })),
  endpoint(contracts.deleteGate, async (ctx, { params }) => {
    await gates.remove(ctx, ctx.principal.accountId, params.id);
    return { message: 'The gate was deleted.' };
  }),
  endpoint(contracts.listBaselines, async (ctx, { query: { limit, skip } }) => {
    const { accountId } = ctx.principal;
    const { items, total } = await listBaselines(ctx.db, accountId, { limit, skip });
    const ids = [...new Set(items.flatMap(({ pictures }) => pictures.map(({ gateId }) => gateId)))];
    const gateIds = new Set(
      (await findInspections(ctx.db, { accountId, ids }, { findings: false })).map(({ id }) => id),
    );
    return {
      ...countedPaging(ctx.baseUrl + BASELINES, { limit, skip }, total),
      items: items.map((baseline) => baselineView(baseline, { path: BASELINES, gateIds })),
    };
  }),
  endpoint(contracts.getBaselinePicture, async (ctx, { params: { name, client: clientId }, query: { size } }) => {
    const approved = await findPicture(ctx.db, ctx.principal.accountId, { name, clientId });
    if (!approved) throw notFound('approved picture in this baseline', clientId);
    // What is approved anew keeps its address.
    const fresh = {
      etag: `"${approved.objectPrefix.slice(-40)}-${size}"`,
      'cache-control': 'private, max-age=0, must-revalidate',
    };
    if (ctx.headers['if-none-match'] === fresh.etag) return new HttpReply('', fresh, 304);
    const found = await picture(ctx, { keyOf: (one) => baselineKey(approved.objectPrefix, one), size }, fresh);
    if (!found) throw notFound('approved picture in this baseline', clientId);
    return found;
  }),
  endpoint(contracts.deleteBaseline, async (ctx, { params }) => {
    await removeBaseline(ctx, params.name);
    return { message: 'The baseline was deleted.' };
  }),
];
