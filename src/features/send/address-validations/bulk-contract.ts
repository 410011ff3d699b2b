import { Type } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { EndlessPaging, pivotField, pivotFields } from '../../../platform/paging/index.ts';
import { ADDRESSES_MAX, common, DAYS, FILE_BYTES_MAX, UNFINISHED_MAX } from './contract.ts';

const count = Type.Integer();
const Summary = Type.Object({
  result: Type.Object({
    catch_all: count,
    deliverable: count,
    do_not_send: count,
    undeliverable: count,
    unknown: count,
  }),
  risk: Type.Object({ high: count, low: count, medium: count, unknown: count }),
});

export const ValidationJobView = Type.Object(
  {
    id: Type.String({ description: 'The name that it was given.' }),
    created_at: Type.Integer({ description: 'Seconds since 1970.' }),
    quantity: count,
    records_processed: count,
    status: Type.Enum(['created', 'processing', 'uploaded', 'failed'], {
      description: '`uploaded`: all is done, and the results can be read.',
    }),
    summary: Summary,
    download_url: Type.Optional(
      Type.Object(
        { csv: Type.String(), json: Type.String() },
        { description: 'The addresses themselves are the permission.' },
      ),
    ),
    reason: Type.Optional(Type.String({ description: 'Why it failed.' })),
  },
  { title: 'AddressValidationJob' },
);

const bulk = { ...common, product: 'validations_bulk', path: '/v4/address/validate/bulk' } as const;
const one = {
  ...bulk,
  path: '/v4/address/validate/bulk/{list_id}',
  params: Type.Object({ list_id: Type.String({ maxLength: 1000 }) }),
} as const;

export const listValidationJobs = contract({
  ...bulk,
  method: 'GET',
  operationId: 'listAddressValidationJobs',
  summary: 'List the lists that are validated',
  description: `By name; a page without jobs is the end. They are kept for ${DAYS} days.`,
  query: Type.Object({ ...pivotFields({ limit: 500 }), pivot: pivotField }),
  reply: Type.Object({ jobs: Type.Array(ValidationJobView), paging: EndlessPaging, total: count }),
  errors: ['invalid_request'],
});

export const createValidationJob = contract({
  ...one,
  method: 'POST',
  operationId: 'createAddressValidationJob',
  summary: 'Validate a list of addresses',
  description:
    'A CSV file, also with gzip, or a workbook of at most 25 MB, in which a column is named `email` or ' +
    `\`email_address\`. At most ${ADDRESSES_MAX.toLocaleString('en')} different addresses; those that come again are ` +
    `validated once. Each counts as one email validation at once: a list is taken whole or not at all. At most ` +
    `${UNFINISHED_MAX} lists of an account are validated at a time.`,
  bodyBytesMax: FILE_BYTES_MAX + 64 * 1024,
  fileField: 'file',
  isFormOnly: true,
  body: Type.Object({ file: readByItself(Type.String({ contentMediaType: '*/*' })) }),
  status: 202,
  reply: Type.Object({
    id: Type.String(),
    message: Type.String(),
    quantity: count,
    skipped: Type.Integer({ description: 'Rows that hold no text that could be an address.' }),
    problems: Type.Array(Type.Object({ row: count, message: Type.String() })),
  }),
  errors: ['invalid_request', 'conflict', 'too_large'],
});

export const getValidationJob = contract({
  ...one,
  method: 'GET',
  operationId: 'getAddressValidationJob',
  summary: 'Get a list that is validated',
  description: 'How far it is, and what was found so far.',
  reply: ValidationJobView,
  errors: ['not_found'],
});

export const deleteValidationJob = contract({
  ...one,
  method: 'DELETE',
  operationId: 'deleteAddressValidationJob',
  summary: 'Cancel or delete a list that is validated',
  description: 'Its addresses and results are deleted. What was counted stays counted.',
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found'],
});

function resultsAt(form: 'csv' | 'json') {
  return contract({
    ...common,
    product: 'validations_bulk',
    method: 'GET',
    operationId: `download${form === 'csv' ? 'Csv' : 'Json'}OfAddressValidations`,
    path: `/files/validations/{validation_id}/results.${form}`,
    summary: `Download results as ${form.toUpperCase()}; the address itself is the permission`,
    description: 'Needs no key.',
    params: Type.Object({ validation_id: Type.String({ maxLength: 100 }) }),
    reply: Type.Unknown(),
    errors: ['not_found'],
    access: 'none',
    isFile: true,
  });
}

export const downloadCsv = resultsAt('csv');
export const downloadJson = resultsAt('json');
