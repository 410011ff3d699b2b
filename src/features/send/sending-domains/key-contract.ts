import { Type } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { EndlessPaging, pivotField } from '../../../platform/paging/index.ts';
import { DnsRecord } from './contract.ts';

const common = { tag: 'Domain keys', errorShape: 'message', rights: 'domains' } as const;

const DomainKey = Type.Object(
  {
    signing_domain: Type.String(),
    selector: Type.String(),
    active: Type.Boolean({ description: 'Whether it signs.' }),
    created_at: Type.String({ description: 'RFC 2822, GMT.' }),
    dns_record: Type.Object(
      {
        is_active: Type.Boolean({ description: 'Whether the key signs.' }),
        cached: Type.Array(Type.String(), { description: 'What DNS answered last.' }),
        name: Type.String(),
        record_type: Type.Enum(['TXT', 'CNAME', 'MX'], {
          description: '`CNAME`: into the zone of the operator, who publishes the key there.',
        }),
        valid: Type.Enum(['valid', 'invalid', 'unknown'], {
          description: 'Whether DNS holds the record; `unknown`: not asked yet, or DNS gave no answer.',
        }),
        value: Type.String(),
      },
      { title: 'DomainKeyRecord' },
    ),
  },
  { title: 'DomainKey' },
);

const message = Type.String();
const PUBLISH =
  'The answer holds the record to publish; `PUT /v4/domains/{authority_name}/keys/{selector}/activate` looks for it ' +
  'in DNS before the key signs.';

/** A field of a form or of the query, whichever a client uses. */
const field = (description: string) => Type.Optional(readByItself(Type.String({ description })));

export const listAllKeys = contract({
  ...common,
  method: 'GET',
  operationId: 'listDomainKeys',
  path: '/v1/dkim/keys',
  summary: 'List the keys of all domains',
  description: 'The keys with which the domains of the account sign (DKIM), those that are not active among them.',
  query: Type.Object({
    page: Type.Enum(['', 'first', 'next', 'previous', 'last'], {
      default: 'first',
      description: '`next` and `previous` are beside the pivot.',
    }),
    limit: Type.Optional(
      readByItself(
        Type.Integer({ minimum: 1, maximum: 1000, description: 'Keys of a page; 100 where it is left out or empty.' }),
      ),
    ),
    key: pivotField,
    signing_domain: Type.Optional(Type.String({ maxLength: 255, description: 'Only keys of this domain.' })),
    selector: Type.Optional(Type.String({ maxLength: 255, description: 'Only keys under this selector.' })),
  }),
  reply: Type.Object({ items: Type.Array(DomainKey), paging: EndlessPaging }),
  errors: ['invalid_request'],
});

export const createDomainKey = contract({
  ...common,
  method: 'POST',
  operationId: 'createDomainKey',
  path: '/v1/dkim/keys',
  summary: 'Add a key to a domain',
  description: `Makes an RSA key, or takes one of yours. It signs nothing yet. ${PUBLISH}`,
  sample: { signing_domain: 'mail.example.com', selector: 'spring' },
  body: Type.Object({
    signing_domain: field('A sending domain of the account.'),
    selector: field('Letters, digits and hyphens; another one than those of the keys that the domain has.'),
    bits: Type.Optional(
      Type.Union([Type.Literal(1024), Type.Literal(2048), Type.Literal('1024'), Type.Literal('2048')], {
        description: 'Length of a key that is made; 2048 unless said.',
      }),
    ),
    pem: field(
      'Your own private key instead, as a text or a file: PEM without a passphrase, RSA of 1024 to 4096 bits or ' +
        'Ed25519. It is kept encrypted, and no operation shows it again.',
    ),
  }),
  reply: DomainKey,
  errors: ['invalid_request', 'not_found'],
});

export const deleteDomainKey = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteDomainKey',
  path: '/v1/dkim/keys',
  summary: 'Delete a key of a domain',
  description:
    'The last active key stays. Leave its record in DNS for five days more: messages that it signed may still be on ' +
    'their way.',
  query: Type.Object({
    signing_domain: Type.String({ maxLength: 255 }),
    selector: Type.String({ maxLength: 255 }),
  }),
  reply: Type.Object({ message }),
  errors: ['invalid_request', 'not_found'],
});

const authority = Type.String({ description: 'The domain that the keys are of.' });
const keyParams = Type.Object({ authority_name: authority, selector: Type.String() });
const Activity = Type.Object({
  message,
  authority: Type.String(),
  selector: Type.String(),
  active: Type.Boolean(),
});

export const listKeys = contract({
  ...common,
  method: 'GET',
  operationId: 'listKeysOfDomain',
  path: '/v4/domains/{authority_name}/keys',
  summary: 'List the keys of one domain',
  description: 'The oldest first. At most ten, of which three may be active; each active key signs every message.',
  params: Type.Object({ authority_name: authority }),
  reply: Type.Object({ items: Type.Array(DomainKey) }),
  errors: ['not_found'],
});

export const activateKey = contract({
  ...common,
  method: 'PUT',
  operationId: 'enableDomainKey',
  path: '/v4/domains/{authority_name}/keys/{selector}/activate',
  summary: 'Let a key sign',
  description:
    'Asks DNS first, and refuses a key whose record is not there: what it signed would fail. Messages that leave ' +
    'afterwards carry its signature beside those of the other active keys.',
  params: keyParams,
  reply: Activity,
  errors: ['invalid_request', 'not_found'],
});

export const deactivateKey = contract({
  ...common,
  method: 'PUT',
  operationId: 'disableDomainKey',
  path: '/v4/domains/{authority_name}/keys/{selector}/deactivate',
  summary: 'Let a key sign no longer',
  description:
    'The last active key stays. Leave its record in DNS for five days more: messages that it signed may still be on ' +
    'their way.',
  params: keyParams,
  reply: Activity,
  errors: ['invalid_request', 'not_found'],
});

const name = Type.Object({ name: Type.String({ description: 'The domain, such as `mail.example.com`.' }) });

const flag = Type.Optional(readByItself(Type.Boolean({ description: 'True: its own keys.' })));

export const putAuthority = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateDkimAuthority',
  path: '/v3/domains/{name}/dkim_authority',
  summary: 'Say whose keys sign for a domain',
  description:
    'Its own, or those of the nearest domain of the account above it. A verified domain is changed only when DNS shows ' +
    'the keys that would sign. The field may stand in the query or in the body.',
  sample: { self: true },
  isBodyOptional: true,
  params: name,
  query: Type.Object({ self: flag }),
  body: Type.Object({ self: flag }),
  reply: Type.Object({ message, changed: Type.Boolean(), sending_dns_records: Type.Array(DnsRecord) }),
  errors: ['invalid_request', 'not_found'],
});

export const putSelector = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateDkimSelector',
  path: '/v3/domains/{name}/dkim_selector',
  summary: 'Change the selector that a domain signs under',
  description:
    'With the key that the domain has under it, or else with the key that signed so far. A verified domain is changed ' +
    'only when DNS shows the record under the new selector. The field may stand in the query or in the body.',
  sample: { dkim_selector: 'spring' },
  isBodyOptional: true,
  params: name,
  query: Type.Object({ dkim_selector: field('Letters, digits and hyphens.') }),
  body: Type.Object({ dkim_selector: field('Letters, digits and hyphens.') }),
  reply: Type.Object({ message }),
  errors: ['invalid_request', 'not_found', 'conflict'],
});

export const getKeysZone = contract({
  ...common,
  method: 'GET',
  operationId: 'getKeysZone',
  path: '/v1/galley/keys_zone',
  summary: 'Get what the operator publishes in the zone for keys',
  description:
    "For the deployment's first account: the records of the keys of all accounts' domains with " +
    '`use_automatic_sender_security`, one by one and as lines of a zone file. The service answers for no zone itself: a ' +
    'script of the operator reads this every hour at least and gives it to the name server. A key signs only once DNS ' +
    'has shown it for three hours, so that one that is not published makes no message fail.',
  reply: Type.Object({
    zone: Type.Union([Type.String(), Type.Null()], { description: '`GALLEY_KEYS_ZONE`; null: there is none.' }),
    is_bound: Type.Boolean({ description: 'There are more keys than the 20,000 that are listed.' }),
    records: Type.Array(
      Type.Object({ name: Type.String(), type: Type.Literal('TXT'), ttl: Type.Integer(), value: Type.String() }),
    ),
    zone_file: Type.String({ description: 'The same records, a line each.' }),
  }),
  errors: ['forbidden'],
});
