import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { tryToIssue } from './issue.ts';

/** Asks the authority for one certificate. A try that is cut short is made up for later, by when it is due again. */
export const issue = defineJob({
  name: 'tracking-certificates.issue',
  payload: Type.Object({ accountId: Type.String(), domainId: Type.String(), host: Type.String() }),
  lane: 'net',
  urgency: 'bulk',
  sameAs: ({ domainId, host }) => `${domainId} ${host}`,
  attempts: 1,
  timeoutMs: 180_000,
  run: (outside, place, { signal }) => tryToIssue(outside, place, signal),
});
