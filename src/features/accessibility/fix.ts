// Repairs of the message that a test was made on.
import { fixAccessibilityInSteps, isLanguage, type FixCounts, type FixedMessage, type FixOptions } from '../../engines/accessibility/index.ts';
import { AppError, invalid } from '../../platform/errors/index.ts';
import type { Context } from '../../platform/feature/index.ts';
import { readMessage } from '../email-sources/index.ts';
import { accessibilityTests } from './inspection.ts';

const LINES_MAX = 20;

interface Asked {
  language?: string | undefined;
  subject?: string | undefined;
  looks?: 'keep' | 'adjust' | undefined;
}

/** Repairs the message of a test. Throws `invalid_request` for a language that is none, `conflict` for a message without HTML. */
export async function fixTest(ctx: Context, id: string, { language, subject, looks = 'keep' }: Asked) {
  if (language !== undefined && !isLanguage(language)) throw invalid('language', 'must be a language tag, such as en or pt-BR.');
  const message = await readMessage(await accessibilityTests.input(ctx, id));
  if (message.html.trim() === '') throw new AppError('conflict', 'The message of this accessibility test has no HTML part; there is nothing to repair.');
  const known = subject?.trim() || message.subject;
  return fixView(await fixed(message.html, { looks, ...(language !== undefined && { language }), ...(known !== undefined && { subject: known }) }));
}

async function fixed(html: string, options: FixOptions): Promise<FixedMessage> {
  const steps = fixAccessibilityInSteps(html, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    // Others have their turn between.
    await new Promise((resolve) => void setImmediate(resolve));
  }
}

function countsView({ checks, passes, failures, needsReview, failing, fixable }: FixCounts) {
  return { checks, passes, failures, needs_review: needsReview, failing_places: failing, fixable_places: fixable };
}

function fixView({ html, diff, before, after, changes, remaining, left }: FixedMessage) {
  return {
    html, diff, before: countsView(before), after: countsView(after),
    fixes: changes.map(({ changesLook, ...change }) => ({ ...change, changes_look: changesLook })),
    remaining: remaining.map(({ rule, impact = 'minor', description, instances = [] }) => ({
      rule, impact, description, instance_count: instances.length,
      lines: [...new Set(instances.map(({ lineNumber }) => lineNumber))].slice(0, LINES_MAX),
      what: instances[0]?.correctAny[0] ?? description,
      reasons: [...new Set(left.filter((one) => one.rule === rule).map(({ reason }) => reason))],
    })),
  };
}
