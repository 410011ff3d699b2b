import { anyOf, sql, type RawBuilder, type Sql } from '../db/index.ts';
import type { Lane, Urgency } from './declare.ts';

interface NewJobs {
  name: string;
  lane: Lane;
  accountId: string;
  urgency: Urgency;
  startAfterSeconds: number;
  /** Each payload is JSON. */
  items: readonly { payload: unknown; partOf: string | null; sameAs: string | null }[];
}

/** Queues jobs in the order given, without those that equal a waiting job. */
export async function insertJobs(
  on: Sql,
  { name, lane, accountId, urgency, startAfterSeconds, items }: NewJobs,
): Promise<void> {
  await on.run(sql`
    insert into jobs (name, lane, payload, account_id, urgency, part_of, same_as, run_at)
    select ${name}, ${lane}, item.payload, ${accountId}, ${urgency}, item."partOf", item."sameAs",
      now() + ${startAfterSeconds}::float8 * interval '1 second'
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as item (payload jsonb, "partOf" text, "sameAs" text)
    where item."sameAs" is null
      or not exists (
        select 1
        from jobs
        where jobs.name = ${name} and jobs.same_as = item."sameAs" and state = 'waiting'
      )
  `);
}

export interface Taken {
  id: string;
  name: string;
  payload: unknown;
  accountId: string;
  urgency: Urgency;
  partOf: string | null;
  /** How many tries were begun, this one included. */
  attempts: number;
  losses: number;
  lastError: string | null;
}

export interface Weights {
  /** The time that a job counts for until its real time is known. */
  estimateMs: number;
  /**
   * How far ahead of the others the account may get whose job this process took last: going on with it spares a change.
   */
  headstartMs: number;
  /** How many times its time a bulk job counts for, and how far back in the order it begins. */
  bulkFactor: number;
  bulkDelayMs: number;
}

interface Taking {
  lane: Lane;
  worker: string;
  names: readonly string[];
  /** The things whose jobs already hold their share of the slots. */
  notPartOf: readonly string[];
  /** The account and the urgency of the job that this process took last. */
  last: { accountId: string; urgency: Urgency } | undefined;
  weights: Weights;
}

/** The time that a job counts for in its account's use of the lane; bulk jobs count several times. */
function costOf(
  urgency: RawBuilder<unknown>,
  { ms, bulkFactor }: { ms: number; bulkFactor: number },
): RawBuilder<unknown> {
  return sql`${ms}::float8 * case ${urgency} when 'bulk' then ${bulkFactor}::float8 else 1 end`;
}

/** The accounts that have work in a lane, one look into the index for each (a loose index scan). */
function flowsOf(lane: string): RawBuilder<unknown> {
  return sql`
    flows as (
      (
        select account_id, urgency
        from jobs
        where lane = ${lane} and state = 'waiting'
        order by account_id, urgency
        limit 1
      )
      union all
      select next.account_id, next.urgency
      from flows
      cross join lateral (
        select account_id, urgency
        from jobs
        where lane = ${lane} and state = 'waiting' and (account_id, urgency) > (flows.account_id, flows.urgency)
        order by account_id, urgency
        limit 1
      ) next
    )
  `;
}

/**
 * Where the lane stands, and when it is whose turn. Of the account whose job was taken last the next one comes sooner.
 */
function turnsOf({ lane, last, weights }: Taking): RawBuilder<unknown> {
  const isLast = sql`(flows.account_id = ${last?.accountId ?? ''} and flows.urgency = ${last?.urgency ?? ''})`;
  return sql`
    come as materialized (select coalesce((select served from job_lanes where lane = ${lane}), 0) as served),
    turns as materialized (
      select flows.account_id, flows.urgency, coalesce(job_turns.served, come.served) as served,
        job_turns.served is null as is_new,
        coalesce(job_turns.served, come.served) - case
          when ${isLast} then ${weights.headstartMs}::float8
          else 0
        end + case flows.urgency
          when 'bulk' then ${weights.bulkDelayMs}::float8
          else 0
        end as turn
      from flows
      cross join come
      left join job_turns on job_turns.lane = ${lane}
        and job_turns.account_id = flows.account_id
        and job_turns.urgency = flows.urgency
    )
  `;
}

/** What the job that was chosen is estimated to take counts for its account, and the lane moves on to that turn. */
function countChosen(lane: string, weights: Weights): RawBuilder<unknown> {
  return sql`
    counted as (
      insert into job_turns (lane, account_id, urgency, served)
      select ${lane}, account_id, urgency, served + ${costOf(sql`urgency`, { ms: weights.estimateMs, ...weights })}
      from chosen
      on conflict (lane, account_id, urgency)
      do update set served = greatest(
        excluded.served, job_turns.served + ${costOf(sql`excluded.urgency`, { ms: weights.estimateMs, ...weights })}
      )
    ),
    moved as (
      insert into job_lanes (lane, served)
      select ${lane}, served
      from chosen
      on conflict (lane) do update set served = greatest(job_lanes.served, excluded.served)
    )
  `;
}

/**
 * Takes the next job of a lane: of the account that has had the least of it, the job that waits longest.
 *
 * An account without a row in `job_turns` joins where the lane stands, so that it neither owes nor is owed anything.
 * Processes that take at the same moment skip each other's row; each is counted.
 */
export function takeJob(on: Sql, taking: Taking): Promise<Taken | undefined> {
  const { lane, worker, names, notPartOf, weights } = taking;
  const mayRun = sql`
    state = 'waiting'
      and run_at <= now()
      and name = ${anyOf(names)}
        ${notPartOf.length ? sql`and (part_of is null or not part_of = ${anyOf(notPartOf)})` : sql``}
  `;
  return on.first(sql<Taken>`
    with recursive ${flowsOf(lane)}, ${turnsOf(taking)},
      chosen as materialized (
        select head.id, ordered.account_id, ordered.urgency, greatest(ordered.served, come.served) as served
        from (select * from turns order by turn) ordered
        cross join come
        cross join lateral (
          select id
          from jobs
          where lane = ${lane} and account_id = ordered.account_id and urgency = ordered.urgency and ${mayRun}
          order by place
          limit 1
          for update skip locked
        ) head
        order by ordered.turn
        limit 1
      ),
      joined as (
        insert into job_turns (lane, account_id, urgency, served)
        select ${lane}, account_id, urgency, served
        from turns
        where is_new
          and not exists (
            select 1
            from chosen
            where chosen.account_id = turns.account_id and chosen.urgency = turns.urgency
          )
        on conflict do nothing
      ),
      ${countChosen(lane, weights)}
    update jobs
    set state = 'running', worker = ${worker}, started_at = now(), attempts = attempts + 1
    from chosen
    where jobs.id = chosen.id and jobs.state = 'waiting'
    returning jobs.id, name, payload, jobs.account_id, jobs.urgency, part_of, attempts,
      losses, last_error
  `);
}

/** A job that this worker holds. */
interface Held {
  id: string;
  worker: string;
  losses: number;
}

/** How much longer a try took than the estimate that was counted for it. */
interface Excess {
  ms: number;
  bulkFactor: number;
}

/** The condition that this worker still holds the job: another may have taken it over meanwhile. */
function heldBy({ id, worker, losses }: Held): RawBuilder<unknown> {
  return sql`id = ${id} and worker = ${worker} and losses = ${losses} and state = 'running'`;
}

function countExcess(excess: Excess): RawBuilder<unknown> {
  return sql`
    update job_turns
    set served = job_turns.served + ${costOf(sql`job_turns.urgency`, excess)}
    from ended
    where job_turns.lane = ended.lane and job_turns.account_id = ended.account_id and job_turns.urgency = ended.urgency
  `;
}

/** Deletes a job that is done or given up. */
export async function deleteJob(on: Sql, held: Held, excess: Excess): Promise<void> {
  await on.run(sql`
    with ended as (delete from jobs where ${heldBy(held)} returning lane, account_id, urgency) ${countExcess(excess)}
  `);
}

/** Puts a job off: it is tried again later, after the account's other jobs. */
export async function retryJob(
  on: Sql,
  held: Held,
  again: Excess & { afterSeconds: number; attempts: number; error: string },
): Promise<void> {
  await on.run(sql`
    with ended as (
      update jobs
      set state = 'waiting', worker = null, started_at = null, place = nextval('job_places'),
        attempts = ${again.attempts}, run_at = now() + ${again.afterSeconds}::float8 * interval '1 second',
        last_error = ${again.error}
      where ${heldBy(held)}
      returning lane, account_id, urgency
    ) ${countExcess(again)}
  `);
}

/** Gives back what this worker holds, as if it had never been taken. */
export async function releaseJobs(on: Sql, worker: string, ids: readonly string[]): Promise<void> {
  await on.run(sql`
    update jobs
    set state = 'waiting', worker = null, started_at = null, attempts = attempts - 1
    where worker = ${worker} and state = 'running' and id = any(${[...ids]}::bigint[])
  `);
}

/** Writes this worker's heartbeat. */
export async function beat(on: Sql, worker: string): Promise<void> {
  await on.run(
    sql`insert into job_workers (id, seen_at) values (${worker}, now()) on conflict (id) do update set seen_at = now()`,
  );
}

export async function deleteWorker(on: Sql, worker: string): Promise<void> {
  await on.run(sql`delete from job_workers where id = ${worker} or seen_at < now() - interval '1 day'`);
}

/**
 * Frees jobs whose process is gone. The first times they may start again at once, then ever later: such a job may be
 * what kills its process.
 */
function lose(condition: RawBuilder<unknown>): RawBuilder<{ name: string; payload: unknown }> {
  return sql`
    update jobs
    set state = 'waiting', worker = null, started_at = null, attempts = attempts - 1, losses = losses + 1,
      run_at = now() + least(10, greatest(0, losses - 2)) * interval '1 second'
    where state = 'running' and ${condition}
    returning name, payload
  `;
}

/** Frees every running job. For the start of an only process: no other can be running them. */
export function loseAll(on: Sql): Promise<{ name: string; payload: unknown }[]> {
  return on.rows(lose(sql`true`));
}

/** Frees the jobs of processes whose heartbeat is older than that. */
export function loseOfTheDead(
  on: Sql,
  { worker, seconds }: { worker: string; seconds: number },
): Promise<{ name: string; payload: unknown }[]> {
  return on.rows(
    lose(sql`
      worker <> ${worker}
        and not exists (
          select 1
          from job_workers
          where job_workers.id = jobs.worker and seen_at > now() - ${seconds}::float8 * interval '1 second'
        )
    `),
  );
}

/** Frees jobs that this worker took without knowing it: the connection broke before the answer came. */
export function loseUnheard(
  on: Sql,
  held: { worker: string; ids: readonly string[]; seconds: number },
): Promise<{ name: string; payload: unknown }[]> {
  return on.rows(
    lose(sql`
      worker = ${held.worker}
        and id <> all(${[...held.ids]}::bigint[])
        and started_at < now() - ${held.seconds}::float8 * interval '1 second'
    `),
  );
}

/** An account that has no work in a lane owes nothing and is owed nothing. */
export async function forgetIdleTurns(on: Sql): Promise<void> {
  const none = (state: string): RawBuilder<unknown> => sql`
    not exists (
      select 1
      from jobs
      where jobs.lane = job_turns.lane
        and jobs.account_id = job_turns.account_id
        and jobs.urgency = job_turns.urgency
        and jobs.state = ${sql.lit(state)}
    )
  `;
  await on.run(sql`delete from job_turns where ${none('waiting')} and ${none('running')}`);
}

/** The lanes that have jobs which may start now. */
export async function listDueLanes(on: Sql, lanes: readonly string[]): Promise<string[]> {
  const rows = await on.rows(sql<{ lane: string }>`
    select lane
    from unnest(${[...lanes]}::text[]) as lane
    where exists (select 1 from jobs where jobs.lane = lane.lane and state = 'waiting' and run_at <= now())
  `);
  return rows.map(({ lane }) => lane);
}

/** Counts waiting and running jobs by their names. */
export function countJobs(on: Sql): Promise<{ name: string; jobs: number }[]> {
  return on.rows(sql<{ name: string; jobs: number }>`select name, count(*)::int as jobs from jobs group by name`);
}

export async function isAnyDue(on: Sql): Promise<boolean> {
  return (await on.first(sql`select 1 from jobs where state = 'running' or run_at <= now() limit 1`)) !== undefined;
}

/** Whether a job that may start now waits in this lane, of anything but that. */
export async function isOtherDue(on: Sql, { lane, than }: { lane: Lane; than: string }): Promise<boolean> {
  const other = sql`
    select 1
    from jobs
    where lane = ${lane} and state = 'waiting' and run_at <= now() and part_of is distinct from ${than}
    limit 1
  `;
  return (await on.first(other)) !== undefined;
}

export interface Part {
  partOf: string;
  name: string;
  payload: unknown;
}

/** Lists waiting and running jobs of these things. */
export function listParts(on: Sql, partOf: readonly string[]): Promise<Part[]> {
  return on.rows(sql<Part>`select part_of, name, payload from jobs where part_of = ${anyOf(partOf)}`);
}
