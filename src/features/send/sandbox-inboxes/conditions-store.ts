// Which messages of an inbox are asked for, in SQL.
import { sql, type RawBuilder, type Row } from '../../../platform/db/index.ts';

type Message = Row<'sandboxMessages'>;

/** Which messages are asked for; each of them holds. Texts are in lower case. */
export interface Conditions {
  /** An address, whole: one that the message went to, or that its To or Cc names. */
  to?: string | undefined;
  from?: string | undefined;
  subject?: string | undefined;
  text?: string | undefined;
  header?: string | undefined;
  /** What a search asks for, as JSON; a message has all of it. */
  terms?: string | undefined;
  since?: Date | undefined;
  /** Of the message after which they came. */
  after?: number | undefined;
}

const column = (name: Extract<keyof Message, string>) => sql.ref(`sandboxMessages.${name}`);
const holds = (name: Extract<keyof Message, string>, text: RawBuilder<unknown>) =>
  sql<boolean>`position(${text} in ${column(name)}) > 0`;
const holdsInLower = (name: Extract<keyof Message, string>, text: RawBuilder<unknown>) =>
  sql<boolean>`position(${text} in lower(${column(name)})) > 0`;

/** Whether a line of the header, with the name of its field, holds a text. */
const holdsInField = (name: string) =>
  sql`exists (select from unnest(string_to_array(${column('header')}, E'\\n')) as line
    where starts_with(line, ${name}) and position(term.value in line) > 0)`;

/** Whether a message has everything that a search asks for, which is a list of terms as JSON. */
function holdsTerms(terms: RawBuilder<unknown>): RawBuilder<boolean> {
  const value = sql`term.value`;
  const isTo = sql`(${holds('addresses', value)} or ${holdsInLower('headerTo', value)})`;
  const isFrom = sql`(${holdsInLower('headerFrom', value)} or ${holdsInLower('mailFrom', value)})`;
  return sql`not exists (
    select from jsonb_to_recordset((${terms})::jsonb) as term (field text, value text, wanted boolean)
    where term.wanted <> case term.field
      when 'from' then ${isFrom}
      when 'to' then ${isTo}
      when 'cc' then ${holdsInField('cc:')}
      when 'bcc' then position(${value} in lower(${column('recipients')}::text)) > 0
        and not ${holdsInField('to:')} and not ${holdsInField('cc:')}
      when 'reply-to' then ${holdsInField('reply-to:')}
      when 'addressed' then ${isFrom} or ${isTo} or ${holdsInField('reply-to:')}
      when 'subject' then ${holdsInLower('subject', value)}
      when 'message-id' then ${holdsInField('message-id:')}
      when 'tag' then exists (
        select from jsonb_array_elements_text(${column('tags')}) as tag where lower(tag) = ${value})
      when 'after' then ${column('receivedAt')} >= ${value}::timestamptz
      when 'before' then ${column('receivedAt')} < ${value}::timestamptz
      when 'larger' then ${column('sizeBytes')} > ${value}::bigint
      when 'smaller' then ${column('sizeBytes')} < ${value}::bigint
      when 'unread' then not ${column('isRead')}
      when 'tagged' then jsonb_array_length(${column('tags')}) > 0
      when 'attachment' then ${column('attachmentCount')} > ${column('inlineCount')}
      when 'inline' then ${column('inlineCount')} > 0
      else ${holds('header', value)} or ${holds('words', value)} or ${holds('addresses', value)}
        or ${holdsInLower('mailFrom', value)}
    end)`;
}

type Asked = Exclude<keyof Conditions, 'after'>;

/** What each condition asks of a message; what is given stands in the query, or in a row beside the message. */
export const ASKED: Record<
  Asked,
  { type: 'text' | 'timestamptz'; holds: (given: RawBuilder<unknown>) => RawBuilder<boolean> }
> = {
  to: { type: 'text', holds: (to) => holds('addresses', sql`(E'\\n' || ${to} || E'\\n')`) },
  from: {
    type: 'text',
    holds: (from) => sql`(${holdsInLower('headerFrom', from)} or ${holdsInLower('mailFrom', from)})`,
  },
  subject: { type: 'text', holds: (subject) => holdsInLower('subject', subject) },
  text: { type: 'text', holds: (text) => holds('words', text) },
  header: { type: 'text', holds: (header) => holds('header', header) },
  terms: { type: 'text', holds: holdsTerms },
  since: { type: 'timestamptz', holds: (since) => sql`${column('receivedAt')} >= ${since}` },
};
export const ASKED_NAMES = Object.keys(ASKED) as Asked[];
