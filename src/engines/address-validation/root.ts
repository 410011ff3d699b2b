// The mailbox behind an address, where the provider says how its addresses are read.
interface Habit {
  /** What follows this sign is a tag. */
  tag?: string;
  /** Dots mean nothing. */
  isWithoutDots?: boolean;
  /** Names of the same mailbox. */
  domain?: string;
}

const PLUS: Habit = { tag: '+' };
const GMAIL: Habit = { ...PLUS, isWithoutDots: true, domain: 'gmail.com' };

/** As the providers' own help pages say, 2026-11-23. */
const HABITS: Readonly<Record<string, Habit>> = {
  'gmail.com': GMAIL,
  'googlemail.com': GMAIL,
  'outlook.com': PLUS,
  'hotmail.com': PLUS,
  'live.com': PLUS,
  'icloud.com': PLUS,
  'me.com': PLUS,
  'fastmail.com': PLUS,
  'proton.me': PLUS,
  'protonmail.com': PLUS,
};

/** The address without what its provider ignores; undefined where that is nothing, or not known. */
export function rootOf(local: string, domain: string): string | undefined {
  const habit = Object.hasOwn(HABITS, domain) ? HABITS[domain] : undefined;
  if (!habit || local.startsWith('"')) return undefined;
  const name = local.toLowerCase();
  const tagAt = habit.tag === undefined ? -1 : name.indexOf(habit.tag);
  const kept = tagAt > 0 ? name.slice(0, tagAt) : name;
  const root = `${habit.isWithoutDots ? kept.replaceAll('.', '') : kept}@${habit.domain ?? domain}`;
  return root === `${name}@${domain}` ? undefined : root;
}
