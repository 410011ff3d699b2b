// Reports of several files, brought together: by domain, each report once.
import {
  assessRows,
  judgeRow,
  nameSource,
  tellRejection,
  type AggregateReport,
  type Assessment,
  type FailureReport,
  type ReadFile,
  type TlsReport,
} from '../../../engines/dmarc-reports/index.ts';

/** Rows that are kept for judging; beyond them nothing is read. */
export const ROWS_MAX = 500_000;

export interface Gathered {
  aggregates: AggregateReport[];
  tls: TlsReport[];
  failures: FailureReport[];
  duplicates: number;
  refused: { name: string; reason: string }[];
}

/** Adds the reports of files, and leaves out what came before. */
export class Gatherer {
  readonly gathered: Gathered = { aggregates: [], tls: [], failures: [], duplicates: 0, refused: [] };
  #seen = new Set<string>();
  #rows = 0;

  /** False: there are as many rows as are kept. */
  add({ reports, refused }: ReadFile): boolean {
    this.gathered.refused.push(...refused);
    for (const report of reports) {
      if (report.kind === 'failure') {
        this.gathered.failures.push(report);
        continue;
      }
      const about = report.kind === 'aggregate' ? report.policy.domain : '';
      const key = JSON.stringify([report.kind, about, report.organization.toLowerCase(), report.reportId]);
      if (this.#seen.has(key)) {
        this.gathered.duplicates += 1;
        continue;
      }
      this.#seen.add(key);
      if (report.kind === 'tls') this.gathered.tls.push(report);
      else {
        this.gathered.aggregates.push(report);
        this.#rows += report.rows.length;
      }
    }
    return this.#rows <= ROWS_MAX;
  }
}

export interface DomainSummary extends Assessment {
  domain: string;
  reports: number;
  organizations: string[];
  begin: number;
  end: number;
  /** The policy of the latest report. */
  policy: AggregateReport['policy'];
  statement: string;
}

/** Every domain by its name. `hosts`: the names of addresses, where they are known. */
export function summarize(
  reports: readonly AggregateReport[],
  hosts: ReadonlyMap<string, string | null>,
): DomainSummary[] {
  const domains = Map.groupBy(reports, ({ policy }) => policy.domain);
  return [...domains.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([domain, about]) => {
      const rows = about.flatMap((report) =>
        report.rows.map((row) => judgeRow(row, nameSource(row, hosts.get(row.sourceIp) ?? null))),
      );
      const assessment = assessRows(rows);
      const latest = about.reduce((a, b) => (b.end > a.end ? b : a));
      return {
        domain,
        reports: about.length,
        organizations: [...new Set(about.map(({ organization }) => organization))].sort(),
        begin: Math.min(...about.map(({ begin }) => begin)),
        end: latest.end,
        policy: latest.policy,
        ...assessment,
        statement: tellRejection(assessment),
      };
    });
}
