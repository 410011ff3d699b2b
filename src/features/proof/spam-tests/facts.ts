import { Type } from 'typebox';
import { defineFact } from '../../../platform/facts/index.ts';

/** Each delivery of a spam test has an outcome, or the test was given up. */
export const spamTestEnded = defineFact({
  name: 'spam-test.ended',
  payload: Type.Object({
    accountId: Type.String(),
    testId: Type.String(),
    /** Of the seeds, simulated receivers counted, so many have the message in the inbox. */
    counts: Type.Union([Type.Object({ providers: Type.Integer(), passed: Type.Integer() }), Type.Null()], {
      description: 'Null: it was given up.',
    }),
    reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it was given up.' }),
  }),
});
