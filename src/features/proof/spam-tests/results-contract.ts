// Spam tests that were made: one of them, its message, and the providers that judge them.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { Deleted } from '../_inspections/index.ts';
import { common, DetailedTest, Links, Meta, Named, Nullable, PATH } from './contract.ts';

export const listProviders = contract({
  ...common,
  method: 'GET',
  operationId: 'listSpamTestProviders',
  path: `${PATH}/providers`,
  summary: 'List the providers that spam tests go to',
  description: 'Lists the simulated receivers of Galley, and the providers at which the account owns seed mailboxes.',
  reply: Type.Object({
    meta: Meta,
    items: Type.Array(
      Type.Object({
        domain: Type.String(),
        display_name: Type.String(),
        category: Type.Enum(['b2c', 'b2b']),
        kind: Type.Enum(['receiver', 'mailbox']),
        simulated: Type.Boolean(),
        about: Type.String(),
        region: Type.String(),
      }),
    ),
    b2c: Type.Array(Type.String({ description: 'Domain.' })),
    b2b: Type.Array(Type.String({ description: 'Domain.' })),
    links: Links,
  }),
});

export const getTest = contract({
  ...common,
  method: 'GET',
  operationId: 'getSpamTest',
  isPolled: true,
  path: `${PATH}/{spam_test_id}`,
  summary: 'Get a spam test',
  description:
    'While it is processing, the header `Retry-After` says when to ask again; results appear as they arrive.',
  params: Named,
  reply: Type.Object({ meta: Meta, item: DetailedTest, links: Links }),
  errors: ['not_found'],
});

export const deleteTest = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteSpamTest',
  path: `${PATH}/{spam_test_id}`,
  summary: 'Delete a spam test and its results',
  description: 'The message and its results are deleted. This cannot be undone.',
  params: Named,
  reply: Deleted,
  errors: ['not_found'],
});

export const getContent = contract({
  ...common,
  method: 'GET',
  operationId: 'getSpamTestContent',
  path: `${PATH}/{spam_test_id}/content`,
  summary: 'Get the message of a spam test, as it was sent',
  description: 'The places in `analysis.filters[].rules[]` are lines, columns and offsets in `html` or `text`.',
  params: Named,
  reply: Type.Object({
    subject: Type.String(),
    html: Nullable(Type.String()),
    text: Nullable(Type.String()),
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  }),
  errors: ['not_found'],
});
