import { Type } from 'typebox';
import { RESULTS, RISKS, type Result, type Risk } from '../../../engines/address-validation/index.ts';
import { contract } from '../../../platform/http/index.ts';

export const ADDRESS_MAX = 512;
/** Of a list that is validated. */
export const ADDRESSES_MAX = 100_000;
export const FILE_BYTES_MAX = 25 * 1024 * 1024;
/** Lists of an account, at a time. */
export const UNFINISHED_MAX = 5;
/** Addresses that one turn of the job validates. */
export const PART = 100;
/** Lists are kept for so long. */
export const DAYS = 30;
/** Own mail is looked at for so long. */
export const HISTORY_DAYS = 30;
export const CHECKS = ['syntax', 'dns', 'disposable', 'role', 'typo', 'history', 'probe'] as const;
export const OUTCOMES = ['passed', 'failed', 'noted', 'unknown', 'not_made'] as const;

/** How many addresses of a list have each result, and each risk. */
export interface Summary {
  result: Record<Result, number>;
  risk: Record<Risk, number>;
}

const text = Type.String();
const maybe = Type.Union([Type.String(), Type.Null()]);

const Check = Type.Object({
  check: Type.Enum([...CHECKS]),
  outcome: Type.Enum([...OUTCOMES], {
    description: '`noted`: nothing is wrong, and it is worth knowing. `unknown`: there was no answer.',
  }),
  text: Type.String({ description: 'A sentence for people.' }),
  as_of: Type.Optional(
    Type.String({ description: 'The day of the list that was looked at, or when the server was asked.' }),
  ),
});

const Engagement = Type.Object({
  engaged: Type.Boolean({ description: 'The recipient opened or clicked mail of this account within 30 days.' }),
  is_bot: Type.Boolean({ description: 'Programs alone opened or clicked.' }),
  engagement: Type.Enum(['highly engaged', 'engaged', 'disengaged', 'complainer', 'bot']),
});

const validationFields = {
  address: text,
  did_you_mean: Type.Union([Type.String(), Type.Null()], { description: 'The address that was probably meant.' }),
  engagement: Type.Optional(Engagement),
  is_disposable_address: Type.Boolean(),
  is_role_address: Type.Boolean(),
  reason: Type.Array(text, { description: 'The first one settles the result.' }),
  result: Type.Enum([...RESULTS]),
  risk: Type.Enum([...RISKS]),
  root_address: Type.Union([Type.String(), Type.Null()], {
    description: 'The same mailbox without what its provider ignores, such as a tag; null where that is not known.',
  }),
  probed_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: "When the domain's server was asked for the mailbox; none: it was not.",
    }),
  ),
};

const AddressValidation = Type.Object(
  {
    ...validationFields,
    checks: Type.Array(Check, { description: 'What was looked at, and what it said.' }),
  },
  { title: 'AddressValidation' },
);

export const common = { tag: 'Address validation', errorShape: 'message', rights: 'validations' } as const;
const single = { ...common, product: 'validations', errors: ['invalid_request'] } as const;
const address = Type.String({ minLength: 1, maxLength: ADDRESS_MAX, description: 'One address, without a name.' });
const lookup = Type.Optional(
  Type.String({
    maxLength: 10,
    description: 'Taken, and without effect: whether servers are asked is a setting of the operator.',
  }),
);
const ABOUT =
  'Says what is known of an address: whether it is written as one, whether its domain takes mail, what public lists and ' +
  "the account's own mail say of it. Where the operator switched it on (`GALLEY_VALIDATION_PROBE`), the domain's server " +
  'is asked for what nothing else settles. What cannot be known is `unknown`. Each call counts as one email ' +
  'validation, and writes an event.';

export const validateAddress = contract({
  ...single,
  method: 'GET',
  operationId: 'validateAddress',
  path: '/v4/address/validate',
  summary: 'Validate an address',
  description: ABOUT,
  query: Type.Object({ address, provider_lookup: lookup }),
  reply: AddressValidation,
});

export const validatePostedAddress = contract({
  ...single,
  method: 'POST',
  isQuery: true,
  operationId: 'validatePostedAddress',
  path: '/v4/address/validate',
  summary: 'Validate an address of a form',
  description: ABOUT,
  sample: { address: 'ann@example.com' },
  body: Type.Object({ address, provider_lookup: lookup }),
  reply: AddressValidation,
});

const OlderValidation = Type.Object(
  {
    address: text,
    did_you_mean: maybe,
    is_disposable_address: Type.Boolean(),
    is_role_address: Type.Boolean(),
    is_valid: Type.Boolean({ description: 'It is written as an address, and its domain may take mail.' }),
    mailbox_verification: Type.Enum(['true', 'false', 'unknown']),
    parts: Type.Object({ display_name: maybe, domain: maybe, local_part: maybe }),
    reason: maybe,
  },
  { title: 'OlderAddressValidation' },
);

function olderAt(path: string, operationId: string) {
  return contract({
    ...single,
    method: 'GET',
    operationId,
    path,
    summary: 'Validate an address, in the older shape',
    description: ABOUT,
    deprecated: { since: '@1546300800', successor: '/v4/address/validate' },
    query: Type.Object({ address, mailbox_verification: lookup }),
    reply: OlderValidation,
  });
}

export const validateAddressV3 = olderAt('/v3/address/validate', 'validateAddressV3');
export const validatePrivateAddressV3 = olderAt('/v3/address/private/validate', 'validatePrivateAddressV3');
