// What takes deliveries from the queue and carries them: the role `send`. Messages that were accepted in the mode
// `capture` are settled without leaving the machine.
import { defineFeature } from '../../../platform/feature/index.ts';
import { startSender } from './sender.ts';

export { deliveryChecks, type Attempt, type Carrier, type Outcome } from './outcomes.ts';
export { eventReactions, tellEvents } from './reactions.ts';

export default defineFeature({
  name: 'deliveries',
  endpoints: [],
  listeners: [
    {
      name: 'sending',
      role: 'send',
      start: async (outside) => {
        const sender = startSender(outside);
        return {
          about: `messages are ${outside.config.sending.delivery}d: nothing leaves the machine`,
          close: sender.close,
        };
      },
    },
  ],
});
