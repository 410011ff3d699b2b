// Repairs of the message that a test was made on.
import { isLanguage, type FixCounts, type FixedMessage } from '../../../engines/accessibility/index.ts';
import { invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { fixMessage } from './computations.ts';
import { accessibilityTests } from './inspection.ts';

const LINES_MAX = 20;

interface Asked {
  language?: string | undefined;
  subject?: string | undefined;
  looks?: 'keep' | 'adjust' | undefined;
}

/**
 * Repairs the message of a test. Throws `invalid_request` for a language that is none, `conflict` for a message without
 * HTML.
 */
export async function fixTest(
  ctx: Pick<Context, 'db' | 'blobs' | 'compute' | 'principal'>,
  id: string,
  { language, subject, looks = 'keep' }: Asked,
) {
  if (language !== undefined && !isLanguage(language))
    throw invalid('language', 'must be a language tag, such as en or pt-BR.');
  const options = { looks, ...(language !== undefined && { language }), ...(subject !== undefined && { subject }) };
  return fixView(
    await ctx.compute.run(
      fixMessage,
      { source: await accessibilityTests.input(ctx, id), options },
      { urgency: 'answer' },
    ),
  );
}

function countsView({ checks, passes, failures, needsReview, failing, fixable }: FixCounts) {
  return { checks, passes, failures, needs_review: needsReview, failing_places: failing, fixable_places: fixable };
}

function fixView({ html, diff, before, after, changes, remaining, left }: FixedMessage) {
  return {
    html,
    diff,
    before: countsView(before),
    after: countsView(after),
    fixes: changes.map(({ changesLook, ...change }) => ({ ...change, changes_look: changesLook })),
    remaining: remaining.map(({ rule, impact = 'minor', description, instances = [] }) => ({
      rule,
      impact,
      description,
      instance_count: instances.length,
      lines: [...new Set(instances.map(({ lineNumber }) => lineNumber))].slice(0, LINES_MAX),
      what: instances[0]?.correctAny[0] ?? description,
      reasons: [...new Set(left.filter((one) => one.rule === rule).map(({ reason }) => reason))],
    })),
  };
}
