// All that rows show, each thing asked for once for all rows.
import type { Static } from 'typebox';
import type { Context } from '../../../platform/feature/index.ts';
import { skipOf } from '../../../platform/paging/index.ts';
import { unixSeconds } from '../../../platform/times/index.ts';
import type { ContentChecks } from '../_content-checking/index.ts';
import { countFindings, type FindingCounts } from '../_inspections/index.ts';
import { listShares, shareUrl, type PreviewShare } from '../preview-sharing/index.ts';
import {
  listCountedTests,
  listProgress,
  profileOf,
  readSearch,
  type PreviewTest,
  type Progress,
} from '../previews/index.ts';
import { listSpamStatuses } from '../spam-tests/index.ts';
import type { listSummaries } from './contract.ts';

type Query = Static<NonNullable<typeof listSummaries.query>>;
type Row = Static<typeof listSummaries.reply>['items'][number];

/** Clients that most readers know: their pictures stand for a test. */
const FACES = ['gmail_chrome', 'outlookcom_chrome', 'applemail_26', 'ol365'];

interface Beside {
  progress: ReadonlyMap<string, Progress>;
  /** Counts by inspection id. */
  findings: ReadonlyMap<string, FindingCounts>;
  /** Results by spam test id. */
  spam: ReadonlyMap<string, string>;
  shares: ReadonlyMap<string, PreviewShare>;
}

/** One page of rows. Throws `invalid_request`. */
export async function summaries(
  ctx: Pick<Context, 'db' | 'principal' | 'baseUrl'>,
  query: Query,
): Promise<Static<typeof listSummaries.reply>> {
  const { limit = 30, page = 1 } = query;
  const { accountId } = ctx.principal;
  const { items: tests, total: count } = await listCountedTests(ctx.db, accountId, {
    ...readSearch(query),
    ...skipOf({ limit, page }),
  });
  const beside = await besides(ctx, tests);
  return { meta: { count, limit, page }, items: tests.map((test) => rowOf(ctx.baseUrl, test, beside)) };
}

const idsOf = (checks: ContentChecks): string[] =>
  Object.values(checks).flatMap((ref) => (ref && 'id' in ref ? [ref.id] : []));

async function besides(
  { db, principal: { accountId } }: Pick<Context, 'db' | 'principal'>,
  tests: readonly PreviewTest[],
): Promise<Beside> {
  const ids = tests.map(({ id }) => id);
  const checks = tests.flatMap(({ contentChecking }) => idsOf(contentChecking));
  const spam = tests.flatMap((test) => test.spam?.id ?? []);
  return {
    progress: new Map(
      (await listProgress(db, accountId, { testIds: ids, first: FACES, max: FACES.length })).map((one) => [
        one.testId,
        one,
      ]),
    ),
    findings: new Map((await countFindings(db, { accountId, ids: checks })).map((one) => [one.id, one])),
    spam: new Map((await listSpamStatuses(db, accountId, spam)).map(({ id, status }) => [id, status])),
    shares: new Map((await listShares(db, accountId, ids)).map((share) => [share.testId, share])),
  };
}

function checksOf(checks: ContentChecks, findings: Beside['findings']): Row['checks'] {
  const wanted = Object.keys(checks).filter((name) => checks[name]);
  return Object.fromEntries(
    wanted.map((name) => {
      const ref = checks[name];
      const found = ref && 'id' in ref ? findings.get(ref.id) : undefined;
      return [
        name,
        { status: found?.status ?? ('Missing' as const), errors: found?.errors ?? 0, warnings: found?.warnings ?? 0 },
      ];
    }),
  );
}

function rowOf(baseUrl: string, test: PreviewTest, { progress, findings, spam, shares }: Beside): Row {
  const { completed = 0, processing = 0, bounced = 0, shown = [] } = progress.get(test.id) ?? {};
  const checks = checksOf(test.contentChecking, findings);
  const total = (name: 'errors' | 'warnings'): number =>
    Object.values(checks).reduce((sum, check) => sum + check[name], 0);
  const status = test.spam && spam.get(test.spam.id);
  const share = shares.get(test.id);
  return {
    id: test.id,
    name: test.name,
    subject: test.subject,
    date: unixSeconds(test.createdAt),
    expires_at: unixSeconds(test.expiresAt),
    source: test.source,
    ...(test.referenceId !== null && { reference_id: test.referenceId }),
    ...(test.customerId !== null && { customer_id: test.customerId }),
    clients: { total: completed + processing + bounced, completed, processing, bounced },
    thumbnails: shown.map((id) => ({
      client_id: id,
      display_name: profileOf(id).displayName,
      url: `${baseUrl}/files/previews/${test.fileToken}/${id}/default.thumbnail.webp`,
    })),
    checks,
    findings: { errors: total('errors'), warnings: total('warnings') },
    ...(test.spam && status && { spam: { id: test.spam.id, status } }),
    ...(share && {
      sharing: { enabled: share.isEnabled, url: shareUrl(baseUrl, share), expires_at: share.expiresAt.toISOString() },
    }),
  };
}
