import { Type, type Static } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { Paging, skipFields } from '../../../platform/paging/index.ts';
import { Nullable } from '../../proof/_message/index.ts';
import { ITEMS } from './checklist.ts';
import { common, Ignore, ofVersion, PATH } from './contract.ts';

/** Of one email. */
export const IGNORES_MAX = 500;
/** Repairs that the overview names. */
export const REPAIRS_MAX = 5;
export const CHANGES_MAX = 200;

const OF_VERSION = `${PATH}/{email_id}/versions/{number}`;
const OF_EMAIL = Type.Object({ email_id: Type.String() });
const Verdict = Type.Enum(['ready', 'not_ready', 'unknown']);
const Measured = Type.Object({ kind: Type.String(), id: Type.String() }, { title: 'MeasuredOn' });

const Place = Type.Object(
  {
    line: Type.Optional(Type.Integer()),
    column: Type.Optional(Type.Integer()),
    offset: Type.Optional(Type.Integer()),
    selector: Type.Optional(Type.String()),
    snippet: Type.Optional(Type.String()),
  },
  { title: 'CausePlace' },
);

const Action = Type.Object({ method: Type.String(), address: Type.String() }, { title: 'EmailAction' });

const Cause = Type.Object(
  {
    id: Type.String({ description: 'Of the rule and what it is about; the same in every version.' }),
    kind: Type.String({ description: 'The kind of the test that found it.' }),
    rule: Type.String(),
    severity: Type.Enum(['error', 'warning']),
    message: Type.String(),
    further: Type.Array(Type.String(), { description: 'What else the same rule says; at most ten sentences.' }),
    fix: Nullable(Type.String()),
    source: Nullable(Type.String()),
    clients: Type.Array(Type.String()),
    places: Type.Array(Place, { description: 'At most 50.' }),
    count: Type.Integer({ description: 'In how many places, or pictures, it was found.' }),
    share: Type.Number({
      description: 'Of the readers of the default audience who meet it, 0 to 1; 1 where no test says who does.',
    }),
    gravity: Type.Number({ description: 'How much such a reader loses, 0 to 1: our own judgment, by kind.' }),
    gain: Type.Number({ description: 'share × gravity × 100: readers of 100 who gain a whole email.' }),
    is_new: Nullable(
      Type.Boolean({
        description: 'The version before does not have it; null: that one had no such test, or there is none.',
      }),
    ),
    actions: Type.Object({
      show: Type.String({ description: 'The page of the dashboard that shows it.' }),
      repair: Nullable(Action),
      ignore: Action,
    }),
  },
  { title: 'EmailCause' },
);
export type CauseView = Static<typeof Cause>;

export const getOverview = contract({
  ...common,
  method: 'GET',
  operationId: 'getEmailOverview',
  isPolled: true,
  path: `${OF_VERSION}/overview`,
  summary: 'Say whether a version of an email is ready, and what to repair first',
  description:
    'One verdict for each item of the checklist, with its reason and the tests that it was measured on. What no test ' +
    'looked at is `unknown`, and that is not ready. `repairs` are the causes whose repair gains the most readers: the ' +
    'share of readers who meet them times how much these lose. While a test runs, the answer carries `Retry-After`.',
  params: ofVersion,
  reply: Type.Object({
    verdict: Verdict,
    summary: Type.String(),
    audience: Type.Object({ id: Type.String(), name: Type.String() }),
    checklist: Type.Array(
      Type.Object(
        {
          item: Type.Enum([...ITEMS]),
          title: Type.String(),
          verdict: Verdict,
          reason: Type.String(),
          measured_on: Type.Array(Measured),
        },
        { title: 'ChecklistItem' },
      ),
    ),
    repairs: Type.Array(Cause, { description: `At most ${REPAIRS_MAX}.` }),
    counts: Type.Object({
      errors: Type.Integer(),
      warnings: Type.Integer(),
      new: Nullable(Type.Integer()),
      ignored: Type.Integer(),
    }),
  }),
  errors: ['not_found'],
});

export const listCauses = contract({
  ...common,
  method: 'GET',
  operationId: 'listEmailFindings',
  path: `${OF_VERSION}/findings`,
  summary: 'List what tests of a version of an email found, by cause',
  description:
    'Errors and warnings of the newest test of each kind; one cause is one finding, with its places. Those whose ' +
    'repair gains the most readers come first. What is ignored is left out, unless `ignored` is true.',
  params: ofVersion,
  query: Type.Object({
    ...skipFields(),
    kind: Type.Optional(Type.String({ maxLength: 50 })),
    severity: Type.Optional(Type.Enum(['error', 'warning'])),
    new: Type.Optional(Type.Boolean({ description: 'Only what the version before does not have.' })),
    ignored: Type.Boolean({ default: false, description: 'Only what is ignored.' }),
  }),
  reply: Type.Object({ items: Type.Array(Cause), paging: Paging, total: Type.Integer() }),
  errors: ['invalid_request', 'not_found'],
});

const Change = Type.Object(
  { id: Type.String(), kind: Type.String(), rule: Type.String(), severity: Type.String(), message: Type.String() },
  { title: 'EmailChange' },
);

export const compareVersions = contract({
  ...common,
  method: 'GET',
  operationId: 'compareEmailVersions',
  path: `${PATH}/{email_id}/comparison`,
  summary: 'Compare two versions of an email',
  description:
    'By what tests of the same kind found in both: what is fixed, what is new, how much stayed; and the clients whose ' +
    'pictures are other ones, byte by byte. Kinds that only one of them was tested by stand in `not_compared`. ' +
    `At most ${CHANGES_MAX} of each are listed.`,
  params: OF_EMAIL,
  query: Type.Object({
    from: Type.String({ maxLength: 10, description: 'The number of the older version.' }),
    to: Type.String({ maxLength: 10, default: 'latest', description: 'A number, or `latest`.' }),
  }),
  reply: Type.Object({
    from: Type.Integer(),
    to: Type.Integer(),
    summary: Type.String({ description: 'Such as “3 fixed, 1 new, 4 pictures changed”.' }),
    is_same_content: Type.Boolean(),
    fixed_count: Type.Integer(),
    new_count: Type.Integer(),
    same_count: Type.Integer(),
    fixed: Type.Array(Change),
    new: Type.Array(Change),
    pictures: Nullable(
      Type.Object({
        compared: Type.Integer({ description: 'Clients with pictures in both versions.' }),
        changed: Type.Array(Type.Object({ client: Type.String(), name: Type.String() })),
        before: Type.String({ description: 'Id of the preview test.' }),
        after: Type.String(),
      }),
    ),
    not_compared: Type.Array(Type.Object({ kind: Type.String(), reason: Type.String() })),
  }),
  errors: ['invalid_request', 'not_found'],
});

export const listIgnores = contract({
  ...common,
  method: 'GET',
  operationId: 'listEmailIgnores',
  path: `${PATH}/{email_id}/ignores`,
  summary: 'List what is ignored of an email',
  description: 'Oldest first.',
  params: OF_EMAIL,
  reply: Type.Object({ items: Type.Array(Ignore) }),
  errors: ['not_found'],
});

export const ignoreCause = contract({
  ...common,
  method: 'PUT',
  operationId: 'ignoreEmailCause',
  path: `${PATH}/{email_id}/ignores/{cause}`,
  summary: 'Ignore a finding of an email',
  description:
    'In all its versions, until a day or until it is taken back. `cause` is the id of a finding of any version. ' +
    `An email has at most ${IGNORES_MAX} of them. Policies of gates stay as they are.`,
  params: Type.Object({ email_id: Type.String(), cause: Type.String() }),
  body: Type.Object({
    rule: Type.String({ minLength: 1, maxLength: 200, description: 'The rule of the finding.' }),
    reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
    until: Type.Optional(
      Nullable(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'The last day, in UTC.' })),
    ),
  }),
  sample: { rule: 'links/broken', reason: 'The page opens on Monday.', until: '2026-12-31' },
  reply: Ignore,
  errors: ['invalid_request', 'not_found', 'conflict'],
});

export const stopIgnoring = contract({
  ...common,
  method: 'DELETE',
  operationId: 'stopIgnoringEmailCause',
  path: `${PATH}/{email_id}/ignores/{cause}`,
  summary: 'Count a finding of an email again',
  description: 'It is ignored no longer.',
  params: Type.Object({ email_id: Type.String(), cause: Type.String() }),
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found'],
});
