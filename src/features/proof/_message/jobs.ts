import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { sweepMessages } from './kept.ts';

export const sweep = defineJob({
  name: 'message.sweep',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 300_000,
  everySeconds: 600,
  run: sweepMessages,
});
