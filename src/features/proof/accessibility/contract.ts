import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { BODY_BYTES_MAX, sourceFields } from '../_message/index.ts';
import { Started } from '../_inspections/index.ts';

const Instance = Type.Object(
  {
    correctAny: Type.Array(Type.String(), { description: 'Correct one of these.' }),
    correctAll: Type.Array(Type.String(), { description: 'Correct all of these.' }),
    snippet: Type.String(),
    target: Type.Array(Type.String()),
    lineNumber: Type.Integer(),
    columnNumber: Type.Optional(Type.Integer()),
    absoluteIndex: Type.Integer(),
  },
  { title: 'AccessibilityInstance' },
);

const Rule = Type.Object(
  {
    rule: Type.String(),
    impact: Type.Optional(Type.Enum(['minor', 'moderate', 'serious', 'critical'])),
    description: Type.String(),
    standards: Type.Array(Type.String()),
    pour: Type.Array(Type.String()),
    compliance: Type.Array(Type.String(), {
      description: 'WCAG 2.2 success criteria, such as `1.1.1 Non-text Content`.',
    }),
    instances: Type.Optional(Type.Array(Instance)),
  },
  { title: 'AccessibilityRule' },
);

export const TAG = 'Accessibility';
export const ERROR_SHAPE = 'errors';
const common = { tag: TAG, errorShape: ERROR_SHAPE } as const;
export const PATH = '/v1/inspect/accessibility';
const Named = Type.Object({ id: Type.String() });

export const createTest = contract({
  ...common,
  method: 'POST',
  operationId: 'createAccessibilityTest',
  path: PATH,
  summary: 'Check the accessibility of an email',
  description:
    'From HTML, as existing clients send it, or from a page or a whole message: give exactly one of ' +
    '`html`, `url` and `mime`.',
  body: Type.Object({
    ...sourceFields,
    encoded: Type.Boolean({ default: false, description: 'The HTML is in base64.' }),
  }),
  bodyBytesMax: BODY_BYTES_MAX,
  reply: Started,
  status: 201,
  errors: ['invalid_request', 'source_unreachable', 'too_large'],
});

/** What a run ends with. */
export const Report = Type.Object({
  checks: Type.Integer(),
  passes: Type.Array(Rule),
  failures: Type.Array(Rule),
  needs_review: Type.Array(Rule),
  measured_by: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'Rule engine and browser; null for a message beyond their limits, judged by its source alone.',
    }),
  ),
  dark_modes: Type.Optional(Type.Integer({ description: 'Kinds of dark mode in which contrast was checked.' })),
});

const Counts = Type.Object(
  {
    checks: Type.Integer(),
    passes: Type.Integer(),
    failures: Type.Integer(),
    needs_review: Type.Integer(),
    failing_places: Type.Integer(),
    fixable_places: Type.Integer({
      description: 'Number of failing places that these `looks` can repair automatically.',
    }),
  },
  {
    title: 'AccessibilityCounts',
    description: 'Counts only rules that check the source, not rules that need a browser.',
  },
);

export const fixTest = contract({
  ...common,
  method: 'POST',
  operationId: 'fixAccessibilityTest',
  unaudited: 'it answers with a repaired copy, and changes nothing.',
  path: `${PATH}/{id}/fix`,
  summary: 'Repair the email of an accessibility test',
  description:
    'Edits the source in place, without changing how it looks unless `looks` is `adjust`. A guess is marked ' +
    '`check`, a visible change ' +
    '`changes_look`.',
  params: Named,
  body: Type.Object({
    language: Type.Optional(
      Type.String({
        maxLength: 35,
        description: 'Language of the message, such as `en`; by default guessed from its text.',
      }),
    ),
    subject: Type.Optional(Type.String({ maxLength: 2000, description: 'Used as the title if the source has none.' })),
    looks: Type.Optional(
      Type.Enum(['keep', 'adjust'], {
        default: 'keep',
        description:
          '`adjust` also repairs what cannot be repaired without changing the looks, each by the smallest change: ' +
          'contrast (the nearest color that no dark mode makes worse), text size, line height, justified text, ' +
          'capitals by style, links that only color sets apart.',
      }),
    ),
  }),
  isBodyOptional: true,
  reply: Type.Object({
    html: Type.String(),
    diff: Type.String({ description: 'Unified, as `patch` reads it; empty when nothing changes.' }),
    before: Counts,
    after: Counts,
    fixes: Type.Array(
      Type.Object({
        rule: Type.String(),
        line: Type.Integer(),
        before: Type.String(),
        after: Type.String(),
        note: Type.String(),
        check: Type.Boolean({ description: 'The change is a guess that a person should check.' }),
        changes_look: Type.Boolean({ description: 'The change is visible, if only slightly.' }),
      }),
    ),
    remaining: Type.Array(
      Type.Object({
        rule: Type.String(),
        impact: Type.String(),
        description: Type.String(),
        instance_count: Type.Integer(),
        lines: Type.Array(Type.Integer()),
        what: Type.String({ description: 'The first place and how to fix it.' }),
        reasons: Type.Array(Type.String({ description: 'Why it was not repaired here.' })),
      }),
      { description: 'What the rules still find, for people to decide.' },
    ),
  }),
  errors: ['invalid_request', 'not_found', 'conflict'],
});
