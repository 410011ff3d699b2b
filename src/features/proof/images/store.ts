import { changedRows, type Db, type Row, type Sql } from '../../../platform/db/index.ts';

/** One file that optimizing made. */
export interface OptimizedFile {
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

export interface OptimizationOutcome {
  /** None: the original is as small as it gets. */
  files: OptimizedFile[];
  /** Why nothing, or not everything, was done. */
  problem: string | null;
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'imageOptimizations.outcome': OptimizationOutcome;
  }
}

export type Optimization = Pick<Row<'imageOptimizations'>, 'file' | 'status' | 'outcome' | 'error'>;

/** One version of an image test. */
export interface TestVersion {
  id: string;
  version: number;
}

/** A job that has reported nothing for this long is lost, and may be started again. */
const LOST_SECONDS = 600;

/** Marks files as being worked on; returns those that are neither done nor worked on already. */
export async function beginOptimizations(
  tx: Sql,
  test: TestVersion,
  { files, at }: { files: readonly string[]; at: Date },
): Promise<string[]> {
  const lostBefore = new Date(at.getTime() - LOST_SECONDS * 1000);
  if (files.length === 0) return [];
  const begun = await tx.ofAnyone
    .insertInto('imageOptimizations')
    .values(
      [...new Set(files)].map((file) => ({
        inspectionId: test.id,
        version: test.version,
        file,
        status: 'Processing' as const,
        updatedAt: at,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['inspectionId', 'version', 'file'])
        .doUpdateSet({ status: 'Processing', error: null, updatedAt: at })
        .where((held) =>
          held.or([
            held('imageOptimizations.status', '=', 'Failed'),
            held.and([
              held('imageOptimizations.status', '=', 'Processing'),
              held('imageOptimizations.updatedAt', '<', lostBefore),
            ]),
          ]),
        ),
    )
    .returning('file')
    .execute();
  return begun.map(({ file }) => file);
}

/** False when the test, or its version, is gone. */
export async function endOptimization(
  db: Sql,
  test: TestVersion,
  { file, status, outcome, error, at }: Optimization & { at: Date },
): Promise<boolean> {
  const ended = db.ofAnyone
    .updateTable('imageOptimizations')
    .set({ status, outcome, error, updatedAt: at })
    .where('inspectionId', '=', test.id)
    .where('version', '=', test.version)
    .where('file', '=', file);
  return (await changedRows(ended)) > 0;
}

export async function listOptimizations(db: Db, test: TestVersion, files: readonly string[]): Promise<Optimization[]> {
  if (files.length === 0) return [];
  return db.ofAnyone
    .selectFrom('imageOptimizations')
    .select(['file', 'status', 'outcome', 'error'])
    .where('inspectionId', '=', test.id)
    .where('version', '=', test.version)
    .where('file', 'in', files)
    .execute();
}

/** Forgets what was made of the files of versions before this one. */
export async function deleteOptimizations(db: Sql, test: TestVersion): Promise<void> {
  await db.ofAnyone
    .deleteFrom('imageOptimizations')
    .where('inspectionId', '=', test.id)
    .where('version', '<', test.version)
    .execute();
}
