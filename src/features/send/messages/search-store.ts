// Messages by what is said of them, for lists of their events.
import { anyOf, sql, type RawBuilder, type Sql } from '../../../platform/db/index.ts';

type Text = 'subject' | 'from' | 'to' | 'message-id' | 'tag' | 'recipients' | 'attachment' | 'list';

/** A condition on messages. Texts are compared without regard to case. */
export type MessageTest =
  | { field: Text; is: 'in' | 'contains'; values: readonly string[] }
  | { field: 'size'; is: 'above' | 'below'; value: number };

/** Each text that a message has for a field, as a subquery with the column `text`. */
const TEXTS: Record<Text, RawBuilder<unknown>> = {
  subject: sql`(values (subject)) as one (text)`,
  from: sql`(values (header_from), (sender)) as one (text)`,
  to: sql`(values (header_to)) as one (text)`,
  'message-id': sql`(values (message_id)) as one (text)`,
  tag: sql`unnest(tags) as one (text)`,
  list: sql`(values (options #>> '{mailingList,address}')) as one (text)`,
  recipients: sql`unnest(recipients) as one (text)`,
  attachment: sql`jsonb_to_recordset(attachments) as one (filename text), lateral (values (filename)) as name (text)`,
};

const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

function conditionOf(test: MessageTest): RawBuilder<boolean> {
  if (test.field === 'size')
    return test.is === 'above' ? sql`size_bytes > ${test.value}` : sql`size_bytes < ${test.value}`;
  const values = test.values.map((value) => value.toLowerCase());
  const compared = test.is === 'in' ? sql`= ${anyOf(values)}` : sql`like ${anyOf(values.map(containing))}`;
  return sql`exists (select from ${TEXTS[test.field]} where lower(text) ${compared})`;
}

/** Ids of the messages of these accounts that were accepted before then, at most so many. */
export async function listMessageIds(
  db: Sql,
  test: MessageTest,
  { accountIds, before, limit }: { accountIds: readonly string[]; before: Date; limit: number },
): Promise<string[]> {
  if (accountIds.length === 0) return [];
  const found = await db.ofAnyone
    .selectFrom('sentMessages')
    .select('id')
    .where('accountId', 'in', accountIds)
    .where('createdAt', '<', before)
    .where(conditionOf(test))
    .limit(limit)
    .execute();
  return found.map(({ id }) => id);
}
