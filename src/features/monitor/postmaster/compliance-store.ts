// Whether domains meet a provider's requirements, as it was said last.
import type { Row, Sql } from '../../../platform/db/index.ts';

export type ComplianceState = 'compliant' | 'needs_work';

export interface Verdict {
  state: ComplianceState | null;
  /** Google's own name of it, in lower case. */
  reason: string | null;
}

/** What is said of one domain. */
export interface Compliance {
  domain: string;
  requirements: { requirement: string; state: ComplianceState | null }[];
  deliverability: Verdict | null;
  oneClickUnsubscribe: Verdict | null;
  honorUnsubscribe: Verdict | null;
}

/** Of the registrable domain, and of the subdomain where that is meant and known. */
export interface ComplianceStatus {
  organizational: Compliance | null;
  subdomain: Compliance | null;
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'postmasterCompliance.status': ComplianceStatus;
  }
}

/** Replaces what was said before. */
export async function saveCompliance(
  tx: Sql,
  accountId: string,
  row: { domain: string; day: string; status: ComplianceStatus },
): Promise<void> {
  await tx
    .of(accountId)
    .insert('postmasterCompliance', row)
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'domain'])
        .doUpdateSet(({ ref }) => ({ day: ref('excluded.day'), status: ref('excluded.status') })),
    )
    .execute();
}

export function findCompliance(
  db: Sql,
  accountId: string,
  domain: string,
): Promise<Row<'postmasterCompliance'> | undefined> {
  return db
    .of(accountId)
    .selectFrom('postmasterCompliance')
    .selectAll('postmasterCompliance')
    .where('domain', '=', domain)
    .executeTakeFirst();
}
