// Delivery that leaves nothing out of the machine: the message is kept already, and counts as delivered.
import { sandboxNameOf } from '../sending-domains/index.ts';
import type { Carrier, DeliveryStatus, Outcome } from './outcomes.ts';
import { sandboxOutcome } from './sandbox.ts';

const STATUS: DeliveryStatus = {
  code: 250,
  message: 'OK',
  description: 'Captured: it was kept on this machine, and did not leave it.',
};
const TEST_STATUS: DeliveryStatus = { code: 250, message: 'OK', description: 'A test: it was not sent.' };

/** Settles every delivery. Recipients of the account's sandbox domain answer by their names. */
export const capture: Carrier = async (outside, attempts) => {
  const now = outside.clock.now();
  return new Map(
    attempts.map(({ delivery, message }): [string, Outcome] => {
      const { recipient, accountId, attempts: count } = delivery;
      const at = recipient.lastIndexOf('@');
      const isSandbox = recipient.slice(at + 1).toLowerCase() === sandboxNameOf(outside, accountId);
      const turn = { attempts: count, now };
      const answer = isSandbox && !message.options.isTest ? sandboxOutcome(recipient.slice(0, at), turn) : undefined;
      return [delivery.id, answer ?? { end: 'delivered', status: message.options.isTest ? TEST_STATUS : STATUS }];
    }),
  );
};
