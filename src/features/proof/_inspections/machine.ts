// The two sides of the machine that every inspection shares: what a kind declares, and what it gets for it.
import type { Finding } from '../../../engines/findings/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import type { Job, Lane } from '../../../platform/jobs/index.ts';
import type { Paged } from '../../../platform/paging/index.ts';
import type { Listing, Run } from './listing.ts';
import type { Inspection, InspectionVersion, Outcome, Page } from './store.ts';

/** What one run of a check found. */
export interface Inspected<Result> {
  /** What the endpoint of the kind shows. */
  result: Result;
  /** The same, uniform over all kinds: reports of every format are made from these. */
  findings: readonly Finding[];
  /** What a list shows without the result. */
  summary?: object;
  /** What lists are searched by. */
  facets?: object;
}

/** What beginning and running again takes. */
export type StartDoors = Pick<Outside, 'config' | 'db' | 'blobs' | 'jobs' | 'clock'>;
/** What ending a run needs, for any kind. */
export type EndDoors = Pick<Outside, 'db' | 'jobs' | 'clock' | 'facts'>;
/** What reading takes: an account sees its own. */
export type Reader = Pick<Context, 'db' | 'principal'>;

/** What a kind does when an inspection ends. */
export interface Endings {
  /** Publishes the facts that follow from the end, in the transaction that ends the run. */
  tell?(
    outside: Pick<Outside, 'facts'>,
    tx: Sql,
    ended: Pick<Run, 'id' | 'version'> & { accountId: string; outcome: Outcome },
  ): Promise<void>;
  /** After every end, however it came. Safe to run twice. */
  ended?(outside: Pick<Outside, 'db'>, run: Pick<Run, 'id' | 'version'>, outcome: Outcome): Promise<void>;
}

/** What a kind brings of its own. `Need` names what its check uses: who has that may call it. */
export interface InspectionKind<Input, Result, Need extends keyof Outside = never> extends Endings {
  /** `links`; its job is `links.inspect`. */
  kind: string;
  /** What a caller calls it: `link test`. */
  noun: string;
  lane: Lane;
  timeoutMs: number;
  /** What every list that names kinds says of it; without it none does. */
  listing?: Listing;
  /** What lists call it. */
  nameOf?(input: Input): string;
  /** Earlier versions stay readable when the inspection runs again. */
  keepsVersions?: boolean;
  /** A finding is part of the result; a throw means the check itself could not run. */
  inspect(outside: Pick<Outside, Need>, input: Input, run: Run): Promise<Inspected<Result>>;
  /**
   * For a check that waits for the world: what the job does instead. The inspection ends when the kind calls `end` or
   * `fail`.
   */
  begin?(outside: Outside, input: Input, run: Run): Promise<void>;
}

/** What it gets for that. */
export interface InspectionMachine<Input, Result, Need extends keyof Outside = never> {
  kind: string;
  noun: string;
  listing: Listing | undefined;
  job: Job<Outside>;
  /** The check alone: nothing is stored. */
  inspect: InspectionKind<Input, Result, Need>['inspect'];
  /** Stores the input and queues the run. */
  start(outside: StartDoors, accountId: string, input: Input): Promise<Inspection<Result>>;
  /** The same; `beside` stores the kind's own rows in the same transaction. */
  startWith(
    outside: StartDoors,
    accountId: string,
    given: { input: Input; beside: (tx: Sql, made: Inspection<Result>) => Promise<void> },
  ): Promise<Inspection<Result>>;
  /** Ends a run that `begin` left open. */
  end(outside: EndDoors, run: Pick<Run, 'id' | 'version'>, inspected: Inspected<Result>): Promise<void>;
  fail(outside: EndDoors, run: Pick<Run, 'id' | 'version'>, error: unknown): Promise<void>;
  /** Runs it again as its next version, on a new input or on the one it had. */
  restart(ctx: StartDoors & Reader, id: string, input?: Input): Promise<Inspection<Result>>;
  get(ctx: Reader, id: string, wanted?: { version?: number }): Promise<Inspection<Result>>;
  /** Without its result, but for one part of that as JSON text: what is large is not read only to be written again. */
  getWritten(ctx: Reader, id: string, part: keyof Result & string): Promise<Inspection & { written: string | null }>;
  /** What its present version runs on. */
  input(ctx: Reader & Pick<Outside, 'blobs'>, id: string): Promise<Input>;
  versions(ctx: Reader, id: string): Promise<InspectionVersion[]>;
  list(ctx: Reader, page: Page): Promise<Paged<Inspection<Result>>>;
  remove(outside: Pick<Outside, 'db' | 'jobs'>, accountId: string, id: string): Promise<void>;
}
