import { anyOf, sql, type Db, type Sql } from '../../../platform/db/index.ts';

/** One file that optimising made. */
export interface OptimisedFile {
  /**
   * `same_format` may take the place of the original. `resized` too: it has as many pixels as dense screens show.
   * `alternative`: another format.
   */
  kind: 'same_format' | 'resized' | 'alternative';
  file: string;
  format: string;
  mediaType: string;
  bytes: number;
  savedPercent: number;
  width: number;
  height: number;
  encoder: string;
  difference: { ssim: number; deltaE: number };
}

export interface OptimisationOutcome {
  /** None: the original is as small as it gets. */
  files: OptimisedFile[];
  /** Why nothing, or not everything, was done. */
  problem: string | null;
}

export interface Optimisation {
  file: string;
  status: 'Processing' | 'Complete' | 'Failed';
  outcome: OptimisationOutcome | null;
  error: string | null;
}

/** One version of an image test. */
export interface TestVersion {
  id: string;
  version: number;
}

/** A job that says nothing for so long is lost, and may be started again. */
const LOST_SECONDS = 600;

/** Marks files as being worked on; returns those that were not already, and are not done. */
export async function beginOptimisations(
  tx: Sql,
  test: TestVersion,
  { files, at }: { files: readonly string[]; at: Date },
): Promise<string[]> {
  const lostBefore = new Date(at.getTime() - LOST_SECONDS * 1000);
  const begun = await tx.rows(sql<{ file: string }>`
    insert into image_optimizations (inspection_id, version, file, status, updated_at)
    select ${test.id}, ${test.version}, file, 'Processing', ${at}
    from unnest(${[...files]}::text[]) as wanted (file)
    on conflict (inspection_id, version, file)
    do update set status = 'Processing', error = null, updated_at = excluded.updated_at
    where image_optimizations.status = 'Failed'
      or (image_optimizations.status = 'Processing' and image_optimizations.updated_at < ${lostBefore})
    returning file
  `);
  return begun.map(({ file }) => file);
}

/** False when the test, or its version, is gone. */
export async function endOptimisation(
  db: Sql,
  test: TestVersion,
  { file, status, outcome, error, at }: Optimisation & { at: Date },
): Promise<boolean> {
  return (
    (await db.run(sql`
      update image_optimizations
      set status = ${status}, outcome = ${outcome && JSON.stringify(outcome)}::jsonb, error = ${error},
        updated_at = ${at}
      where inspection_id = ${test.id} and version = ${test.version} and file = ${file}
    `)) > 0
  );
}

export function listOptimisations(db: Db, test: TestVersion, files: readonly string[]): Promise<Optimisation[]> {
  return db.rows(sql<Optimisation>`
    select file, status, outcome, error
    from image_optimizations
    where inspection_id = ${test.id} and version = ${test.version} and ${sql.ref('file')} = ${anyOf(files)}
  `);
}

/** Forgets what was made of the files of versions before this one. */
export async function deleteOptimisations(db: Sql, test: TestVersion): Promise<void> {
  await db.run(sql`delete from image_optimizations where inspection_id = ${test.id} and version < ${test.version}`);
}
