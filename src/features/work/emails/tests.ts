// The tests of a version as they are now: each has its own state, kept by its own feature.
import type { Context } from '../../../platform/feature/index.ts';
import type { Lists } from '../../../platform/ports/index.ts';
import { findResult } from '../../placement/inbox-placement/index.ts';
import { countFindings, inspectionKinds } from '../../proof/_inspections/index.ts';
import { listProgress } from '../../proof/previews/index.ts';
import { SPAM_PATH } from '../../proof/spam-tests/index.ts';
import type { EmailView } from './contract.ts';
import type { Email } from './store.ts';
import { TESTS_MAX, type TestView } from './tests-contract.ts';
import { listStarted, listStartedOf, type StartedTest, type Version } from './versions-store.ts';

type State = Pick<TestView, 'state' | 'errors' | 'warnings'>;
const STATES = { Processing: 'processing', Complete: 'complete', Failed: 'failed' } as const;

/** By id; what is gone is absent. */
async function statesOf(
  { db }: Pick<Context, 'db'>,
  accountId: string,
  tests: readonly StartedTest[],
): Promise<Map<string, State>> {
  const idsOf = (kinds: (kind: string) => boolean): string[] =>
    tests.filter(({ kind }) => kinds(kind)).map(({ testId }) => testId);
  const states = new Map<string, State>();
  const testIds = idsOf((kind) => kind === 'previews');
  for (const { testId, processing } of await listProgress(db, accountId, { testIds, first: [], max: 0 }))
    states.set(testId, { state: processing > 0 ? 'processing' : 'complete', errors: null, warnings: null });
  for (const id of idsOf((kind) => kind === 'placement')) {
    const result = await findResult(db, accountId, id);
    if (result) states.set(id, { state: result.status as State['state'], errors: null, warnings: null });
  }
  const ids = idsOf((kind) => kind !== 'previews' && kind !== 'placement');
  for (const { id, status, errors, warnings } of await countFindings(db, { accountId, ids })) {
    const isDone = status === 'Complete';
    states.set(id, {
      state: STATES[status as keyof typeof STATES],
      errors: isDone ? errors : null,
      warnings: isDone ? warnings : null,
    });
  }
  return states;
}

const PLACES: Record<string, { api: string; page: string }> = {
  previews: { api: '/v2/preview/tests', page: '/previews' },
  gate: { api: '/v1/inspect/gate', page: '/gate' },
  spam: { api: SPAM_PATH, page: '/spam' },
  placement: { api: '/v4/inbox/results', page: '/placement' },
};

function linksOf({ kind, testId, previewId }: StartedTest, lists: Lists): TestView['links'] {
  const own = PLACES[kind];
  if (own) return { self: `${own.api}/${testId}`, page: `${own.page}/${testId}` };
  const listing = lists.of(inspectionKinds).find((one) => one.kind === kind);
  const page = previewId !== null && listing?.page !== undefined ? `/previews/${previewId}/${listing.page}` : null;
  return { self: `${listing?.path ?? '/v1/inspections'}/${testId}`, page };
}

/** Newest first. */
export async function testsOf(
  ctx: Pick<Context, 'db' | 'lists'>,
  version: Version,
  started?: readonly StartedTest[],
): Promise<TestView[]> {
  const tests = started ?? (await listStarted(ctx.db, version, TESTS_MAX));
  const states = await statesOf(ctx, version.accountId, tests);
  return tests.flatMap((test) => {
    const state = states.get(test.testId);
    if (!state) return [];
    const { kind, testId: id, createdAt } = test;
    return [{ kind, id, ...state, created_at: createdAt.toISOString(), links: linksOf(test, ctx.lists) }];
  });
}

/** Of a page of emails; more are not looked at. */
const TESTS_LOOKED_AT_MAX = 20_000;
/** A gate finds what the others find; a placement has no findings. */
const UNCOUNTED = ['gate', 'placement'];

const UNTESTED: EmailView['status'] = { state: 'untested', errors: 0, warnings: 0 };

/** What the newest test of each kind says of the newest version of each email, by the id of the email. */
export async function statusesOf(
  ctx: Pick<Context, 'db'>,
  accountId: string,
  emails: readonly Email[],
): Promise<(email: Email) => EmailView['status']> {
  const versions = new Map(emails.map(({ id, version }) => [id, version]));
  const emailIds = [...versions.keys()];
  const all = await listStartedOf(ctx.db, accountId, { emailIds, limit: TESTS_LOOKED_AT_MAX });
  const counted = all.filter(
    ({ emailId, number, kind }) => versions.get(emailId) === number && !UNCOUNTED.includes(kind),
  );
  const states = await statesOf(ctx, accountId, counted);
  const ofEmail = Map.groupBy(
    counted.filter(({ testId }) => states.has(testId)),
    ({ emailId }) => emailId,
  );
  return ({ id }) => {
    const newest = [...Map.groupBy(ofEmail.get(id) ?? [], ({ kind }) => kind).values()].map(([first]) =>
      states.get(first!.testId)!,
    );
    if (newest.length === 0) return UNTESTED;
    return {
      state: newest.some(({ state }) => state === 'processing') ? 'testing' : 'tested',
      errors: newest.reduce((sum, { errors }) => sum + (errors ?? 0), 0),
      warnings: newest.reduce((sum, { warnings }) => sum + (warnings ?? 0), 0),
    };
  };
}
