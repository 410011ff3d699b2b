// Rules by which an inbox tags what comes: a search, and the tags of what it finds.
import type { Sql } from '../../../platform/db/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import { findRuleTags, saveTags, type SandboxMessage } from './messages-store.ts';
import { readTerms } from './search-terms.ts';
import type { SandboxInbox, TagRule } from './store.ts';
import { keptTags, readTags } from './tags.ts';

/** Throws `invalid_request`. */
function readRule({ match, tags }: TagRule, place: string): TagRule {
  if (readTerms(match, `${place}.match`).length === 0)
    throw invalid(`${place}.match`, 'must ask for something, such as subject:invoice.');
  return { match: match.trim(), tags: readTags(tags, `${place}.tags`) };
}

/** As they are kept. Throws `invalid_request`, which names every rule that is wrong. */
export function readTagRules(given: readonly TagRule[]): TagRule[] {
  const wrong: AppError[] = [];
  const rules = given.flatMap((rule, place) => {
    try {
      return readRule(rule, `tag_rules[${place}]`);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      wrong.push(error);
      return [];
    }
  });
  if (wrong.length === 1) throw wrong[0]!;
  if (wrong.length > 1)
    throw new AppError('invalid_request', wrong.map(({ message }) => message).join(' '), {
      details: { field: 'tag_rules' },
    });
  return rules;
}

/** In the transaction that keeps the message, when it is there. Answers the tags that it has then. */
export async function applyTagRules(
  tx: Sql,
  { id, accountId, tagRules }: Pick<SandboxInbox, 'id' | 'accountId' | 'tagRules'>,
  message: Pick<SandboxMessage, 'id' | 'tags'>,
): Promise<string[]> {
  if (tagRules.length === 0) return message.tags;
  const rules = tagRules.map(({ match, tags }) => ({ terms: JSON.stringify(readTerms(match)), tags }));
  const given = await findRuleTags(tx, { id: message.id, accountId }, rules);
  if (given.length === 0) return message.tags;
  const tags = keptTags([...message.tags, ...given]);
  await saveTags(tx, { id, accountId }, { id: message.id, tags });
  return tags;
}
