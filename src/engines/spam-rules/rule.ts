import type { MailReading } from './reading.ts';
import type { RuleGroup, RulePlace, SpamRuleInfo } from './types.ts';

export interface RuleMatch {
  /** One sentence with the words and numbers of this message. */
  message: string;
  places: RulePlace[];
  /** Default: the number of places. */
  count?: number;
}

export interface SpamRule extends SpamRuleInfo {
  check(mail: MailReading): RuleMatch | undefined;
}

type Given = Omit<SpamRule, 'group' | 'rule'>;

/** Rules of one group by name. */
export function rules(group: RuleGroup, table: Readonly<Record<string, Given>>): SpamRule[] {
  return Object.entries(table).map(([rule, given]) => ({ rule, group, ...given }));
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** `“a”, “b” and 3 more`. */
export function listed(texts: readonly string[], shown = 3): string {
  const distinct = [...new Set(texts.map((text) => text.replace(/\s+/g, ' ').trim()))];
  const rest = distinct.length - shown;
  const head = distinct.slice(0, shown).map((text) => `“${text.length > 60 ? `${text.slice(0, 59)}…` : text}”`);
  return rest > 0 ? `${head.join(', ')} and ${rest} more` : head.join(head.length === 2 ? ' and ' : ', ');
}
