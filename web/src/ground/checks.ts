// The checks of a test: which were asked for, and how far they are.
import type { Reply } from '@galley/sdk';
import { CHECKS } from './lists.generated.ts';

/** A preview test, as far as its checks go. */
type Checked = Pick<Reply<'GET /v2/preview/tests/{test_id}'>, 'content_checking'>;

export { CHECKS };

export type CheckName = keyof typeof CHECKS;
export const CHECK_NAMES = Object.keys(CHECKS) as CheckName[];

type CheckState = { state: 'off' } | { state: 'running' | 'done'; id: string } | { state: 'failed'; error: string };

interface Reference {
  meta?: { status?: string };
  items?: { id: string };
  errors?: { detail?: string }[];
}

/** How far a check of a test is. */
export function checkOf(test: Checked, name: CheckName): CheckState {
  const reference = (test.content_checking as Partial<Record<string, Reference | null>>)[name];
  if (!reference) return { state: 'off' };
  if (reference.errors) return { state: 'failed', error: reference.errors[0]?.detail ?? 'The check could not run.' };
  if (!reference.items) return { state: 'off' };
  return { state: reference.meta?.status === 'Processing' ? 'running' : 'done', id: reference.items.id };
}

export function isChecking(test: Checked): boolean {
  return CHECK_NAMES.some((name) => checkOf(test, name).state === 'running');
}

const BY_GROUP = new Map<string, CheckName>(
  CHECK_NAMES.flatMap((name) => CHECKS[name].groups.map((group) => [group, name] as const)),
);

/** The check that a rule such as `links/broken` belongs to. */
export function checkOfRule(rule: string): CheckName {
  return BY_GROUP.get(rule.slice(0, rule.indexOf('/'))) ?? 'code_analysis';
}
