import { Type, type Static } from 'typebox';
import { REPORT_FORMATS, type ReportFormat } from '../../../engines/reports/index.ts';
import type { GateRules, WrittenPolicy } from '../../../engines/gate/index.ts';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { countedFields, skipFields } from '../../../platform/paging/index.ts';
import { BODY_BYTES_MAX, Nullable, sourceFields } from '../_message/index.ts';
import { Deleted, FindingView, Started } from '../_inspections/index.ts';

export const PICTURES = ['current', 'baseline', 'difference'] as const;
export type PictureName = (typeof PICTURES)[number];
export const PICTURE_SIZES = ['full', 'thumbnail'] as const;
export type PictureSize = (typeof PICTURE_SIZES)[number];

const PATH = '/v1/inspect/gate';
const common = { tag: 'Gate', errorShape: 'message' } as const;
const Named = Type.Object({ id: Type.String() });
const BaselineName = Type.String({
  pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N} ._-]{0,99}$',
  description: 'Letters, digits, spaces, `.`, `_` and `-`; at most 100.',
});
const VerdictWord = Type.Enum(['pass', 'fail']);
const sized = {
  size: Type.Enum([...PICTURE_SIZES], { default: 'full', description: 'A thumbnail is a JPEG, 320 pixels wide.' }),
};
const Counts = Type.Object(
  {
    errors: Type.Integer(),
    warnings: Type.Integer(),
    infos: Type.Integer(),
    passes: Type.Integer(),
    ignored: Type.Integer(),
    failing: Type.Integer(),
  },
  { title: 'FindingCounts' },
);

const CheckView = Type.Object(
  {
    check: Type.String(),
    title: Type.String(),
    status: Type.Enum(['complete', 'failed']),
    error: Type.Optional(Type.String({ description: 'Why the check could not run.' })),
    counts: Counts,
    findings: Type.Array(
      Type.Object({
        ...FindingView.properties,
        fails: Type.Boolean({ description: 'The finding is one of the reasons why the email fails.' }),
        ignored: Type.Optional(Type.String({ description: 'Why the policy ignores the finding.' })),
      }),
    ),
  },
  { title: 'GateCheck' },
);

/** A policy as it was applied: everything of it is said. */
export function policyView({ policy }: GateRules) {
  const { $schema: _, ...said } = policy.properties;
  return Type.Object(said, {
    title: 'GatePolicy',
    description: 'The policy that was applied, its defaults included; a gate takes it as `policy`.',
  }) as unknown as Type.TUnsafe<WrittenPolicy>;
}

const Screenshot = Type.Object(
  {
    client: Type.String(),
    name: Type.String(),
    outcome: Type.Enum(['unchanged', 'changed', 'no_baseline', 'not_made']),
    difference: Nullable(Type.Number({ description: 'Share of the pixels, 0 to 1.' })),
    bands: Type.Array(Type.Object({ top: Type.Integer(), bottom: Type.Integer() })),
    width: Nullable(Type.Integer({ description: 'Pixels; bands are rows of these.' })),
    engine: Nullable(Type.String()),
    baseline_engine: Nullable(Type.String()),
    is_cut: Type.Boolean({ description: 'The message is longer than the screenshots.' }),
    approved_as: Type.Array(Type.String(), { description: 'The baselines in which this screenshot is approved.' }),
    error: Type.Optional(Type.String()),
    links: Type.Partial(
      Type.Object({
        current: Type.String(),
        baseline: Type.String(),
        difference: Type.String(),
        thumbnail: Type.String({
          description: 'Thumbnail of the difference, or of the screenshot if nothing differs.',
        }),
      }),
    ),
  },
  { title: 'GateScreenshot' },
);

/** What a gate is started with. */
export const gateBody = (rules: GateRules) =>
  Type.Object({
    ...sourceFields,
    subject: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'The name of the email in reports, such as its path in your repository.',
      }),
    ),
    checks: Type.Optional(Nullable(Type.Array(Type.Enum([...rules.checks]), { minItems: 1, maxItems: 20 }))),
    clients: Type.Optional(Nullable(Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 200 }))),
    baseline: Type.Optional(Nullable(BaselineName)),
    policy: Type.Optional(Nullable(readByItself(rules.policy))),
  });

export type GateBody = Static<ReturnType<typeof gateBody>>;

export const createGate = (rules: GateRules) =>
  contract({
    ...common,
    method: 'POST',
    operationId: 'createGate',
    path: PATH,
    summary: 'Run all checks on an email and judge it by a policy',
    description:
      'Without `checks` all checks run; screenshots need `clients` or `baseline`. A check that cannot run is an ' +
      'error of that check. The policy is described in docs/guides/gate.md.',
    body: gateBody(rules),
    bodyBytesMax: BODY_BYTES_MAX,
    reply: Started,
    status: 201,
    errors: ['invalid_request', 'invalid_client', 'source_unreachable', 'too_large'],
  });

export const listGates = contract({
  ...common,
  isMetric: true,
  method: 'GET',
  operationId: 'listGates',
  path: PATH,
  summary: 'List gates, newest first',
  description: 'Pages by `limit` and `skip`; `paging` holds the addresses of the next and previous pages.',
  query: Type.Object(skipFields()),
  reply: Type.Object({
    ...countedFields,
    items: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String({ description: 'Never empty.' }),
        status: Type.String(),
        email: Nullable(Type.String()),
        verdict: Nullable(VerdictWord),
        reasons: Type.Array(Type.String()),
        counts: Nullable(Counts),
        created_at: Type.String(),
        updated_at: Type.String(),
      }),
    ),
  }),
  errors: ['invalid_request'],
});

export const getGate = (rules: GateRules) =>
  contract({
    ...common,
    method: 'GET',
    operationId: 'getGate',
    isPolled: true,
    path: `${PATH}/{id}`,
    summary: 'Get the verdict of a gate with its findings and screenshots',
    description: 'While it runs, the answer carries `Retry-After`: ask again after that many seconds.',
    params: Named,
    reply: Type.Object({
      meta: Type.Object({
        status: Type.String(),
        created_at: Type.String(),
        updated_at: Type.String(),
        error: Type.Optional(Type.String()),
      }),
      items: Type.Object({
        id: Type.String(),
        name: Type.String({ description: 'The name that lists show; never empty.' }),
        email: Nullable(Type.String()),
        verdict: Nullable(VerdictWord),
        reasons: Type.Array(Type.String()),
        counts: Nullable(Counts),
        policy: Nullable(policyView(rules)),
        limits: Type.Array(
          Type.Object({
            limit: Type.String(),
            allowed: Type.Number(),
            value: Nullable(Type.Number()),
            passed: Type.Boolean(),
          }),
        ),
        checks: Type.Array(CheckView),
        baseline: Nullable(Type.String()),
        screenshots: Type.Array(Screenshot),
      }),
    }),
    errors: ['not_found'],
  });

export const getMessage = contract({
  ...common,
  method: 'GET',
  operationId: 'getGateMessage',
  path: `${PATH}/{id}/message`,
  summary: 'Get the HTML of the email that a gate checked',
  description:
    'The source as it was given, or the HTML part of a whole message. Lines, columns and offsets of findings ' +
    'refer to it.',
  params: Named,
  reply: Type.Object({
    content: Type.String(),
    images: Type.Array(
      Type.Object({
        url: Type.String({ description: 'As written.' }),
        stored_url: Type.String({ description: 'The image as the gate saw it.' }),
      }),
      { description: 'The images that the image check loaded.' },
    ),
  }),
  errors: ['not_found'],
});

export const runAgain = contract({
  ...common,
  method: 'POST',
  operationId: 'runGateAgain',
  path: `${PATH}/{id}/again`,
  summary: 'Run a gate again: the same email, checks, policy, baseline and clients, as a new gate',
  description: 'The earlier gate does not change.',
  params: Named,
  reply: Started,
  status: 201,
  errors: ['not_found'],
});

export const getReport = contract({
  ...common,
  method: 'GET',
  operationId: 'getGateReport',
  path: `${PATH}/{id}/report`,
  summary: 'Get a gate as a report',
  description: 'Answers 425 with Retry-After while the gate runs.',
  params: Named,
  query: Type.Object({ format: Type.Enum(Object.keys(REPORT_FORMATS) as ReportFormat[], { default: 'json' }) }),
  reply: Type.Unknown(),
  errors: ['not_found', 'invalid_request', 'too_early', 'conflict'],
  isFile: true,
});

export const getPicture = contract({
  ...common,
  method: 'GET',
  operationId: 'getGatePicture',
  path: `${PATH}/{id}/pictures/{client}/{which}`,
  summary: 'Get the screenshot of a client, its baseline, or their difference',
  description: '`difference` marks where the screenshot and its baseline differ. 425 until the screenshot is ready.',
  params: Type.Object({ id: Type.String(), client: Type.String(), which: Type.Enum([...PICTURES]) }),
  query: Type.Object(sized),
  reply: Type.Unknown(),
  errors: ['not_found', 'invalid_request', 'too_early', 'conflict'],
  isFile: true,
});

export const approveGate = contract({
  ...common,
  method: 'POST',
  operationId: 'approveGate',
  path: `${PATH}/{id}/approve`,
  summary: 'Approve the screenshots of a gate as a baseline for later gates',
  description: 'Approves the screenshots of the named `clients`, or of all. 425 while the gate runs.',
  params: Named,
  body: Type.Object({
    baseline: BaselineName,
    clients: Type.Optional(Nullable(Type.Array(Type.String(), { minItems: 1, maxItems: 200 }))),
  }),
  reply: Type.Object({ baseline: Type.String(), clients: Type.Array(Type.String()) }),
  errors: ['not_found', 'invalid_request', 'invalid_client', 'too_early', 'conflict'],
});

export const deleteGate = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteGate',
  path: `${PATH}/{id}`,
  summary: 'Delete a gate; baselines are kept',
  description: 'The verdict, findings and screenshots are deleted. This cannot be undone.',
  params: Named,
  reply: Deleted,
  errors: ['not_found'],
});

const Approved = Type.Object({
  client: Type.String(),
  engine: Type.String(),
  gate_id: Nullable(Type.String({ description: 'The gate in which it was approved, while that gate exists.' })),
  approved_at: Type.String(),
  links: Type.Object({ picture: Type.String(), thumbnail: Type.String() }),
});

export const listBaselines = contract({
  ...common,
  method: 'GET',
  operationId: 'listBaselines',
  path: '/v1/inspect/baselines',
  summary: 'List baselines by name',
  description: 'Pages by `limit` and `skip`; `paging` holds the addresses of the next and previous pages.',
  query: Type.Object(skipFields()),
  reply: Type.Object({
    ...countedFields,
    items: Type.Array(
      Type.Object({
        name: Type.String(),
        clients: Type.Array(Type.String()),
        pictures: Type.Array(Approved),
        approved_at: Type.String(),
      }),
    ),
  }),
  errors: ['invalid_request'],
});

export const getBaselinePicture = contract({
  ...common,
  method: 'GET',
  operationId: 'getBaselinePicture',
  path: '/v1/inspect/baselines/{name}/pictures/{client}',
  summary: 'Get the approved screenshot of a client',
  description: 'In full size or as a thumbnail.',
  params: Type.Object({ name: Type.String(), client: Type.String() }),
  query: Type.Object(sized),
  reply: Type.Unknown(),
  errors: ['not_found', 'invalid_request'],
  isFile: true,
});

export const deleteBaseline = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteBaseline',
  path: '/v1/inspect/baselines/{name}',
  summary: 'Delete a baseline',
  description: 'Deletes all its screenshots. Gates that were compared with it are kept.',
  params: Type.Object({ name: Type.String() }),
  reply: Deleted,
  errors: ['not_found'],
});
