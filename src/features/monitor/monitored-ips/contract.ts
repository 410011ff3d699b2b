import { Type } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { EndlessPaging, pivotField, pivotFields } from '../../../platform/paging/index.ts';
import { Listed } from '../blocklists/index.ts';

const text = Type.String();
const common = { tag: 'Monitored IP addresses', errorShape: 'message' } as const;
const all = '/v1/optimize/ip_addresses';
const one = `${all}/{ip}` as const;
const ip_pool = Type.String({ maxLength: 100, description: 'A name of your own, such as that of a pool.' });
const description = Type.String({ maxLength: 500 });

const MonitoredIp = Type.Object(
  {
    ip: text,
    ip_pool: text,
    description: text,
    state: Type.Enum(['healthy', 'listed'], { description: '`healthy` until a list was seen to have it twice.' }),
    listed: Type.Array(Listed),
  },
  { title: 'MonitoredIp' },
);
const Ip = Type.Object({ ip: Type.String({ maxLength: 60 }) });

export const listIps = contract({
  ...common,
  method: 'GET',
  operationId: 'listMonitoredIps',
  path: all,
  summary: 'List monitored IP addresses',
  description: 'By the text of the address.',
  query: Type.Object({ ...pivotFields({ limit: 100 }), ip: pivotField }),
  reply: Type.Object({ items: Type.Array(MonitoredIp), paging: EndlessPaging }),
  errors: ['invalid_request'],
});

export const addIp = contract({
  ...common,
  method: 'POST',
  operationId: 'addMonitoredIp',
  path: all,
  summary: 'Register an IP address',
  description: 'IPv4 or IPv6. It is watched from now on.',
  sample: { ip: '192.0.2.1', ip_pool: 'transactional', description: 'mail1' },
  body: Type.Object({
    ip: readByItself(Type.String({ description: 'A public address, such as `192.0.2.1` or `2001:db8::1`.' })),
    ip_pool: Type.Optional(ip_pool),
    description: Type.Optional(description),
  }),
  status: 201,
  reply: MonitoredIp,
  errors: ['invalid_request', 'too_many_requests'],
});

export const getIp = contract({
  ...common,
  method: 'GET',
  operationId: 'getMonitoredIp',
  path: one,
  summary: 'Get a monitored IP address',
  description: 'With the lists that it is on.',
  params: Ip,
  reply: MonitoredIp,
  errors: ['not_found'],
});

export const updateIp = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateMonitoredIp',
  path: one,
  summary: 'Change the pool or the description of an IP address',
  description: 'What is left out stays as it is.',
  params: Ip,
  sample: { ip_pool: 'marketing', description: 'mail1' },
  body: Type.Object({ ip_pool: Type.Optional(ip_pool), description: Type.Optional(description) }),
  reply: MonitoredIp,
  errors: ['invalid_request', 'not_found'],
});

export const deleteIp = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteMonitoredIp',
  path: one,
  summary: 'Remove an IP address from monitoring',
  description: 'What happened to it stays in the list of events.',
  params: Ip,
  reply: Type.Object({ message: text }),
  errors: ['not_found'],
});

const events = { ...common, tag: 'Blocklist monitoring' } as const;

export const listIpEvents = contract({
  ...events,
  method: 'GET',
  operationId: 'listIpBlocklistEvents',
  path: '/v1/blocklist-monitoring/events',
  summary: 'List when IP addresses came onto lists and off them',
  description: 'Newest first, kept for 400 days.',
  query: Type.Object({
    page: Type.Enum(['first', 'last', 'next', 'previous'], { default: 'first' }),
    limit: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
    event_id: pivotField,
    ip: Type.Optional(Type.String({ maxLength: 60 })),
    blocklist: Type.Optional(Type.String({ maxLength: 253, description: 'The zone of a list.' })),
    event: Type.Optional(Type.Enum(['ip_listed', 'ip_delisted'])),
    timerangeStart: Type.Optional(Type.String({ maxLength: 100, description: 'Unix seconds or RFC 3339, included.' })),
    timerangeEnd: Type.Optional(Type.String({ maxLength: 100, description: 'Not included.' })),
  }),
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        id: text,
        ip: text,
        ip_pool: text,
        timestamp: text,
        event: Type.Enum(['ip_listed', 'ip_delisted']),
        blocklist: text,
        name: text,
        reason: Type.Union([text, Type.Null()]),
      }),
    ),
    paging: EndlessPaging,
  }),
  errors: ['invalid_request'],
});

export const listIpBlocklists = contract({
  ...events,
  method: 'GET',
  operationId: 'listIpBlocklists',
  path: '/v1/blocklist-monitoring/blocklists',
  summary: 'List the blocklists that are asked about IP addresses',
  description: 'Without allow lists, and lists that are closed, paid or switched off.',
  reply: Type.Object({ items: Type.Array(Type.Object({ blocklist: text, name: text })) }),
});
