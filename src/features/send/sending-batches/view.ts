import { knownOf, type Batch, type BreakerSettings, type ShownBatch } from './store.ts';

export const settingsView = ({
  domain,
  mode,
  sample,
  bouncedMax,
  deferredMax,
}: BreakerSettings & { domain: string }) => ({
  domain,
  mode,
  sample,
  bounced_max: bouncedMax,
  deferred_max: deferredMax,
});

const nameOf = ({ kind, name }: Batch): string =>
  kind === 'message' ? 'This call' : `The ${kind === 'list' ? 'mailing list' : kind} “${name}”`;

/** What its first deliveries came to. */
function foundOf(batch: Batch): string {
  const { bounced, deferred, bouncedMax, deferredMax } = batch;
  const known = knownOf(batch);
  const share = (count: number): string => `${count} (${Math.round((count / Math.max(1, known)) * 100)} %)`;
  return (
    `Of its first ${known} deliveries ${share(bounced)} bounced and ${share(deferred)} were deferred; of a sample of ` +
    `${batch.sample}, ${bouncedMax} % and ${deferredMax} % may.`
  );
}

/** Why it is where it is, in words. */
export function reasonOf(batch: Batch): string {
  const { state, sample, decidedBy } = batch;
  const by = decidedBy === null ? '' : ` by ${decidedBy}`;
  switch (state) {
    case 'sampling':
      return (
        `${nameOf(batch)} waits for its first ${sample} deliveries, of which ${knownOf(batch)} are known; it goes on ` +
        `when at most ${batch.bouncedMax} % of them bounced and ${batch.deferredMax} % were deferred.`
      );
    case 'held':
      return `${nameOf(batch)} is held. ${foundOf(batch)}`;
    case 'passed':
      return `${nameOf(batch)} went on. ${foundOf(batch)}`;
    case 'released':
      return `${nameOf(batch)} was released${by}. ${foundOf(batch)}`;
    case 'dropped':
      return `${nameOf(batch)} was dropped${by}. ${foundOf(batch)}`;
    case 'expired':
      return `Nobody released it within 48 hours, and it was dropped. ${foundOf(batch)}`;
  }
}

/** A batch, and what is known of it. */
export function batchView(batch: ShownBatch) {
  const { id, domain, kind, name, state, messages, recipients, waiting, sampled, delivered, untried } = batch;
  return {
    id,
    domain,
    kind,
    name,
    state,
    reason: reasonOf(batch),
    messages,
    recipients,
    waiting,
    sample: {
      size: batch.sample,
      sampled,
      delivered,
      bounced: batch.bounced,
      deferred: batch.deferred,
      untried,
      bounced_max: batch.bouncedMax,
      deferred_max: batch.deferredMax,
    },
    started_at: batch.startedAt.toISOString(),
    held_at: batch.heldAt?.toISOString() ?? null,
    held_until: batch.heldUntil?.toISOString() ?? null,
    decided_at: batch.decidedAt?.toISOString() ?? null,
    decided_by: batch.decidedBy,
  };
}
