// How far previews of a client agreed with the real client: features above know, and previews show it.
import type { Sql } from '../../../platform/db/index.ts';
import { defineList, type Lists } from '../../../platform/ports/index.ts';
import type { Evidence } from './contract.ts';

/** By client: the newest evidence of an account, of one client when it is named. */
type EvidenceSource = (
  db: Sql,
  accountId: string,
  clientId: string | undefined,
) => Promise<ReadonlyMap<string, Evidence>>;

export const previewEvidence = defineList<EvidenceSource>('previews.evidence');

/** What all that know bring, by client. */
export async function readEvidence(
  { db, lists }: { db: Sql; lists: Lists },
  accountId: string,
  clientId?: string,
): Promise<ReadonlyMap<string, Evidence>> {
  const sources = lists.of(previewEvidence);
  const found = await Promise.all(sources.map((read) => read(db, accountId, clientId)));
  return new Map(found.flatMap((evidence) => [...evidence]));
}
