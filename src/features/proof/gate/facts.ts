import { Type } from 'typebox';
import { defineFact } from '../../../platform/facts/index.ts';

/** All checks of an email ran, and its policy fails it. A gate that could not run publishes nothing. */
export const gateFailed = defineFact({
  name: 'gate.failed',
  payload: Type.Object({
    accountId: Type.String(),
    gateId: Type.String(),
    /** What reports call the email. */
    email: Type.String(),
    reasons: Type.Array(Type.String()),
  }),
});

/** A gate ended: it passed, it failed, or it could not run (`unknown`), for the reasons that are named. */
export const gateEnded = defineFact({
  name: 'gate.ended',
  payload: Type.Object({
    accountId: Type.String(),
    gateId: Type.String(),
    /** What reports call the email; absent where the gate could not run. */
    email: Type.Optional(Type.String()),
    verdict: Type.Enum(['pass', 'fail', 'unknown']),
    /** Sentences; where rules failed, the last one names them. */
    reasons: Type.Array(Type.String()),
  }),
});
