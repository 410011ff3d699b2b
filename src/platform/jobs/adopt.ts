// The queue was pg-boss once: what waits there is taken over at the first start with this one.
import { sql, type Db } from '../db/index.ts';
import type { Job } from './declare.ts';

interface OldJob {
  name: string;
  data: unknown;
  delay: number;
}

const LOCK = 8_400_002;

/**
 * Moves the jobs of the old queue, those of each kind under `account`, and deletes its tables. Nothing to do when there
 * are none.
 */
export async function adoptOldQueue(
  db: Db,
  { jobs, account }: { jobs: readonly Pick<Job<never>, 'name' | 'lane' | 'urgency'>[]; account: string },
): Promise<number> {
  return db.tx(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${LOCK})`);
    const found = await tx.first(sql<{ isThere: boolean }>`select to_regclass('pgboss.job') is not null as is_there`);
    if (!found?.isThere) return 0;
    const old = await tx.rows(sql<OldJob>`
      select name, data, greatest(0, extract(epoch from start_after - now()))::float8 as delay
      from pgboss.job
      where state in ('created', 'retry', 'active')
      order by created_on
    `);
    for (const { name, data, delay } of old) {
      const job = jobs.find((one) => one.name === name);
      if (job)
        await tx.run(sql`
          insert into jobs (name, lane, payload, account_id, urgency, run_at)
          values (
            ${name}, ${job.lane}, ${JSON.stringify(data)}::jsonb, ${account}, ${job.urgency ?? 'interactive'},
            now() + ${delay}::float8 * interval '1 second'
          )
        `);
    }
    await tx.run(sql`drop schema pgboss cascade`);
    return old.length;
  });
}
