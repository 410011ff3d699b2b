// What reports say of a domain, in a window of days.
import { assessRows, nextPolicy, roadOf, SENDERS_DATE, tellRejection } from '../../../engines/dmarc-reports/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { DAY_MS } from '../../../platform/times/index.ts';
import { JUDGED_MAX, listJudged, listReportFacts, sumAll, sumBy, sumByDay, type RowFilter } from './figures-store.ts';
import { findRecord, openInbox } from './record.ts';
import { KEPT_DAYS, listReports } from './store.ts';
import { countsView, dayView, evidenceView } from './view.ts';

const DEFAULT_DAYS = 30;

type Days = Pick<RowFilter, 'from' | 'to'>;

const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

/** The days of a window in seconds. Throws `invalid_request`. */
export function daysOf(now: Date, { from, to }: { from?: number; to?: number }): Days {
  const last = to === undefined ? now.getTime() : to * 1000;
  const first = from === undefined ? last - DEFAULT_DAYS * DAY_MS : from * 1000;
  if (first > last) throw invalid('from', 'must not be after to.');
  if (last - first > KEPT_DAYS * DAY_MS) throw invalid('from', `must be at most ${KEPT_DAYS} days before to.`);
  return { from: dayOf(Math.max(0, first)), to: dayOf(last) };
}

/** Throws `not_found` when nothing was reported, so that a misspelled name does not look like silence. */
export async function sumsOf(ctx: Pick<Context, 'db' | 'principal'>, filter: RowFilter) {
  const { accountId } = ctx.principal;
  const [sums, chart] = [await sumAll(ctx.db, accountId, filter), await sumByDay(ctx.db, accountId, filter)];
  if (sums.messages === 0) throw new AppError('not_found', 'No reports in this time');
  return { sums, pfqr_chart: chart.map(dayView) };
}

/** Every domain with reports. */
export async function describeDomains({ db, principal }: Pick<Context, 'db' | 'principal'>, days: Days) {
  const { accountId } = principal;
  const facts = await listReportFacts(db, accountId, days);
  const sums = new Map((await sumBy(db, accountId, { ...days, by: 'domain' })).map((one) => [one.name, one]));
  const nothing = { messages: 0, pass: 0, fail: 0, quarantine: 0, reject: 0, dkimAligned: 0, spfAligned: 0 };
  return {
    domains: facts
      .map(({ domain, reports, organizations, lastReportAt }) => ({
        domain,
        reports,
        organizations,
        last_report_at: lastReportAt.toISOString(),
        ...countsView(sums.get(domain) ?? nothing),
      }))
      .sort((a, b) => b.messages - a.messages),
    pfqr_chart: (await sumByDay(db, accountId, days)).map(dayView),
  };
}

function addTo(sums: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + value;
}

/** A domain: its sources, what p=reject would refuse, and the road there. */
export async function describeDomain(
  ctx: Pick<Context, 'db' | 'principal' | 'clock' | 'config' | 'dns'>,
  domain: string,
  days: Days,
) {
  const { accountId } = ctx.principal;
  const [facts] = await listReportFacts(ctx.db, accountId, { ...days, domain });
  if (!facts) throw new AppError('not_found', 'No reports of this domain in this time');
  const filter = { ...days, domain };
  const all = await sumAll(ctx.db, accountId, filter);
  const groups = await listJudged(ctx.db, accountId, filter);
  const assessment = assessRows(groups);
  const bySource = new Map<string, Record<string, number>>();
  for (const { source, sums } of groups) {
    const some = bySource.get(source.id) ?? {};
    addTo(some, { quarantine: sums.quarantine, reject: sums.reject, dkim: sums.dkimAligned, spf: sums.spfAligned });
    bySource.set(source.id, some);
  }
  const { address } = await openInbox(ctx);
  const { applied } = await findRecord(ctx, domain, address);
  const { organizations, days: reported, enforcedDays, reports } = facts;
  const road = roadOf({ ...applied, assessment, organizations, days: reported, enforcedDays });
  const latest = (await listReports(ctx.db, accountId, { kind: 'aggregate', domain, limit: 1, skip: 0 })).items[0];
  const policy = latest && 'policy' in latest.content ? latest.content.policy : null;
  return {
    domain,
    measured: { ...days, reports, organizations, days: reported, known_senders_of: SENDERS_DATE },
    policy: policy && { p: policy.p, sp: policy.sp, np: policy.np, pct: policy.pct, testing: policy.testing },
    ...countsView(all),
    yours: assessment.yours,
    forwarded: assessment.forwarded,
    unknown: assessment.unknown,
    is_bound: groups.length >= JUDGED_MAX,
    rejection: tellRejection(assessment),
    road,
    next_policy: nextPolicy(road, applied.record?.p ?? null),
    sources: assessment.sources.map(({ source, messages, passing, failing, yours, forwarded, unknown, evidence }) => {
      const sums = bySource.get(source.id) ?? {};
      return {
        source: source.id,
        name: source.name,
        type: source.type,
        named_by: source.by,
        messages,
        pass: passing,
        fail: failing,
        quarantine: sums['quarantine'] ?? 0,
        reject: sums['reject'] ?? 0,
        dkim_aligned: sums['dkim'] ?? 0,
        spf_aligned: sums['spf'] ?? 0,
        yours,
        forwarded,
        unknown,
        evidence: evidenceView(evidence),
      };
    }),
    pfqr_chart: (await sumByDay(ctx.db, accountId, filter)).map(dayView),
  };
}
