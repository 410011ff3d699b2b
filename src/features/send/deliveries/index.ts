// What takes deliveries from the queue and carries them: the role `send`. Messages that were accepted in the mode
// `capture` are settled without leaving the machine; the others go to the world.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import type { Config } from '../../../platform/config/index.ts';
import { expire } from './jobs.ts';
import { openSendingIps } from '../sending-ips/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { jobs, listensTo, ofOpenAccounts } from './open-accounts.ts';
import { deliveryChecks } from './outcomes.ts';
import { startSender } from './sender.ts';

export { LAST_KEPT, listAttempts, type Conversation, type Exchange, type KeptAttempt } from './attempts-store.ts';
export {
  deliveryChecks,
  deliveryHolds,
  type Attempt,
  type Carrier,
  type DeliveryHolder,
  type Hold,
  type Outcome,
} from './outcomes.ts';
export { eventReactions, tellEvents } from './reactions.ts';
const WAYS = {
  capture: 'messages are captured: nothing leaves the machine',
  mx: 'messages are delivered to the servers that MX records name',
  relay: 'messages are delivered by the relay',
};

const wayOf = ({ sending, mail }: Config): keyof typeof WAYS =>
  sending.delivery === 'capture' ? 'capture' : mail.relayUrl === undefined ? 'mx' : 'relay';

export default defineFeature({
  name: 'deliveries',
  endpoints: [],
  migrations: migrationsIn(import.meta.url),
  jobs: [...jobs, expire],
  listensTo,
  adds: [addTo(deliveryChecks, ofOpenAccounts)],
  listeners: [
    {
      name: 'sending',
      role: 'send',
      start: async (outside) => {
        const ips = await openSendingIps(outside);
        const sender = startSender(outside, ips);
        const from = [...ips.hostNames.keys()].join(', ');
        return {
          about: `${WAYS[wayOf(outside.config)]}${from === '' ? '' : `, from ${from}`}`,
          async close() {
            await sender.close();
            await ips.close();
          },
        };
      },
    },
  ],
});
