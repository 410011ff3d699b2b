// What a job is: a value that a feature declares.
import type { Static, TSchema } from 'typebox';

/** What a job exhausts: a browser, the network, mail servers, or nothing much. */
export type Lane = 'render' | 'net' | 'mail' | 'quick';

export interface Job<Outside, Payload extends TSchema = TSchema> {
  /** `feature.verb`, a literal. */
  name: string;
  payload: Payload;
  lane: Lane;
  /** Tries in all, counting those that a killed process took. */
  attempts: number;
  timeoutMs: number;
  /** Runs every so many seconds by itself, in every working process, with an empty payload. */
  everySeconds?: number;
  /** Safe to run twice: delivery is at least once. A throw is retried until the attempts are used up. */
  run(outside: Outside, payload: Static<Payload>, turn: JobTurn): Promise<void>;
}

export interface JobTurn {
  signal: AbortSignal;
  /** 1 for the first try. */
  attempt: number;
  isLast: boolean;
}

/** Names a job; the payload's type follows from its schema. */
export function defineJob<Outside>() {
  return <Payload extends TSchema>(job: Job<Outside, Payload>): Job<Outside, Payload> => job;
}
