import { Type } from 'typebox';
import { defineFact } from '../../../platform/facts/index.ts';

/** DNS was asked for the records of a domain; `state` is the domain's from then on. */
export const domainChecked = defineFact({
  name: 'domain.checked',
  payload: Type.Object({
    accountId: Type.String(),
    domain: Type.String(),
    state: Type.Union([Type.Literal('active'), Type.Literal('unverified'), Type.Literal('disabled')]),
  }),
});
