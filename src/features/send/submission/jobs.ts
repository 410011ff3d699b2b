import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { checkCertificate } from './certificate.ts';

/** Looks when the certificate ends. */
export const lookAtCertificate = defineJob({
  name: 'submission.look-at-certificate',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 3600,
  run: checkCertificate,
});
