import { Type, type Static } from 'typebox';
import type { GateRules } from '../../../engines/gate/index.ts';
import { contract } from '../../../platform/http/index.ts';
import { WEEKDAYS } from '../../../platform/times/index.ts';
import { Paging, skipFields } from '../../../platform/paging/index.ts';
import { PlacementBody } from '../../placement/inbox-placement/index.ts';
import { Nullable } from '../../proof/_message/index.ts';
import { gateBody } from '../../proof/gate/index.ts';

export const TASKS = ['gate', 'placement', 'page'] as const;
export type Task = (typeof TASKS)[number];

export const RUN_STATES = [
  'running',
  'passed',
  'failed',
  'first',
  'unchanged',
  'changed',
  'complete',
  'error',
] as const;
export type RunState = (typeof RUN_STATES)[number];

export interface PageChange {
  /** Lines that only the newer text has, and lines that only the older one had: the first ones, cut. */
  added: string[];
  removed: string[];
  /** How many there are in all. */
  added_count: number;
  removed_count: number;
}

/** The body of a task stays with the schedule. */
const BODY_BYTES_MAX = 1024 * 1024;
const PATH = '/v1/schedules';
const common = { tag: 'Schedules', errorShape: 'message' } as const;
const params = Type.Object({ schedule_id: Type.String() });

const PageBody = Type.Object(
  { url: Type.String({ minLength: 1, maxLength: 4000, description: 'An absolute http or https URL.' }) },
  { title: 'WatchedPage' },
);
export type PageBody = Static<typeof PageBody>;

const when = {
  at: Type.String({
    pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
    description: '`09:00`, by the clocks of the time zone. A time that clocks skip comes when they are set forward.',
  }),
  time_zone: Type.String({ maxLength: 100, description: 'Such as `Europe/Berlin`.' }),
  weekdays: Type.Array(Type.Enum([...WEEKDAYS]), { minItems: 1, maxItems: 7 }),
  on: Type.Boolean({ description: 'False: it waits until it is switched on again.' }),
};
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });

/** Exactly one of them. */
const tasksOf = (rules: GateRules) => ({
  gate: Type.Optional(
    Nullable(Type.Object(gateBody(rules).properties, { description: 'The body of `POST /v1/inspect/gate`.' })),
  ),
  placement: Type.Optional(
    Nullable(Type.Object(PlacementBody.properties, { description: 'The body of `POST /v4/inbox/tests`.' })),
  ),
  page: Type.Optional(
    Nullable(
      Type.Object(PageBody.properties, { description: 'A page whose visible text is compared with the time before.' }),
    ),
  ),
});

const PageChangeView = Type.Object(
  {
    added: Type.Array(Type.String(), { description: 'Lines that are new: at most 20, cut to 300 characters.' }),
    removed: Type.Array(Type.String()),
    added_count: Type.Integer(),
    removed_count: Type.Integer(),
  },
  { title: 'PageChange' },
);

const Run = Type.Object(
  {
    id: Type.String(),
    state: Type.Enum([...RUN_STATES], {
      description:
        'Of a gate: `passed` or `failed`; of a placement test: `complete`; of a page: `first`, `unchanged` or ' +
        '`changed`; `error`: it could not run.',
    }),
    message: Type.String({ description: 'What came of it, in sentences; empty while it runs.' }),
    resource_id: Nullable(Type.String({ description: 'Id of the gate or of the placement result.' })),
    change: Nullable(PageChangeView),
    started_at: Type.String({ description: 'RFC 3339, UTC.' }),
    ended_at: Nullable(Type.String()),
  },
  { title: 'ScheduleRun' },
);
export type RunView = Static<typeof Run>;

const shown = {
  id: Type.String(),
  name: Type.String(),
  task: Type.Enum([...TASKS]),
  ...when,
  next_at: Nullable(Type.String({ description: 'RFC 3339, UTC; null while it is off.' })),
  last_run: Nullable(Run),
  created_at: Type.String(),
  updated_at: Type.String(),
};
const Listed = Type.Object(shown, { title: 'ListedSchedule' });
export type ListedView = Static<typeof Listed>;
const request = Type.Record(Type.String(), Type.Unknown(), { description: 'The body of its task.' });
const Schedule = Type.Object({ ...shown, request }, { title: 'Schedule' });

export const listSchedules = contract({
  ...common,
  method: 'GET',
  operationId: 'listSchedules',
  path: PATH,
  summary: 'List schedules',
  description:
    'Newest first, without the bodies of their tasks. Pages by `limit` and `skip`; `paging` holds the addresses of ' +
    'the next and previous pages.',
  query: Type.Object(skipFields()),
  reply: Type.Object({ items: Type.Array(Listed), paging: Paging, total: Type.Integer() }),
  errors: ['invalid_request'],
});

export const createSchedule = (rules: GateRules) =>
  contract({
    ...common,
    method: 'POST',
    operationId: 'createSchedule',
    path: PATH,
    summary: 'Create a schedule',
    description:
      'Does one of `gate`, `placement` and `page` at a time of the day, on these weekdays. A time that passed while ' +
      'the service was stopped is made up for once. A run that could not be made raises the alert `schedule_failed`, ' +
      'which ends with the next one that could; a page that changed raises `page_changed`; a gate that failed ' +
      '`gate_failed`, and a placement that fell `placement_fell`, as others do. What a run starts counts as what you ' +
      'start yourself. Default: every day, UTC, on.',
    sample: {
      name: 'Placement every Monday',
      at: '09:00',
      time_zone: 'Europe/Berlin',
      weekdays: ['monday'],
      placement: { from: 'news@example.com', subject: 'Garden notes', html: '<p>The roses are in flower.</p>' },
    },
    body: Type.Object({
      name: Name,
      at: when.at,
      time_zone: Type.Optional(when.time_zone),
      weekdays: Type.Optional(when.weekdays),
      on: Type.Optional(when.on),
      ...tasksOf(rules),
    }),
    bodyBytesMax: BODY_BYTES_MAX,
    reply: Schedule,
    status: 201,
    errors: ['invalid_request', 'invalid_client', 'too_large'],
  });

export const getSchedule = contract({
  ...common,
  method: 'GET',
  operationId: 'getSchedule',
  path: `${PATH}/{schedule_id}`,
  summary: 'Get a schedule',
  description: 'With the body of its task, and its newest run.',
  params,
  reply: Schedule,
  errors: ['not_found'],
});

export const updateSchedule = (rules: GateRules) =>
  contract({
    ...common,
    method: 'PATCH',
    operationId: 'updateSchedule',
    path: `${PATH}/{schedule_id}`,
    summary: 'Change a schedule',
    description: 'What is left out stays. Another task, or another body of it, takes the place of the former one.',
    params,
    body: Type.Partial(Type.Object({ name: Name, ...when, ...tasksOf(rules) })),
    bodyBytesMax: BODY_BYTES_MAX,
    sample: { on: false },
    reply: Schedule,
    errors: ['invalid_request', 'invalid_client', 'not_found', 'too_large'],
  });

export const deleteSchedule = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteSchedule',
  path: `${PATH}/{schedule_id}`,
  summary: 'Delete a schedule',
  description: 'With its runs. The gates and placement results that they started stay.',
  params,
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found'],
});

export const runSchedule = contract({
  ...common,
  method: 'POST',
  operationId: 'runSchedule',
  path: `${PATH}/{schedule_id}/run`,
  summary: 'Run a schedule now',
  description: 'Its times stay as they are. While a run is under way, another one is refused.',
  params,
  isBodyOptional: true,
  body: Type.Object({}),
  reply: Run,
  status: 201,
  errors: ['not_found', 'conflict'],
});

export const listRuns = contract({
  ...common,
  method: 'GET',
  operationId: 'listScheduleRuns',
  path: `${PATH}/{schedule_id}/runs`,
  summary: 'List the runs of a schedule',
  description: 'Newest first; kept for 90 days.',
  params,
  query: Type.Object(skipFields()),
  reply: Type.Object({ items: Type.Array(Run), paging: Paging, total: Type.Integer() }),
  errors: ['invalid_request', 'not_found'],
});
