import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import { CloseIcon, PlusIcon } from '../../../ground/brand/icons.tsx';
import type { Inbox } from './sandbox-api.ts';
import classes from './sandbox.module.css';

const RULES_MAX = 50;

type Rule = Inbox['tag_rules'][number];
/** A rule as it is written: its tags with commas between them. */
interface WrittenRule {
  match: string;
  tags: string;
}

export const writtenRules = (rules: readonly Rule[]): WrittenRule[] =>
  rules.map(({ match, tags }) => ({ match, tags: tags.join(', ') }));

/** Rows in which nothing is written are no rules. */
export function rulesOf(written: readonly WrittenRule[]): Rule[] {
  const rules = written.map(({ match, tags }) => ({
    match: match.trim(),
    tags: tags
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  }));
  return rules.filter(({ match, tags }) => match !== '' || tags.length > 0);
}

/** What the service says of a rule, in the words of the rows. */
const inWordsOfRows = (sentence: string): string =>
  sentence.replaceAll(
    /tag_rules\[(\d+)\]\.(match|tags)/g,
    (_, place: string, part: string) =>
      `In rule ${Number(place) + 1}, the ${part === 'match' ? 'search' : 'list of tags'}`,
  );

interface TagRulesFieldProps {
  rules: readonly WrittenRule[];
  error: string | undefined;
  onChange: (rules: WrittenRule[]) => void;
}

/** Searches, and the tags of what they find. */
export function TagRulesField({ rules, error, onChange }: TagRulesFieldProps) {
  const change = (place: number, part: Partial<WrittenRule>): void =>
    onChange(rules.map((rule, at) => (at === place ? { ...rule, ...part } : rule)));
  return (
    <fieldset className={classes.rules}>
      <legend>Tags</legend>
      <p className={classes.about}>
        A message gets the tags of each search that finds it, beside those that it brings. Searches are those of the
        list: <code>subject:invoice</code>, <code>has:attachment</code>, <code>-from:shop</code>.
      </p>
      {rules.map(({ match, tags }, place) => (
        <div key={place} className={classes.rule}>
          <TextInput
            aria-label={`Search of rule ${place + 1}`}
            placeholder="subject:invoice"
            value={match}
            onChange={(event) => change(place, { match: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`Tags of rule ${place + 1}`}
            placeholder="bills, to check"
            value={tags}
            onChange={(event) => change(place, { tags: event.currentTarget.value })}
          />
          <Tooltip label="Remove">
            <ActionIcon
              size={36}
              aria-label={`Remove rule ${place + 1}`}
              onClick={() => onChange(rules.filter((_, at) => at !== place))}
            >
              <CloseIcon />
            </ActionIcon>
          </Tooltip>
        </div>
      ))}
      {error && (
        <p className={classes.error} role="alert">
          {inWordsOfRows(error)}
        </p>
      )}
      {rules.length < RULES_MAX && (
        <Button
          size="xs"
          variant="default"
          leftSection={<PlusIcon width={12} height={12} />}
          onClick={() => onChange([...rules, { match: '', tags: '' }])}
        >
          Add a rule
        </Button>
      )}
    </fieldset>
  );
}
