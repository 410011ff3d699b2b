// A job is a value that a feature declares.
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

/** All of a job that queueing it needs: everything except its handler. */
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
  /** A job is not queued while another of the same name and with an equal text waits. */
  sameAs?(payload: Static<Payload>): string;
}

export interface Job<Outside, Payload extends TSchema = TSchema> extends JobName<Payload> {
  /**
   * Tries in all. Waiting is not trying; a try does not count that a stop or a kill of the process cut off, or for
   * which a part of the service was away.
   */
  attempts: number;
  /** How long one try may run, counted from the start of the try. */
  timeoutMs: number | ((outside: Outside) => number);
  /** Every worker process runs the job at this interval, with an empty payload. */
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
  /** The error of the last try, as a sentence. */
  reason: string;
  /** How many tries were made. */
  tries: number;
}

/** Thrown by a job for which another try is useless; its message is the reason that `gaveUp` hears. */
export class Hopeless extends Error {}

/** Declares a job; the payload's type follows from its schema. */
export function defineJob<Outside>() {
  return <Payload extends TSchema>(job: Job<Outside, Payload>): Job<Outside, Payload> => job;
}
