import { defineExpiry } from '../../../platform/feature/retention.ts';
import { sweepMessages } from './kept.ts';

export const sweep = defineExpiry({
  name: 'message.sweep',
  everySeconds: 600,
  run: sweepMessages,
});
