// A fact says what happened to a resource. It is published in the transaction that made it true. Each feature that
// listens gets a job of its own, which is queued in that transaction, so that no fact is published that did not happen,
// and none is lost.
import type { Static, TSchema } from 'typebox';
import type { Sql } from '../db/index.ts';
import type { Job, Jobs } from '../jobs/index.ts';

export interface Fact<Payload extends TSchema = TSchema> {
  /** `thing.happened`, such as `domain.checked`. */
  readonly name: string;
  readonly payload: Payload;
}

/** A feature's listener for a fact: the job runs at least once for each time that the fact is published. */
export interface Subscription {
  readonly fact: Fact;
  readonly job: Job<never>;
}

export interface Facts {
  /** Queues the job of each listener, in the transaction `on`; `account` is the owner of the resource. */
  tell<Payload extends TSchema>(
    on: Sql,
    fact: Fact<Payload>,
    told: { account: string; payload: Static<Payload> },
  ): Promise<void>;
}

/** Declares a fact that a feature publishes. */
export function defineFact<Payload extends TSchema>(fact: Fact<Payload>): Fact<Payload> {
  return fact;
}

/** Makes a job a listener: it takes the fact's payload. List the job among the feature's `jobs` too. */
export function whenTold<Payload extends TSchema>(
  fact: Fact<Payload>,
  job: Job<never, NoInfer<Payload>>,
): Subscription {
  return { fact, job: job as Job<never> };
}

/**
 * Joins facts and listeners. Throws if two facts have one name, or a listener waits for a fact that nobody publishes.
 */
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
