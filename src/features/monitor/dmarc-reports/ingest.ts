// Reports come in: each is kept once, for the account whose domain it is about.
import { createHash } from 'node:crypto';
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { DAY_MS } from '../../../platform/times/index.ts';
import { readReports, type ReadReport } from './computations.ts';
import { whyForeign } from './domains.ts';
import { nameSources } from './naming.ts';
import { countReceived, insertReport, insertRows, noteReport, type NewReport } from './store.ts';

/** Of one account in 24 hours; what is beyond is not kept. */
const REPORTS_A_DAY_MAX = 5000;
const DATE_MAX = Date.UTC(2100, 0, 1);

interface GivenFile {
  name: string;
  bytes: Uint8Array;
}

/** How the file came. */
export interface Arrival {
  via: 'mail' | 'upload' | 'imap';
  /** Where the account's reports arrive. */
  address: string;
  /** The domain that vouches for the mail; null: none does, or it was uploaded. */
  vouchedBy: string | null;
  /** Why a report is not believed, by what it says of its sender; undefined where it is. */
  doubt?(report: ReadReport): string | undefined;
  /** A mail without any report is not kept as refused: it came to where other mail comes, too. */
  isAmongOthers?: true;
  /** Notes in the same transaction that the file was taken. False: somebody else took it, and nothing is kept. */
  settle?(tx: Sql, outcome: Outcome): Promise<boolean>;
}

export interface Outcome {
  accepted: { kind: string; domain: string; organization: string; reportId: string; messages: number }[];
  /** Kept before. */
  duplicates: number;
  refused: { name: string; reason: string }[];
  /** The account takes no more today, and nothing of the file was kept. */
  isFull?: true;
}

/** Somebody else took the file meanwhile. */
export class TakenElsewhere extends Error {}

type Doors = Pick<Outside, 'db' | 'dns' | 'compute' | 'clock' | 'jobs'>;

const at = (seconds: number): Date => new Date(Math.min(Math.max(0, seconds * 1000), DATE_MAX));

/** The rows of the table that a report becomes: one, or of TLS one for each domain. */
function rowsOf(
  report: ReadReport,
  { now, via, vouchedBy }: { now: Date } & Pick<Arrival, 'via' | 'vouchedBy'>,
): NewReport[] {
  const common = { receivedAt: now, via, vouchedBy };
  if (report.kind === 'failure') {
    const arrived = report.arrived === '' ? now : new Date(report.arrived);
    const said = JSON.stringify([report.messageId, report.arrived, report.sourceIp, report.from, report.subject]);
    const reportId = createHash('sha256').update(said).digest('hex').slice(0, 32);
    const times = { beginAt: arrived, endAt: arrived };
    const organization = report.reporter;
    return [
      {
        ...common,
        ...times,
        kind: 'failure',
        domain: report.domain,
        organization,
        reportId,
        messages: '1',
        content: { failure: report },
      },
    ];
  }
  const { organization, reportId } = report;
  const times = { beginAt: at(report.begin), endAt: at(report.end) };
  if (report.kind === 'tls')
    return report.policies.map((tls) => ({
      ...common,
      ...times,
      kind: 'tls',
      domain: tls.domain,
      organization,
      reportId,
      messages: String(tls.successful + tls.failed),
      content: { tls },
    }));
  const { policy, schema, email, errors, problems, messages } = report;
  return [
    {
      ...common,
      ...times,
      kind: 'aggregate',
      domain: policy.domain,
      organization,
      reportId,
      messages: String(messages),
      content: { policy, schema, email, errors, problems },
    },
  ];
}

async function keepRefusals(
  tx: Sql,
  accountId: string,
  { refused, now, via }: { refused: Outcome['refused']; now: Date; via: Arrival['via'] },
): Promise<void> {
  for (const { name, reason } of refused)
    await insertReport(tx, accountId, {
      kind: 'refused',
      domain: '',
      organization: '',
      reportId: newId(),
      beginAt: now,
      endAt: now,
      receivedAt: now,
      via,
      vouchedBy: null,
      messages: '0',
      content: { file: name.slice(0, 300), reason },
    });
}

const isFull = async (tx: Sql, accountId: string, now: Date): Promise<boolean> =>
  (await countReceived(tx, accountId, new Date(now.getTime() - DAY_MS))) >= REPORTS_A_DAY_MAX;

function fullOutcome(name: string): Outcome {
  const reason = `More than ${REPORTS_A_DAY_MAX} reports came in 24 hours; the account takes no more.`;
  return { accepted: [], duplicates: 0, refused: [{ name, reason }], isFull: true };
}

interface Judged {
  wanted: { row: NewReport; report: ReadReport }[];
  refused: Outcome['refused'];
}

/** What of the reports is about domains of the account and is believed. */
async function judge(
  outside: Doors,
  accountId: string,
  { reports, name, arrival, now }: { reports: readonly ReadReport[]; name: string; arrival: Arrival; now: Date },
): Promise<Judged> {
  const judged: Judged = { wanted: [], refused: [] };
  const foreign = new Map<string, string | undefined>();
  for (const report of reports) {
    const doubt = arrival.doubt?.(report);
    if (doubt !== undefined) {
      judged.refused.push({ name, reason: doubt });
      continue;
    }
    for (const row of rowsOf(report, { now, ...arrival })) {
      const { domain } = row;
      if (!foreign.has(domain))
        foreign.set(domain, await whyForeign(outside, accountId, { domain, address: arrival.address }));
      const reason = domain === '' ? 'It names no domain.' : foreign.get(domain);
      if (reason === undefined) judged.wanted.push({ row, report });
      else judged.refused.push({ name, reason });
    }
  }
  return judged;
}

/**
 * Reads a file or a mail and keeps its reports, whole or not at all. What is refused is kept with its reason for 30
 * days. A report that the account has already counts no second time.
 */
export async function takeReports(
  outside: Doors,
  accountId: string,
  { file, arrival, urgency }: { file: GivenFile; arrival: Arrival; urgency: 'answer' | 'job' },
): Promise<Outcome> {
  const { db, compute, clock, jobs } = outside;
  const read = await compute.run(readReports, file, { urgency });
  const now = clock.now();
  const judged = await judge(outside, accountId, { reports: read.reports, name: file.name, arrival, now });
  const own = read.isOther && arrival.isAmongOthers ? [] : read.refused;
  const outcome: Outcome = { accepted: [], duplicates: 0, refused: [...own, ...judged.refused] };
  await db.tx(async (tx) => {
    await tx.lock(`dmarc reports ${accountId}`);
    if (await isFull(tx, accountId, now)) return void Object.assign(outcome, fullOutcome(file.name));
    for (const { row, report } of judged.wanted) {
      const id = await insertReport(tx, accountId, row);
      if (id === undefined) {
        outcome.duplicates += 1;
        continue;
      }
      const { kind, domain, organization, reportId } = row;
      outcome.accepted.push({ kind, domain, organization, reportId, messages: Number(row.messages) });
      if (report.kind !== 'aggregate' || report.parts.length === 0) continue;
      for (const rows of report.parts) await insertRows(tx, accountId, { reportId: id, domain, rows });
      await jobs.enqueue(tx, nameSources, { payloads: [{ accountId, reportId: id }], account: accountId });
    }
    await keepRefusals(tx, accountId, { refused: outcome.refused, now, via: arrival.via });
    if (outcome.accepted.length > 0) await noteReport(tx, accountId, now);
    if (arrival.settle && !(await arrival.settle(tx, outcome))) throw new TakenElsewhere();
  });
  jobs.wake();
  return outcome;
}

/** Keeps of a mail that it was refused, and why. */
export async function refuseMail(
  { db, clock }: Pick<Outside, 'db' | 'clock'>,
  accountId: string,
  { reason, arrival }: { reason: string; arrival: Arrival },
): Promise<Outcome> {
  const outcome: Outcome = { accepted: [], duplicates: 0, refused: [{ name: 'mail', reason }] };
  const now = clock.now();
  await db.tx(async (tx) => {
    await tx.lock(`dmarc reports ${accountId}`);
    if (await isFull(tx, accountId, now)) return void Object.assign(outcome, fullOutcome('mail'));
    await keepRefusals(tx, accountId, { refused: outcome.refused, now, via: arrival.via });
    if (arrival.settle && !(await arrival.settle(tx, outcome))) throw new TakenElsewhere();
  });
  return outcome;
}
