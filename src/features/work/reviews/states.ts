// What the list of emails says of reviews.
import type { Outside } from '../../../platform/feature/index.ts';
import { provide } from '../../../platform/ports/index.ts';
import { reviewStates, type Email, type ReviewStateView } from '../emails/index.ts';
import { countOpenThreads, countVerdicts, listAsked } from './store.ts';

type OfVersion = (email: Pick<Email, 'id' | 'version'>) => ReviewStateView;

function stateOf({ approvals, requests, isBegun }: { approvals: number; requests: number; isBegun: boolean }) {
  if (requests > 0) return 'changes_requested';
  if (approvals > 0) return 'approved';
  return isBegun ? 'open' : 'none';
}

/** Of some emails, and how many threads of theirs are open, by version. */
export async function readStates(
  { db, clock }: Pick<Outside, 'db' | 'clock'>,
  accountId: string,
  emailIds: readonly string[],
) {
  const [threads, verdicts, asked] = [
    await countOpenThreads(db, accountId, emailIds),
    await countVerdicts(db, accountId, emailIds),
    await listAsked(db, accountId, { emailIds, now: clock.now() }),
  ];
  const stateOfVersion: OfVersion = ({ id, version }) => {
    const own = threads.find(({ emailId, number }) => emailId === id && number === version);
    const countOf = (decision: string): number =>
      verdicts.find((one) => one.emailId === id && one.number === version && one.decision === decision)?.total ?? 0;
    const [approvals, requests] = [countOf('approved'), countOf('changes_requested')];
    return {
      state: stateOf({ approvals, requests, isBegun: asked.has(id) || own !== undefined }),
      approvals,
      change_requests: requests,
      open_threads: own?.open ?? 0,
    };
  };
  return { stateOfVersion, threads };
}

export const providesStates = provide(reviewStates, async (ctx, accountId, emails) => {
  const versions = new Map(emails.map(({ id, version }) => [id, version]));
  const { stateOfVersion } = await readStates(ctx, accountId, [...versions.keys()]);
  return ({ id }) => stateOfVersion({ id, version: versions.get(id) ?? 0 });
});
