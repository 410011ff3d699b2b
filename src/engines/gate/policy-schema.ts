// The policy as its author writes it: one schema. Validation, defaults, the API's document, the schema that editors
// read and the guide's table follow from it.
import { Type, type Static, type TSchema } from 'typebox';
import type { GateLimit } from './rules.ts';

const FAIL_ON = ['error', 'warning', 'info', 'never'] as const;
const ENTRIES_MAX = 500;
const TEXT_MAX = 500;

const Text = (description: string) => Type.String({ minLength: 1, maxLength: TEXT_MAX, pattern: '\\S', description });

/** A name with a group, or a pattern that ends in `*`. Its description ends the sentence of what is valid. */
export const RulePattern = Type.String({
  minLength: 1,
  maxLength: TEXT_MAX,
  pattern: String.raw`^([A-Za-z*][\w*.-]*/[\w*.-]+|([A-Za-z*][\w*.-]*)?\*)$`,
  description: 'A rule such as links/reachable, or several such as links/*.',
});

const CheckPolicy = Type.Object(
  {
    fail_on: Type.Optional(Type.Enum([...FAIL_ON], { description: 'The same as `fail_on`, for these rules alone.' })),
    on_error: Type.Optional(
      Type.Enum(['fail', 'warn'], {
        description: 'What a check that could not run means; `fail` where nothing is said.',
      }),
    ),
  },
  { additionalProperties: false },
);

const Ignored = Type.Object(
  {
    rule: RulePattern,
    contains: Type.Optional(Text('Only findings that have this in their message, snippet, selector or address.')),
    reason: Text('Why; reports show it.'),
    until: Type.Optional(Type.String({ format: 'date', description: 'The last day that it holds: 2026-12-31.' })),
  },
  { additionalProperties: false },
);

const Share = (description: string, standard: number) =>
  Type.Number({ minimum: 0, maximum: 1, default: standard, description });

/** What every policy holds, whatever checks there are; what it does not say is as the defaults say. */
const fixed = {
  fail_on: Type.Enum([...FAIL_ON], { default: 'error', description: 'The least severity that fails.' }),
  rules: Type.Record(RulePattern, Type.Enum(['off', 'info', 'warning', 'error']), {
    maxProperties: ENTRIES_MAX,
    default: {},
    description:
      'The severity of a rule, or of several by `*`; the last that fits counts. Without one it is as it was found.',
  }),
  ignore: Type.Array(Ignored, {
    maxItems: ENTRIES_MAX,
    default: [],
    description: 'Findings that are set aside; reports show them as ignored.',
  }),
  screenshots: Type.Object(
    {
      difference_max: Share('The share of the pixels that may differ.', 0.001),
      threshold: Share('How far two colors may be apart and still be equal.', 0.1),
      missing_baseline: Type.Enum(['fail', 'warn', 'ignore'], {
        default: 'warn',
        description: 'What a client without an approved picture means.',
      }),
    },
    {
      additionalProperties: false,
      default: { difference_max: 0.001, threshold: 0.1, missing_baseline: 'warn' },
      description: 'How pictures are held against those approved.',
    },
  ),
};

const Checks = Type.Record(Type.String(), CheckPolicy);
const Limits = Type.Record(Type.String(), Type.Union([Type.Number(), Type.Record(Type.String(), Type.Number())]));

/** A policy with every default said. */
export type WrittenPolicy = Static<Type.TObject<typeof fixed>> & {
  checks: Static<typeof Checks>;
  limits: Static<typeof Limits>;
};

function limitSchema({ about: description, of }: GateLimit): TSchema {
  if (!('names' in of)) return Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
  const score = Type.Number({ minimum: 0, maximum: 100 });
  const named = Object.fromEntries(of.names.map((name) => [name, Type.Optional(score)]));
  return Type.Union([score, Type.Object(named, { additionalProperties: false })], { description });
}

/** The schema of policies for these groups of rules and these limits. */
export function policySchema(of: { groups: readonly string[]; limits: readonly GateLimit[] }): Type.TObject {
  const { fail_on: failOn, rules, ignore, screenshots } = fixed;
  const optional = (schemas: (readonly [string, TSchema])[]) =>
    Object.fromEntries(schemas.map(([name, schema]) => [name, Type.Optional(schema)]));
  const part = (properties: Record<string, TSchema>, description: string) =>
    Type.Object(properties, { additionalProperties: false, default: {}, description });
  return Type.Object(
    {
      $schema: Type.Optional(Type.Unknown({ description: 'Where your editor finds this schema; it is not read.' })),
      fail_on: failOn,
      checks: part(optional(of.groups.map((group) => [group, CheckPolicy])), 'What holds for the rules of one group.'),
      rules,
      ignore,
      limits: part(
        optional(of.limits.map((limit) => [limit.name, limitSchema(limit)])),
        'What the message may come to; without a limit it is not looked at.',
      ),
      screenshots,
    },
    { additionalProperties: false },
  );
}
