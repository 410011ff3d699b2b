import { readPolicy, type GateRules, type Policy } from '../../../engines/gate/index.ts';
import { nameOfEmail } from '../../../engines/html/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { AppError, invalid, messageOf, notFound } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import {
  fillField,
  htmlOf,
  readLine,
  readSourceOrTemplate,
  storable,
  type Source,
  type TemplateDoors,
} from '../_message/index.ts';
import { fileUrl } from '../images/index.ts';
import type { Inspection } from '../_inspections/index.ts';
import { chooseClients } from '../previews/index.ts';
import type { GateBody } from './contract.ts';
import { gates, type GateResult, type StoredGateInput } from './inspection.ts';
import { baselineKey, baselinePrefix, pictureKey } from './objects.ts';
import { rulesOf } from './rules.ts';
import { deleteBaseline, insertHead, listPictures, putPicture } from './store.ts';

/** Reads a policy. Throws `invalid_request` naming the field. */
export function policyFrom(value: unknown, rules: GateRules): Policy {
  const read = readPolicy(value ?? {}, rules);
  if ('problem' in read)
    throw invalid(read.problem.field.startsWith('The ') ? 'policy' : `policy.${read.problem.field}`, read.problem.why);
  return read.policy;
}

/** The clients named, those of the baseline, or the default ones. Throws `invalid_client`. */
export function clientsFrom(named: readonly string[] | null | undefined, approved: readonly string[]): string[] {
  const { clientIds, warnings } = chooseClients(named ?? (approved.length ? approved : undefined));
  if (named && warnings.length)
    throw new AppError('invalid_client', `clients: ${warnings.map(({ message }) => message).join('; ')}.`);
  return clientIds;
}

/** The checks named; otherwise all, with screenshots where clients or a baseline are named. */
export function checksFrom(
  named: readonly string[] | null | undefined,
  { rules, hasPictures }: { rules: GateRules; hasPictures: boolean },
): string[] {
  if (!named) return rules.checks.filter((check) => hasPictures || check !== 'screenshots');
  if (hasPictures && !named.includes('screenshots'))
    throw invalid('checks', 'must name screenshots where clients or baseline are given.');
  return [...new Set(named)];
}

/** What goes into the transaction that stores a gate, for whoever asked for it. */
type Beside = (tx: Sql, gateId: string) => Promise<void>;

interface GateParts {
  beside?: Beside;
  /** In place of one that the body names. */
  source?: Source;
}

/** Reads and checks the request, stores it and queues the run. */
export async function startGate(
  ctx: Pick<Outside, 'config' | 'jobs' | 'blobs' | 'clock' | 'lists'> & TemplateDoors,
  body: GateBody,
  { beside, source: given }: GateParts = {},
): Promise<Inspection<GateResult>> {
  const { accountId } = ctx.principal;
  const rules = rulesOf(ctx);
  const policy = policyFrom(body.policy, rules);
  const baseline = body.baseline ?? null;
  const checks = checksFrom(body.checks, { rules, hasPictures: (body.clients ?? null) !== null || baseline !== null });
  const approved =
    baseline === null ? [] : (await listPictures(ctx.db, accountId, baseline)).map(({ clientId }) => clientId);
  const clients = checks.includes('screenshots') ? clientsFrom(body.clients, approved) : [];
  const line =
    typeof body.subject === 'string'
      ? await fillField(ctx, { field: 'subject', text: readLine('subject', body.subject), data: body.data })
      : undefined;
  const read = given ?? (await readSourceOrTemplate(ctx, body));
  const subject = line ?? (body.template ? read.subject : undefined);
  const source = storable(read);
  const email =
    body.name ?? body.template?.name ?? source.url ?? (source.kind === 'mime' ? 'message.eml' : 'message.html');
  const name = nameOfEmail({ given: body.name, subject: subject || source.name });
  const input = { accountId, name, source, email, checks, policy, clients, baseline };
  return start(ctx, { ...input, ...(subject !== undefined && { subject }) }, beside);
}

/** A gate on a whole message, without screenshots; `beside` stores the rows of whoever asks for it. */
export async function startGateOn(
  outside: Pick<Outside, 'config' | 'db' | 'jobs' | 'blobs' | 'clock'>,
  {
    raw,
    beside,
    ...given
  }: Pick<StoredGateInput, 'accountId' | 'checks' | 'policy'> & {
    /** What lists and reports call it. */
    name: string;
    raw: Buffer;
    beside: Beside;
  },
): Promise<void> {
  const source = storable({
    kind: 'mime',
    url: null,
    body: raw,
    messageBytes: raw.length,
    subject: given.name,
    headers: {},
  });
  const input = { ...given, email: given.name, source, clients: [], baseline: null };
  await start(outside, input, beside);
}

function start(
  ctx: Pick<Outside, 'config' | 'db' | 'jobs' | 'blobs' | 'clock'>,
  input: StoredGateInput,
  beside?: Beside,
): Promise<Inspection<GateResult>> {
  return gates.startWith(ctx, input.accountId, {
    input,
    async beside(tx, made) {
      await insertHead(tx, made, input);
      await beside?.(tx, made.id);
    },
  });
}

/** A new gate on what an earlier one ran on, and called as that one is. Throws `not_found`. */
export async function runAgain(
  ctx: Pick<Context, 'config' | 'db' | 'jobs' | 'blobs' | 'clock' | 'principal'>,
  id: string,
): Promise<Inspection<GateResult>> {
  const { name } = await gates.get(ctx, id);
  return start(ctx, { ...(await gates.input(ctx, id)), name });
}

/**
 * The HTML that findings have their places in, and copies of its images where the gate looked at them. Throws
 * `not_found`.
 */
export async function messageOfGate(
  ctx: Pick<Context, 'db' | 'blobs' | 'compute' | 'principal' | 'baseUrl'>,
  id: string,
): Promise<{ content: string; images: { url: string; stored_url: string }[] }> {
  const { result } = await gates.get(ctx, id);
  const { html } = await ctx.compute.run(htmlOf, (await gates.input(ctx, id)).source, { urgency: 'answer' });
  const { folder = '', files = [] } = result?.images ?? {};
  return {
    content: html,
    images: files.map(({ url, file }) => ({ url, stored_url: fileUrl(ctx.baseUrl, { id, name: folder }, file) })),
  };
}

/** A gate whose result is there. Throws `too_early` while it runs, `conflict` when it failed. */
export async function getComplete(
  ctx: Pick<Context, 'db' | 'principal'>,
  id: string,
): Promise<Inspection<GateResult> & { result: GateResult }> {
  const gate = await gates.get(ctx, id);
  if (gate.status === 'Processing')
    throw new AppError('too_early', 'The gate is still running.', { headers: { 'retry-after': '1' } });
  if (!gate.result) throw new AppError('conflict', `The gate failed: ${gate.error ?? 'no reason was kept.'}`);
  return { ...gate, result: gate.result };
}

/** Makes the pictures of a gate the baseline of that name, for its clients or some of them. Returns their ids. */
export async function approve(
  ctx: Pick<Context, 'db' | 'blobs' | 'clock' | 'log' | 'principal'>,
  id: string,
  { baseline: name, clients }: { baseline: string; clients?: readonly string[] | null },
): Promise<string[]> {
  const gate = await getComplete(ctx, id);
  const made = new Map(
    gate.result.screenshots.filter(({ outcome }) => outcome !== 'not_made').map((shot) => [shot.client, shot]),
  );
  const strange = (clients ?? []).filter((clientId) => !made.has(clientId));
  if (strange.length)
    throw new AppError('invalid_client', `clients names what has no picture in this gate: ${strange.join(', ')}.`);
  const chosen = [...new Set(clients ?? made.keys())];
  if (!chosen.length) throw new AppError('conflict', 'This gate has no pictures to approve; start one with clients.');
  const owner = { accountId: ctx.principal.accountId, name };
  const pictures = await Promise.all(
    chosen.map(async (clientId) => {
      const [png, thumbnail] = await Promise.all(
        (['full', 'thumbnail'] as const).map((size) =>
          ctx.blobs.get(pictureKey(gate, clientId, { which: 'current', size })),
        ),
      );
      if (!png) throw new Error(`The picture of ${clientId} is missing.`);
      const objectPrefix = baselinePrefix(owner, clientId, png);
      await ctx.blobs.put(baselineKey(objectPrefix), png, 'image/png');
      if (thumbnail) await ctx.blobs.put(baselineKey(objectPrefix, 'thumbnail'), thumbnail, 'image/jpeg');
      return {
        clientId,
        objectPrefix,
        engine: made.get(clientId)?.engine ?? '',
        gateId: gate.id,
        approvedAt: ctx.clock.now(),
      };
    }),
  );
  const replaced = await ctx.db.tx(async (tx) => {
    const before: (string | undefined)[] = [];
    for (const picture of pictures) before.push(await putPicture(tx, owner.accountId, { name, ...picture }));
    return before.filter(
      (prefix, index) => prefix !== undefined && prefix !== pictures[index]?.objectPrefix,
    ) as string[];
  });
  await erase(ctx, replaced);
  return chosen;
}

export async function removeBaseline(
  ctx: Pick<Context, 'db' | 'blobs' | 'log' | 'principal'>,
  name: string,
): Promise<void> {
  const prefixes = await ctx.db.tx((tx) => deleteBaseline(tx, ctx.principal.accountId, name));
  if (!prefixes.length) throw notFound('baseline', name);
  await erase(ctx, prefixes);
}

/** Nothing refers to these any more: one that stays behind is only in the way. */
async function erase({ blobs, log }: Pick<Outside, 'blobs' | 'log'>, prefixes: readonly string[]): Promise<void> {
  for (const prefix of prefixes)
    await blobs
      .deleteAll(prefix)
      .catch((error: unknown) =>
        log.warn({ prefix, message: messageOf(error) }, 'a replaced baseline was not deleted'),
      );
}
