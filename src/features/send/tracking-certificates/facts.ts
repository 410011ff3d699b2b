import { Type } from 'typebox';
import { defineFact } from '../../../platform/facts/index.ts';

/**
 * The certificate of a tracking host ends soon, or does so no longer: `valid_to` is when the one that is used now ends,
 * null where there is none. `host` is the names of the certificate where it is the operator's.
 */
export const trackingCertificateChanged = defineFact({
  name: 'tracking-certificate.changed',
  payload: Type.Object({
    accountId: Type.String(),
    host: Type.String(),
    valid_to: Type.Union([Type.String(), Type.Null()]),
  }),
});
