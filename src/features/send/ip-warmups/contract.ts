import { Type } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { countedFields, pivotField, pivotFields, skipFields } from '../../../platform/paging/index.ts';

const common = { tag: 'IP warmup', errorShape: 'message', rights: 'ips' } as const;
const Named = Type.Object({ addr: Type.String({ maxLength: 64, description: 'An IP address of the account.' }) });
const Moment = (description: string) => Type.String({ format: 'date-time', description });
const Success = Type.Object({ message: Type.String() });
const sentWithin = Type.String({ description: 'How much of the volume of the stage has left, such as `25%`.' });
const throttle = Type.Integer({ description: 'Messages that may leave in this hour; the same as `hourly_limit`.' });

const both = {
  stage_number: Type.Integer({ description: 'The stage that runs, from 1.' }),
  stage_start_volume: Type.Integer({ description: 'Messages that left in earlier stages.' }),
  stage_start_time: Moment('When the stage began.'),
  stage_volume_limit: Type.Integer({ description: 'Messages that may leave in the stage.' }),
};

const Item = Type.Object(
  { ip: Type.String(), sent_within_stage: sentWithin, throttle, ...both },
  { title: 'IpWarmup' },
);

const Details = Type.Object(
  {
    ip: Type.String(),
    sent_within_stage: sentWithin,
    throttle,
    start_volume: Type.Integer({ description: 'The same as `stage_start_volume`.' }),
    stage: Type.Integer({ description: 'The same as `stage_number`.' }),
    stage_limit: Type.Integer({ description: 'The same as `stage_volume_limit`.' }),
    hourly_limit: Type.Integer({
      description:
        'What is left of the stage, spread over the hours that are left of it: a sixth of the stage at most. It leaves ' +
        'spread over the hour, a minute’s worth at once at most.',
    }),
    stage_started_at: Moment('The same as `stage_start_time`.'),
    hour_started_at: Moment('When the hour of the limit began.'),
    plan_started_at: Moment('When the warm-up began.'),
    plan_last_updated_at: Moment('When a stage ended last, or the plan was changed.'),
    total_stages: Type.Integer(),
    stage_history: Type.Array(
      Type.Object({
        first_updated_at: Moment('When the stage began.'),
        completed_at: Moment('When it ended.'),
        limit: Type.Integer({ description: 'Messages that might leave in it.' }),
      }),
      { description: 'The latest 100 stages that ended, oldest first. A stage that was repeated is there again.' },
    ),
    ...both,
  },
  { title: 'IpWarmupDetails' },
);

const target = {
  minimum: 1,
  maximum: 50_000_000,
  description: 'Messages a day that the address is to send when it is warm. 53,328 unless it or `stages` is given.',
};

const stages = readByItself(
  Type.Array(Type.Integer({ minimum: 1, maximum: 50_000_000 }), {
    minItems: 1,
    maxItems: 60,
    description:
      'The volume of each stage, in order: whole numbers that do not fall. In a form: joined by commas, or the field ' +
      'repeated.',
  }),
);

export const listIpWarmups = contract({
  ...common,
  method: 'GET',
  operationId: 'listIpWarmups',
  path: '/v3/ip_warmups',
  summary: 'List addresses that are warming up',
  description: 'By address. Those whose last stage is through are not listed any more.',
  query: Type.Object({ ...pivotFields({ limit: 10 }), address: pivotField }),
  reply: Type.Object({
    items: Type.Array(Item),
    paging: Type.Object({ first: Type.String(), next: Type.String() }),
  }),
  errors: ['invalid_request'],
});

export const getIpWarmup = contract({
  ...common,
  method: 'GET',
  operationId: 'getIpWarmup',
  path: '/v3/ip_warmups/{addr}',
  summary: 'Get the warm-up of an address',
  description:
    'Its plan, the stage that it is in, and the stages that ended. An address that does not warm up is not found.',
  params: Named,
  reply: Type.Object({ details: Details }),
  errors: ['not_found'],
});

export const startIpWarmup = contract({
  ...common,
  method: 'POST',
  operationId: 'startIpWarmup',
  path: '/v3/ip_warmups/{addr}',
  summary: 'Start the warm-up of an address',
  description:
    'Stages of 24 hours, with a published schedule of volumes up to the target unless `stages` says otherwise. From ' +
    'now on no more leaves from the address than its stage lets through; what is over leaves from warm addresses of ' +
    'the same pool, or waits. What follows from each stage depends on what receivers did.',
  params: Named,
  body: Type.Object({ target_volume: Type.Optional(Type.Integer(target)), stages: Type.Optional(stages) }),
  isBodyOptional: true,
  reply: Success,
  errors: ['invalid_request', 'not_found', 'conflict'],
});

export const stopIpWarmup = contract({
  ...common,
  method: 'DELETE',
  operationId: 'stopIpWarmup',
  path: '/v3/ip_warmups/{addr}',
  summary: 'Stop the warm-up of an address',
  description: 'Nothing holds back what leaves from the address from now on. Its stages and decisions are deleted.',
  params: Named,
  reply: Success,
  errors: ['not_found'],
});

const Signal = Type.Object(
  {
    name: Type.Enum(['bounces', 'complaints', 'reputation'], {
      description: '`reputation`: deferrals and refusals whose words are about the reputation of the address.',
    }),
    count: Type.Integer(),
    of: Type.Integer(),
    share: Type.Union([Type.Number(), Type.Null()], { description: 'From 0 to 1. Null: nothing was counted.' }),
    low: Type.Union([Type.Number(), Type.Null()], { description: 'Where the share lies at 95 percent, from here…' }),
    high: Type.Union([Type.Number(), Type.Null()], { description: '…to here.' }),
    hold: Type.Number({ description: 'A share above it repeats the stage.' }),
    back: Type.Number({ description: 'A share that is surely above it steps back.' }),
    finding: Type.Enum(['below', 'too few to tell', 'above', 'surely far above']),
  },
  { title: 'IpWarmupSignal' },
);

const Decision = Type.Object(
  {
    stage: Type.Integer(),
    volume: Type.Integer(),
    started_at: Moment('When the stage began.'),
    ended_at: Moment('When it ended.'),
    sent: Type.Integer(),
    verdict: Type.Enum(['advance', 'hold', 'step back']),
    next_stage: Type.Integer(),
    why: Type.String({ description: 'In words, with the numbers.' }),
    is_bound: Type.Boolean({ description: 'More happened than could be counted: shares are of what was.' }),
    signals: Type.Array(Signal),
  },
  { title: 'IpWarmupDecision' },
);

const Plan = Type.Object(
  {
    ip: Type.String(),
    state: Type.Enum(['warming', 'warm']),
    warm_at: Type.Union([Type.String(), Type.Null()], { description: 'When the last stage was through.' }),
    started_at: Moment('When the warm-up began.'),
    stage: Type.Integer(),
    stages: Type.Array(Type.Integer(), { description: 'The volume of each stage, in order.' }),
    stage_started_at: Moment('When the stage began.'),
    is_resting: Type.Boolean({
      description: 'The stage has not begun: nothing leaves before, because the stage before was broken off.',
    }),
    stage_ends_at: Moment('When the stage ends, at the latest.'),
    sent: Type.Integer({ description: 'What has left in this stage.' }),
    hourly_limit: Type.Integer(),
    sent_in_hour: Type.Integer(),
    forecast: Type.Union(
      [
        Type.Null(),
        Type.Object({
          warm_at: Type.Union([Type.String(), Type.Null()], {
            description: 'When it is warm if it goes on as its latest stages did. Null: never, at this rate.',
          }),
          earliest_at: Moment('When it is warm if every stage is followed by the next.'),
          rate: Type.Number({ description: 'Stages gained by each stage, of the latest seven.' }),
          decisions: Type.Integer({ description: 'How many stages that follows from; 0: none has ended.' }),
        }),
      ],
      { description: 'Null when it is warm.' },
    ),
  },
  { title: 'IpWarmupPlan' },
);

export const listWarmupPlans = contract({
  ...common,
  method: 'GET',
  operationId: 'listIpWarmupPlans',
  path: '/v1/galley/ip_warmups',
  summary: 'List warm-ups with their plans and forecasts',
  description: 'Those that are through, too. By address.',
  query: Type.Object(skipFields({ limit: 100 })),
  reply: Type.Object({ ...countedFields, items: Type.Array(Plan) }),
  errors: ['invalid_request'],
});

export const listWarmupDecisions = contract({
  ...common,
  method: 'GET',
  operationId: 'listIpWarmupDecisions',
  path: '/v1/galley/ip_warmups/{addr}/decisions',
  summary: 'List what followed from each stage, and why',
  description: 'The latest 400, newest first.',
  params: Named,
  reply: Type.Object({ items: Type.Array(Decision) }),
  errors: ['not_found'],
});

export const changeWarmupPlan = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateIpWarmupPlan',
  path: '/v1/galley/ip_warmups/{addr}',
  summary: 'Change the stages of a warm-up',
  description: 'The stage that runs goes on with its new volume from its next hour on.',
  params: Named,
  sample: { stages: [500, 1000, 2500] },
  body: Type.Object({ stages }),
  reply: Plan,
  errors: ['invalid_request', 'not_found'],
});

export const proposeWarmupPlan = contract({
  ...common,
  method: 'GET',
  operationId: 'getIpWarmupProposal',
  path: '/v1/galley/ip_warmup_plans',
  summary: 'Propose the stages of a warm-up',
  description: 'A published schedule of volumes up to a target, and when the address would be warm with it.',
  query: Type.Object({ target_volume: Type.Integer({ ...target, default: 53_328 }) }),
  reply: Type.Object({
    stages: Type.Array(Type.Integer()),
    earliest_at: Moment('When it is warm if it began now and every stage is followed by the next.'),
    source: Type.Object({
      name: Type.String(),
      publisher: Type.String(),
      url: Type.String(),
      read_on: Type.String({ format: 'date' }),
    }),
  }),
  errors: ['invalid_request'],
});
