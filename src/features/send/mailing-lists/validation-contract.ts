import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { ValidationJobView } from '../address-validations/index.ts';
import { common, ListPath } from './contract.ts';

const validation = {
  ...common,
  product: 'validations_bulk',
  path: '/v3/lists/{list_address}/validate',
  params: ListPath,
} as const;

export const createValidation = contract({
  ...validation,
  method: 'POST',
  operationId: 'createMailingListValidation',
  summary: 'Validate the members of a mailing list',
  description:
    'All of up to 100,000 members, those who unsubscribed among them, in the background: a list of addresses as those ' +
    'of `/v4/address/validate/bulk`, which lists it by the address of the mailing list. Each member counts as one ' +
    'email validation at once. No member is changed by what is found.',
  status: 202,
  reply: Type.Object({ id: Type.String({ description: 'The address of the list.' }), message: Type.String() }),
  errors: ['invalid_request', 'not_found', 'conflict', 'too_many_requests'],
});

export const getValidation = contract({
  ...validation,
  method: 'GET',
  operationId: 'getMailingListValidation',
  summary: 'Get what is found of the members of a mailing list',
  description: 'How far it is, and what was found so far.',
  reply: ValidationJobView,
  errors: ['not_found'],
});

export const deleteValidation = contract({
  ...validation,
  method: 'DELETE',
  operationId: 'deleteMailingListValidation',
  summary: 'Cancel or delete the validation of a mailing list',
  description: 'Its results are deleted. What was counted stays counted.',
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found'],
});
