// What happened to a resource, told in the transaction that made it so. Features above listen: each gets a job of its
// own, which is queued in that transaction, so that nothing is told that did not happen and nothing is forgotten.
import type { Static, TSchema } from 'typebox';
import type { Sql } from '../db/index.ts';
import type { Job, Jobs } from '../jobs/index.ts';

export interface Fact<Payload extends TSchema = TSchema> {
  /** `thing.happened`, such as `domain.checked`. */
  readonly name: string;
  readonly payload: Payload;
}

/** A feature's ear for a fact: the job runs once for each time that the fact is told, at least. */
export interface Subscription {
  readonly fact: Fact;
  readonly job: Job<never>;
}

export interface Facts {
  /** Queues the jobs of all who listen. `on` is the transaction that makes it so; `account` is whose it is. */
  tell<Payload extends TSchema>(
    on: Sql,
    fact: Fact<Payload>,
    told: { account: string; payload: Static<Payload> },
  ): Promise<void>;
}

/** Declares what a feature tells. */
export function defineFact<Payload extends TSchema>(fact: Fact<Payload>): Fact<Payload> {
  return fact;
}

/** Listens: the job takes what the fact says. List the job among the feature's `jobs` too. */
export function whenTold<Payload extends TSchema>(
  fact: Fact<Payload>,
  job: Job<never, NoInfer<Payload>>,
): Subscription {
  return { fact, job: job as Job<never> };
}

/** Joins what is told and who listens. Throws when two facts have one name, or nobody tells what one listens for. */
export function openFacts(
  told: readonly Fact[],
  subscriptions: readonly Subscription[],
  { jobs }: { jobs: () => Pick<Jobs, 'enqueue'> },
): Facts {
  const names = told.map(({ name }) => name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) throw new Error(`Two facts are named ${twice}.`);
  const lost = subscriptions.find(({ fact }) => !names.includes(fact.name));
  if (lost) throw new Error(`The job ${lost.job.name} listens for ${lost.fact.name}, which no feature tells.`);
  const listeners = Map.groupBy(subscriptions, ({ fact }) => fact.name);
  return {
    async tell(on, fact, { account, payload }) {
      if (!names.includes(fact.name)) throw new Error(`No feature declares that it tells ${fact.name}.`);
      for (const { job } of listeners.get(fact.name) ?? [])
        await jobs().enqueue(on, job, { payloads: [payload], account });
    },
  };
}
