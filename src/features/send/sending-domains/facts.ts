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

/**
 * Records for authentication that were once as they should be are so no longer, or are again; `standing` of the
 * domain's checks says which. A deleted domain has none any more.
 */
export const domainRecordsChanged = defineFact({
  name: 'domain.records-changed',
  payload: Type.Object({
    accountId: Type.String(),
    domain: Type.String(),
    records: Type.Array(Type.Enum(['spf', 'dkim', 'dmarc'])),
  }),
});
