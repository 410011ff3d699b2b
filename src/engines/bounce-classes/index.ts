// What a reply of a mail server means: its class, the rule that said so, and whose reply it is, as data/bounce-classes has
// them. Pure.
import classes from '../../../data/bounce-classes/classes.json' with { type: 'json' };
import entities from '../../../data/bounce-classes/entities.json' with { type: 'json' };
import rules from '../../../data/bounce-classes/rules.json' with { type: 'json' };

export interface BounceClass {
  id: string;
  name: string;
  /** It asks for the sender's attention: the reputation suffers while it lasts. */
  isCritical: boolean;
  explanation: string;
  /** What to do. */
  advice: string;
}

interface BounceEntity {
  id: string;
  name: string;
  kind: string;
  /** Names of data/mailbox-providers. */
  providers?: string[];
  pattern?: string;
}

interface BounceRule {
  id: string;
  class: string;
  entity?: string;
  reason?: string;
  codes?: string[];
  replies?: number[];
  pattern?: string;
  sample: string;
}

export const BOUNCE_CLASSES: readonly BounceClass[] = classes;
export const BOUNCE_ENTITIES: readonly BounceEntity[] = entities;
export const BOUNCE_RULES: readonly BounceRule[] = rules;

interface Failure {
  /** Of the event: `old` where it was given up. */
  reason: string | null;
  code: number | null;
  /** `5.1.1` (RFC 3463). */
  enhanced: string | null;
  text: string;
  /** Who runs the recipient's servers, by its name in data/mailbox-providers; empty: not known. */
  provider: string;
}

/** More of a reply says nothing new. */
const TEXT_LENGTH_MAX = 600;
const OTHER = 'other';
const LAST = 'unclassified';

const compiled = <Item extends { pattern?: string }>(item: Item) => ({
  ...item,
  regex: item.pattern === undefined ? undefined : new RegExp(item.pattern, 'i'),
});
const ENTITIES = BOUNCE_ENTITIES.map(compiled);
const RULES = BOUNCE_RULES.map(compiled);
const OF_PROVIDER = new Map(BOUNCE_ENTITIES.flatMap(({ id, providers = [] }) => providers.map((name) => [name, id])));
const FILTERS = new Set(BOUNCE_ENTITIES.filter(({ kind }) => kind === 'filter').map(({ id }) => id));

/** The provider's, or whose words it has. */
const entityOf = (provider: string, text: string): string =>
  OF_PROVIDER.get(provider) ??
  ENTITIES.find(({ kind, regex }) => kind === 'provider' && regex?.test(text))?.id ??
  OTHER;

function isMet(
  { reason, codes, replies, regex, id }: (typeof RULES)[number],
  { code, enhanced, ...failure }: Failure & { text: string },
): boolean {
  if (id === LAST) return true;
  if (reason !== undefined) return failure.reason === reason;
  if (codes) return enhanced !== null && codes.includes(enhanced.slice(2));
  if (replies) return enhanced === null && code !== null && replies.includes(code);
  return regex?.test(failure.text) ?? false;
}

/** The rule that says what a failure means, and whose reply it is: a filter or blocklist where the reply names one. */
export function classifyBounce(failure: Failure): { rule: string; entity: string } {
  const text = failure.text.slice(0, TEXT_LENGTH_MAX);
  const own = entityOf(failure.provider, text);
  const short = { ...failure, text };
  const found = RULES.find(
    (rule) => (rule.entity === undefined || rule.entity === own || FILTERS.has(rule.entity)) && isMet(rule, short),
  );
  return { rule: found?.id ?? LAST, entity: found?.entity ?? own };
}

const ADDRESS = /[^\s<>()"',;:@]{1,64}@[^\s<>()"',;:@]{1,253}/g;
const SAMPLE_LENGTH_MAX = 300;

/** A reply as it may be shown: without addresses of recipients. */
export const sampleOf = (text: string): string => text.replaceAll(ADDRESS, '<address>').slice(0, SAMPLE_LENGTH_MAX);
