import { Type } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { skipFields } from '../../../platform/paging/index.ts';

const Domain = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: Type.Enum(['custom', 'sandbox']),
    state: Type.Enum(['active', 'unverified', 'disabled']),
    created_at: Type.String({ description: 'RFC 2822, GMT.' }),
    is_disabled: Type.Boolean(),
    disabled: Type.Null(),
    require_tls: Type.Boolean(),
    skip_verification: Type.Boolean(),
    smtp_login: Type.String(),
    spam_action: Type.Enum(['disabled', 'block', 'tag']),
    use_automatic_sender_security: Type.Boolean(),
    archive_to: Type.Optional(Type.String()),
    mailfrom_host: Type.Optional(
      Type.String({
        description: 'The host of its return paths, once its CNAME is seen; none: that of the installation.',
      }),
    ),
    tracking_host: Type.Optional(Type.String({ description: '`web_prefix` before the name.' })),
    subaccount_id: Type.Optional(Type.String({ description: 'Where the domain is of a subaccount.' })),
    web_prefix: Type.String({ description: 'With the name: the host of tracked links, once its CNAME is seen.' }),
    web_scheme: Type.Enum(['http', 'https']),
    wildcard: Type.Boolean(),
    encrypt_incoming_message: Type.Boolean(),
    message_ttl: Type.Integer({ description: 'Seconds that an incoming message is kept.' }),
    verified_at: Type.Union([Type.String(), Type.Null()]),
    checked_at: Type.Union([Type.String(), Type.Null()], { description: 'When DNS was asked last.' }),
    next_check_at: Type.Union([Type.String(), Type.Null()], {
      description:
        'When the records of a domain that was never verified are looked for next; null: by verifying alone.',
    }),
  },
  { title: 'Domain' },
);

export const DnsRecord = Type.Object(
  {
    is_active: Type.Boolean({ description: 'Whether DNS holds the expected value.' }),
    cached: Type.Array(Type.String(), { description: 'What DNS answered last.' }),
    name: Type.String(),
    priority: Type.Optional(Type.String()),
    record_type: Type.Enum(['MX', 'TXT', 'CNAME']),
    valid: Type.Enum(['valid', 'invalid', 'unknown'], {
      description: '`unknown`: not checked yet, or DNS gave no answer.',
    }),
    value: Type.String(),
    purpose: Type.Enum(['spf', 'dkim', 'dmarc', 'tracking', 'return_path', 'mx'], {
      description:
        '`tracking`: the host of links; it is there where the service has a host (`GALLEY_PUBLIC_URL`). `return_path`: ' +
        '`mailfrom_host`, where the domain has one.',
    }),
    is_needed: Type.Boolean({ description: 'False for a recommended record.' }),
  },
  { title: 'DnsRecord' },
);

export const WithRecords = {
  domain: Domain,
  sending_dns_records: Type.Array(DnsRecord),
  receiving_dns_records: Type.Array(DnsRecord),
};
const name = Type.Object({ name: Type.String({ description: 'The domain, such as `mail.example.com`.' }) });
const Flag = Type.Optional(Type.Boolean());
const MESSAGE_TTL_MAX = 7_776_000;

/** Settings that follow later too; none has a default here. */
const later = {
  archive_to: Type.Optional(
    Type.String({
      description:
        'An http or https URL; empty: none. A copy of each message that is accepted from the domain is posted there; see ' +
        '`GET /v1/galley/archive_copies`. `o:archive-to` of a message goes before it.',
    }),
  ),
  message_ttl: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MESSAGE_TTL_MAX,
      description: 'Seconds that a message which comes in is kept; 259,200 unless said.',
    }),
  ),
  encrypt_incoming_message: Type.Optional(
    Type.Boolean({
      description:
        'Messages that come in from now on are encrypted where they are kept (AES-256-GCM, with the key of the service), so ' +
        'that neither the database, nor stored objects, nor the bucket show what is in them. Subject, sender, recipients ' +
        'and names of attachments stay readable there: lists and routes are made from them. So does what a route ' +
        'forwards or a mailing list passes on: that is a message that goes out.',
    }),
  ),
  use_automatic_sender_security: Type.Optional(
    Type.Boolean({
      description:
        'The DKIM records are two CNAME records into a zone of the operator (`GALLEY_KEYS_ZONE`), who publishes the keys ' +
        'there; they change by themselves, every 120 days unless the rotation says otherwise. Refused where there is none.',
    }),
  ),
};
const SpamAction = Type.Enum(['disabled', 'block', 'tag'], {
  description:
    'What becomes of spam that comes in: `disabled`: no filter is asked; `block`: it is refused while it is delivered; ' +
    '`tag`: every message carries `X-Mailgun-Sflag` (`Yes` or `No`) and `X-Mailgun-Sscore`.',
});
const WebScheme = Type.Enum(['http', 'https']);
const WebPrefix = Type.String({ pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' });

/** What may be changed of a domain. */
export const settingFields = {
  ...later,
  wildcard: Type.Optional(Type.Boolean({ description: 'Mail for names below the domain comes in, too.' })),
  spam_action: Type.Optional(SpamAction),
  web_scheme: Type.Optional(WebScheme),
  web_prefix: Type.Optional(WebPrefix),
  require_tls: Flag,
  skip_verification: Flag,
};

const common = { tag: 'Domains', errorShape: 'message', rights: 'domains' } as const;

type Version = 'v3' | 'v4';
/** The older version says so. */
const named = (operationId: string, version: Version): string => (version === 'v3' ? `${operationId}V3` : operationId);

export const listDomains = (version: Version) =>
  contract({
    ...common,
    method: 'GET',
    operationId: named('listDomains', version),
    path: `/${version}/domains`,
    summary: 'List sending domains',
    description: 'Pages by `limit` and `skip`, filtered by `state`, `authority` and `search`.',
    query: Type.Object({
      ...skipFields(),
      state: Type.Optional(Type.Enum(['active', 'unverified', 'disabled'])),
      sort: Type.Optional(Type.Enum(['name', 'name:asc', 'name:desc'])),
      search: Type.Optional(Type.String({ maxLength: 253, description: 'Part of the name.' })),
      authority: Type.Optional(
        Type.String({ maxLength: 253, description: 'Only domains that the keys of this domain sign for.' }),
      ),
      include_subaccounts: Type.Boolean({ default: false, description: 'Also those of subaccounts.' }),
    }),
    reply: Type.Object({ total_count: Type.Integer(), items: Type.Array(Domain) }),
    errors: ['invalid_request'],
  });

export const createDomain = (version: Version) =>
  contract({
    ...common,
    errorShape: 'reason',
    method: 'POST',
    operationId: named('createDomain', version),
    path: `/${version}/domains`,
    summary: 'Add a sending domain',
    description:
      'Makes a DKIM key and answers with the DNS records to publish. A name that another account has added, or ' +
      'verified, may be added as well: it belongs to the account that verifies it.',
    sample: { name: 'mail.example.com' },
    body: Type.Object({
      name: Type.String({ maxLength: 255 }),
      dkim_key_size: Type.Optional(
        Type.Union([Type.Literal(1024), Type.Literal(2048), Type.Literal('1024'), Type.Literal('2048')]),
      ),
      dkim_key_type: Type.Optional(Type.Enum(['rsa', 'ed25519'])),
      dkim_selector: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$' })),
      wildcard: Type.Boolean({ default: false }),
      spam_action: Type.Enum(['disabled', 'block', 'tag'], { default: 'disabled' }),
      web_scheme: Type.Enum(['http', 'https'], { default: 'http' }),
      web_prefix: Type.String({ default: 'email', pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' }),
      require_tls: Type.Boolean({ default: false }),
      skip_verification: Type.Boolean({ default: false }),
      ...later,
      dkim_host_name: Type.Optional(
        Type.String({ maxLength: 253, description: 'Taken from existing clients; it has no effect here.' }),
      ),
      force_root_dkim_host: Type.Optional(
        Type.Boolean({ description: 'Taken from existing clients; it has no effect here.' }),
      ),
      force_dkim_authority: Type.Boolean({
        default: false,
        description:
          'True: the keys of this domain sign for it. Else those of the nearest verified domain of the account above ' +
          'it do, where there is one.',
      }),
      smtp_password: Type.Optional(
        readByItself(
          Type.String({ description: '5 to 32 characters: SMTP credentials `postmaster@` with it are made, too.' }),
        ),
      ),
    }),
    reply: Type.Object({ message: Type.String(), ...WithRecords }),
    errors: ['invalid_request'],
  });

export const getDomain = (version: Version) =>
  contract({
    ...common,
    method: 'GET',
    operationId: named('getDomain', version),
    path: `/${version}/domains/{name}`,
    summary: 'Get a sending domain with its DNS records',
    description: 'Each record says whether DNS held it at the last check; `PUT …/verify` checks again.',
    params: name,
    reply: Type.Object(WithRecords),
    errors: ['not_found'],
  });

export const verifyDomain = (version: Version) =>
  contract({
    ...common,
    method: 'PUT',
    operationId: named('verifyDomain', version),
    path: `/${version}/domains/{name}/verify`,
    summary: 'Verify the DNS records of a domain now',
    description:
      'The domain is `active` once its DKIM record is found. The account that verified a name last has it; ' +
      'in other accounts the same name is `unverified` from then on, until they verify it in turn, for which their ' +
      'own DKIM record has to be in DNS.',
    params: name,
    reply: Type.Object({ message: Type.String(), ...WithRecords }),
    errors: ['not_found'],
  });

const Mode = Type.Enum(['capture', 'live']);
const Delivery = Type.Object(
  {
    delivery: Mode,
    effective: Type.Enum(['capture', 'live'], { description: 'What becomes of messages that are accepted now.' }),
    service: Type.Enum(['capture', 'live'], { description: '`GALLEY_DELIVERY`.' }),
  },
  { title: 'DomainDelivery' },
);

export const getDelivery = contract({
  ...common,
  tag: 'Delivery',
  method: 'GET',
  operationId: 'getDomainDelivery',
  path: '/v1/galley/domains/{name}/delivery',
  summary: 'Whether messages of a domain are delivered or captured',
  description: 'A service that captures delivers for no domain.',
  params: name,
  reply: Delivery,
  errors: ['not_found'],
});

export const putDelivery = contract({
  ...common,
  tag: 'Delivery',
  method: 'PUT',
  operationId: 'updateDomainDelivery',
  path: '/v1/galley/domains/{name}/delivery',
  summary: 'Capture messages of a domain, or let them be delivered',
  description: 'Holds for what is accepted from now on: a message keeps the mode that it was accepted in.',
  sample: { delivery: 'capture' },
  params: name,
  body: Type.Object({ delivery: Mode }),
  reply: Delivery,
  errors: ['invalid_request', 'not_found'],
});

export const getZone = contract({
  ...common,
  tag: 'Delivery',
  method: 'GET',
  operationId: 'getDomainZone',
  path: '/v1/galley/domains/{name}/zone',
  summary: 'Get who answers for the DNS of a domain',
  description:
    'Asks DNS now. `zone` is what records are entered under: most providers take the part of a name before it. All is ' +
    'null where DNS gives no answer.',
  params: name,
  reply: Type.Object(
    {
      zone: Type.Union([Type.String(), Type.Null()]),
      name_servers: Type.Array(Type.String()),
      provider: Type.Union([Type.String(), Type.Null()], {
        description: 'By the names of its name servers, where they are known.',
      }),
      hint: Type.Union([Type.String(), Type.Null()], { description: 'What to mind at this provider.' }),
    },
    { title: 'DomainZone' },
  ),
  errors: ['not_found'],
});

export const deleteDomain = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteDomain',
  path: '/v3/domains/{name}',
  summary: 'Delete a sending domain',
  description: 'The account can no longer send from the domain.',
  params: name,
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found'],
});
