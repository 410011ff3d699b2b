// Tests of a version: started as their own endpoints start them, on the bytes that the version has.
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { requireProduct } from '../../account/accounts/index.ts';
import { startTest as startPlacement } from '../../placement/inbox-placement/index.ts';
import { checkedKinds } from '../../proof/_content-checking/index.ts';
import { readMail, sourceOfMime, storable, type Source } from '../../proof/_message/index.ts';
import { startGate } from '../../proof/gate/index.ts';
import { clientsFrom, startTest as startPreviews } from '../../proof/previews/index.ts';
import { checkSpamEmail, startSpamTest } from '../../proof/spam-tests/index.ts';
import { TESTS_MAX, type TestsBody } from './tests-contract.ts';
import { listStarted, noteTest, type StartedTest, type Version } from './versions-store.ts';

type Doors = Pick<
  Context,
  | 'config'
  | 'db'
  | 'jobs'
  | 'blobs'
  | 'fetch'
  | 'compute'
  | 'clock'
  | 'log'
  | 'lists'
  | 'ports'
  | 'secrets'
  | 'facts'
  | 'principal'
>;

interface Wanted {
  version: Version;
  source: Source;
  body: TestsBody;
}

type Begun = Pick<StartedTest, 'kind' | 'testId'> & { previewId?: string };
type Start = (ctx: Doors, wanted: Wanted) => Promise<Begun[]>;

/** A version as requests give emails. */
async function sourceOf(ctx: Pick<Doors, 'compute'>, { version, bytes }: { version: Version; bytes: Buffer }) {
  const { kind, url, subject } = version;
  if (kind === 'mime') return sourceOfMime(ctx, bytes);
  return {
    kind: kind as Source['kind'],
    url,
    body: bytes,
    messageBytes: bytes.length,
    subject: subject || undefined,
    headers: {},
  };
}

const previews: Start = async (ctx, { version: { subject, sender }, source, body }) => {
  const { accountId } = ctx.principal;
  await requireProduct(ctx, accountId, 'email_preview');
  const { clientIds, warnings } = clientsFrom(body.clients);
  if (warnings.length > 0)
    throw new AppError('invalid_client', `clients: ${warnings.map(({ message }) => message).join('; ')}.`);
  const checks = [...checkedKinds(ctx)].filter(([, { kind }]) => body.tests.includes(kind));
  const test = await startPreviews(ctx, accountId, {
    subject,
    source,
    clientIds,
    imageBlocking: body.image_blocking ?? false,
    headers: { ...(sender !== null && { From: sender }), ...source.headers },
    referenceId: null,
    customerId: null,
    contentChecking: Object.fromEntries(checks.map(([field]) => [field, true])),
  });
  const ofPreview = checks.flatMap(([field, { kind }]): Begun[] => {
    const ref = test.contentChecking[field];
    return ref && 'id' in ref ? [{ kind, testId: ref.id, previewId: test.id }] : [];
  });
  return [{ kind: 'previews', testId: test.id }, ...ofPreview];
};

const gate: Start = async (ctx, { version: { subject }, source, body: { clients, baseline, policy } }) => {
  const isHtml = source.kind !== 'mime';
  const given = { clients, baseline, policy, ...(isHtml && subject !== '' && { subject }) };
  const { id } = await startGate(ctx, given, { source });
  return [{ kind: 'gate', testId: id }];
};

const spam: Start = async (ctx, { version: { subject, plainText: text }, source, body }) => {
  const { accountId } = ctx.principal;
  const from = source.kind === 'mime' ? null : body.from?.trim() || null;
  const email = { source: storable(source), subject, headers: {}, from, text };
  await checkSpamEmail(ctx, email, { from: 'from' });
  return [{ kind: 'spam', testId: (await startSpamTest(ctx, accountId, email)).id }];
};

const placement: Start = async (ctx, { version, source, body }) => {
  await requireProduct(ctx, ctx.principal.accountId, 'inbox_placement');
  const mail = source.kind === 'mime' ? await ctx.compute.run(readMail, source.body, { urgency: 'answer' }) : undefined;
  const from = body.from?.trim() || version.sender || mail?.headers['from'];
  if (!from) throw invalid('from', 'is needed for a placement test: an address at a verified sending domain.');
  const { result } = await startPlacement(ctx, {
    from,
    subject: version.subject,
    html: mail ? (mail.html ?? null) : source.body.toString('utf8'),
    text: mail ? (mail.text ?? null) : version.plainText,
  });
  return [{ kind: 'placement', testId: result.resultId }];
};

const OWN: Record<string, Start> = { previews, gate, spam, placement };

/** What may be asked for: the own tests, and every check that a preview test may have. */
export function testKinds(outside: Pick<Doors, 'lists'>): string[] {
  return [...Object.keys(OWN), ...[...checkedKinds(outside).values()].map(({ kind }) => kind)];
}

/** How each test that is wanted is started; checks of a preview test are started with it. */
function startsOf(ctx: Doors, { tests }: TestsBody): [kind: string, Start][] {
  const wanted = [...new Set(tests)];
  const alone = [...checkedKinds(ctx).values()].filter(
    ({ kind }) => wanted.includes(kind) && !wanted.includes('previews'),
  );
  const own = Object.entries(OWN).filter(([kind]) => wanted.includes(kind));
  const checks = alone.map(({ kind, machine }): [string, Start] => [
    kind,
    async (doors, { version: { subject }, source }) => {
      const { id } = await machine.start(doors, doors.principal.accountId, { ...storable(source), subject });
      return [{ kind, testId: id }];
    },
  ]);
  return [...own, ...checks];
}

interface StartedTests {
  started: StartedTest[];
  refused: { kind: string; message: string }[];
}

/** Starts what can be started. Throws the first error where nothing could, and `conflict` beyond the bound. */
export async function startTests(
  ctx: Doors,
  given: { version: Version; bytes: Buffer },
  body: TestsBody,
): Promise<StartedTests> {
  const { version } = given;
  const before = (await listStarted(ctx.db, version, TESTS_MAX)).length;
  if (before + testKinds(ctx).length > TESTS_MAX)
    throw new AppError('conflict', `A version has at most ${TESTS_MAX} tests; this one has ${before}.`);
  const source = await sourceOf(ctx, given);
  const wanted = { version, source, body };
  const started: StartedTest[] = [];
  const refused: StartedTests['refused'] = [];
  let first: AppError | undefined;
  for (const [kind, start] of startsOf(ctx, body)) {
    try {
      for (const { previewId = null, ...begun } of await start(ctx, wanted)) {
        const test = { ...begun, previewId, createdAt: ctx.clock.now() };
        await noteTest(ctx.db, version, test);
        started.push(test);
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      first ??= error;
      refused.push({ kind, message: error.message });
    }
  }
  if (first && started.length === 0) throw first;
  return { started, refused };
}
