import type { Health } from '../../../engines/sending-health/index.ts';

/** What scores are grouped by. */
export type Group = 'domain' | 'ip' | 'subaccount' | 'timestamp';

/** The score of one group. */
export interface ScoredGroup extends Health {
  key: string;
  /** Of the group `subaccount`: the account itself. */
  accountId?: string;
  delivered: number;
}
