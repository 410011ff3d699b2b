// What a job is: a value that a feature declares.
import type { Static, TSchema } from 'typebox';

/**
 * What a job exhausts: a browser, the network, mail servers, or nothing much; `slow` is for what took a browser too
 * long.
 */
export type Lane = 'render' | 'slow' | 'net' | 'mail' | 'quick';

/**
 * Somebody waits for it, or nobody does: `bulk` work gets a small part of a lane as long as there is `interactive`
 * work.
 */
export type Urgency = 'interactive' | 'bulk';

/** What a job is queued by: all but what it does. */
export interface JobName<Payload extends TSchema = TSchema> {
  /** `feature.verb`, a literal. */
  name: string;
  payload: Payload;
  lane: Lane;
  /** Default: `interactive`. */
  urgency?: Urgency;
  /**
   * What it is a part of, such as one preview test: jobs of one thing hold half of a process's slots at most while
   * other jobs wait.
   */
  partOf?(payload: Static<Payload>): string;
  /** Of the jobs of this name that say the same, only one waits: another is not queued. */
  sameAs?(payload: Static<Payload>): string;
}

export interface Job<Outside, Payload extends TSchema = TSchema> extends JobName<Payload> {
  /**
   * Tries in all. Waiting is not trying; a try does not count that a stop or a kill of the process cut off, or for
   * which a part of the service was away.
   */
  attempts: number;
  /** How long one try may run; counted from its start, however long the job waited. */
  timeoutMs: number | ((outside: Outside) => number);
  /** Runs every so many seconds by itself, in every working process, with an empty payload. */
  everySeconds?: number;
  /**
   * Safe to run twice: delivery is at least once. A throw is retried, at the end of the account's queue, until the
   * attempts are used up.
   */
  run(outside: Outside, payload: Static<Payload>, turn: JobTurn): Promise<void>;
  /**
   * Hears that the job is not tried again: its attempts are used up, it threw `Hopeless`, or its process died too
   * often. Safe to run twice.
   */
  gaveUp?(outside: Outside, payload: Static<Payload>, failure: JobFailure): Promise<void>;
}

export interface JobTurn {
  signal: AbortSignal;
  /** 1 for the first try. */
  attempt: number;
  isLast: boolean;
}

export interface JobFailure {
  /** What the last try threw, as a sentence. */
  reason: string;
  /** Tries that were really made. */
  tries: number;
}

/** Thrown by a job for which another try is useless; its message is the reason that `gaveUp` hears. */
export class Hopeless extends Error {}

/** Names a job; the payload's type follows from its schema. */
export function defineJob<Outside>() {
  return <Payload extends TSchema>(job: Job<Outside, Payload>): Job<Outside, Payload> => job;
}
