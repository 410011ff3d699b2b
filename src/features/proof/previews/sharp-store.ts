import { sql, type Row, type Sql } from '../../../platform/db/index.ts';

/** Which part of which picture: equal pictures are one, a screen's pixel ratio tells its parts from those of others. */
export type SharpPlace = Pick<Row<'previewSharpParts'>, 'testId' | 'key' | 'pixelRatio' | 'part'>;

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'previewSharpParts.status': 'pending' | 'done' | 'failed';
  }
}

const isOf = ({ testId, key, pixelRatio, part }: SharpPlace) => ({ testId, key, pixelRatio, part });

/** For whoever holds an address of the test; undefined while nobody has asked for the part. */
export function findSharp(db: Sql, place: SharpPlace) {
  return db.ofAnyone
    .selectFrom('previewSharpParts')
    .select(['status', 'reason', 'contentHeight'])
    .where((eb) => eb.and(isOf(place)))
    .executeTakeFirst();
}

/** True where it is now to be drawn, and was not before; one that is gone or damaged is drawn `again`. */
export async function beginSharp(tx: Sql, place: SharpPlace, { again }: { again: boolean }): Promise<boolean> {
  const begun = await tx.ofAnyone
    .insertInto('previewSharpParts')
    .columns(['testId', 'key', 'pixelRatio', 'part', 'status'])
    .expression(
      // Nothing is begun of a test that was deleted meanwhile.
      tx.ofAnyone
        .selectFrom('previewRenders')
        .select(({ val, cast }) => [
          'testId',
          'key',
          cast<number>(val(place.pixelRatio), 'double precision').as('pixelRatio'),
          cast<number>(val(place.part), 'integer').as('part'),
          sql.lit('pending' as const).as('status'),
        ])
        .where('testId', '=', place.testId)
        .where('key', '=', place.key),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['testId', 'key', 'pixelRatio', 'part'])
        .doUpdateSet({ status: 'pending' })
        .where(({ eb, lit }) => (again ? eb('previewSharpParts.status', '=', 'done') : lit(false))),
    )
    .returning('part')
    .executeTakeFirst();
  return begun !== undefined;
}

/** False when the test or the picture is gone. */
export async function endSharp(
  db: Sql,
  place: SharpPlace,
  outcome: { status: 'done'; contentHeight: number } | { status: 'failed'; reason: string },
): Promise<boolean> {
  const ended = await db.ofAnyone
    .updateTable('previewSharpParts')
    .set(outcome)
    .where((eb) => eb.and(isOf(place)))
    .returning('part')
    .executeTakeFirst();
  return ended !== undefined;
}

/** Whoever asks next has it drawn. */
export async function forgetSharp(db: Sql, place: SharpPlace): Promise<void> {
  await db.ofAnyone
    .deleteFrom('previewSharpParts')
    .where((eb) => eb.and(isOf(place)))
    .execute();
}
