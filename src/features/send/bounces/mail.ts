// The receiver of what comes back: at the return path of each delivery.
import { bounceTokenOf, openDelivery } from '../../../engines/delivery-tokens/index.ts';
import type { Outside, SpooledMailReceiver } from '../../../platform/feature/index.ts';
import { deliverySecret } from '../messages/index.ts';
import { receiveReport, type DeliveryName } from './reports.ts';

type Doors = Pick<Outside, 'secrets'>;

/** The delivery whose return path this is. Whatever the host is: the token was made here. */
function deliveryAt(outside: Doors, address: string): DeliveryName | undefined {
  const token = bounceTokenOf(address);
  return token === undefined ? undefined : openDelivery(token, deliverySecret(outside, 'bounce'));
}

export const returnedMail: SpooledMailReceiver = {
  name: 'returned mail',
  delivery: 'spooled',
  accepts: async (outside, address) => deliveryAt(outside, address) !== undefined,
  async receive(outside, raw, { from, recipients }) {
    for (const address of recipients) {
      const delivery = deliveryAt(outside, address);
      if (delivery) await receiveReport(outside, raw, { delivery, isFromServer: from === '' });
    }
  },
};
