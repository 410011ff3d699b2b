import { Type, type Static } from 'typebox';
import type { GateRules } from '../../../engines/gate/index.ts';
import { contract } from '../../../platform/http/index.ts';
import { gateBody } from '../../proof/gate/index.ts';
import { Nullable } from '../../proof/_message/index.ts';
import { At, common, ofVersion, PATH } from './contract.ts';

/** Of one version. */
export const TESTS_MAX = 200;
const OF_VERSION = `${PATH}/{email_id}/versions/{number}/tests`;

const Test = Type.Object(
  {
    kind: Type.String({ description: '`previews`, `gate`, `spam`, `placement`, or the kind of a check.' }),
    id: Type.String(),
    state: Type.Enum(['processing', 'complete', 'failed']),
    errors: Nullable(Type.Integer({ description: 'Findings of this severity; null where a test has none of them.' })),
    warnings: Nullable(Type.Integer()),
    created_at: At,
    links: Type.Object({
      self: Type.String({ description: 'The address in the API.' }),
      page: Nullable(Type.String({ description: 'The page in the dashboard, where the test has one of its own.' })),
    }),
  },
  { title: 'EmailTest' },
);
export type TestView = Static<typeof Test>;

const testsBody = (kinds: readonly string[], rules: GateRules) => {
  const { clients, baseline, policy } = gateBody(rules).properties;
  return Type.Object({
    tests: Type.Array(Type.Enum([...kinds]), {
      minItems: 1,
      maxItems: 20,
      description: 'Checks that are asked for with `previews` become checks of that preview test.',
    }),
    clients,
    image_blocking: Type.Optional(Nullable(Type.Boolean({ description: 'Of previews.' }))),
    baseline,
    policy,
    from: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 1000,
          description:
            'Who sends HTML: an address at a verified sending domain. A placement test needs one, here, in the ' +
            'version or in the message; a spam test is sent by a test sender without it.',
        }),
      ),
    ),
  });
};
export type TestsBody = Static<ReturnType<typeof testsBody>>;

export const startTests = (kinds: readonly string[], rules: GateRules) =>
  contract({
    ...common,
    method: 'POST',
    operationId: 'startEmailTests',
    path: OF_VERSION,
    summary: 'Start tests of a version of an email',
    description:
      'Each is a test as its own endpoint makes it, with its own limits, and is listed there too. What could not be ' +
      'started stands in `refused` with the reason; when nothing could, the answer is that error. A version has at ' +
      `most ${TESTS_MAX} tests.`,
    sample: { tests: ['links', 'accessibility'] },
    params: ofVersion,
    body: testsBody(kinds, rules),
    reply: Type.Object({
      items: Type.Array(Test),
      refused: Type.Array(Type.Object({ kind: Type.String(), message: Type.String() })),
    }),
    status: 201,
    errors: ['invalid_request', 'invalid_client', 'not_found', 'conflict', 'damaged'],
  });

export const listTests = contract({
  ...common,
  method: 'GET',
  operationId: 'listEmailTests',
  isPolled: true,
  path: OF_VERSION,
  summary: 'List the tests of a version of an email',
  description:
    `Newest first, at most ${TESTS_MAX}. Tests that were deleted, or whose time is over, are left out. While one runs, ` +
    'the answer carries `Retry-After`.',
  params: ofVersion,
  reply: Type.Object({ items: Type.Array(Test) }),
  errors: ['invalid_request', 'not_found'],
});
