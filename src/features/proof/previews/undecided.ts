// What a picture leaves open: features that the message uses, and that nobody tried in the client.
import type { Static } from 'typebox';
import { usedFeatures, type UsedFeature } from '../../../engines/code-analysis/index.ts';
import { sql, type Sql } from '../../../platform/db/index.ts';
import { ComputeError, defineComputation } from '../../../platform/compute/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { readHtml } from '../_message/index.ts';
import type { Undecided } from './contract.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'previewFeatures.features': UsedFeature[];
  }
}

export const readFeatures = defineComputation(import.meta.url, 'readFeatures', (html: string) =>
  usedFeatures(readHtml(html)),
);

/** The features that a message uses; undefined where looking for them takes too much. */
export async function featuresOf(
  { compute }: Pick<Outside, 'compute'>,
  html: string,
  signal?: AbortSignal,
): Promise<UsedFeature[] | undefined> {
  try {
    return await compute.run(readFeatures, html, { signal });
  } catch (error) {
    if (error instanceof ComputeError && error.isOverrun) return undefined;
    throw error;
  }
}

/** Keeps them; what is kept already stays. Nothing is kept of a test that was deleted. */
export async function saveFeatures(db: Sql, testId: string, features: UsedFeature[]): Promise<void> {
  await db.ofAnyone
    .insertInto('previewFeatures')
    .columns(['testId', 'features'])
    .expression(
      db.ofAnyone
        .selectFrom('previewTests')
        .select(['id', sql<UsedFeature[]>`${JSON.stringify(features)}::jsonb`.as('features')])
        .where('id', '=', testId),
    )
    .onConflict((conflict) => conflict.column('testId').doNothing())
    .execute();
}

/** Of a test of this account; undefined where they are not known. */
export async function findFeatures(db: Sql, accountId: string, testId: string): Promise<UsedFeature[] | undefined> {
  const found = await db
    .of(accountId)
    .selectFrom('previewFeatures')
    .select('features')
    .where('testId', '=', testId)
    .executeTakeFirst();
  return found?.features;
}

/** `CSS gap (line 3)`: for one line of text. */
export function undecidedName({ title, places: [first], place_count: count }: Static<typeof Undecided>): string {
  if (!first) return title;
  return `${title} (line ${first.line}${count > 1 ? ` and ${count - 1} more` : ''})`;
}
