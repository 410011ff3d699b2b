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

/**
 * Settles what was accepted in the mode `capture`, tests, and what is for the account's sandbox domain, whose recipients
 * answer by their names. By the mode that a message was accepted in: one that was captured never leaves later.
 */
export const capture: Carrier = async (outside, attempts) => {
  const now = outside.clock.now();
  return new Map(
    attempts.flatMap(({ delivery, message }): [string, Outcome][] => {
      const { recipient, accountId, attempts: count } = delivery;
      const { isTest } = message.options;
      const at = recipient.lastIndexOf('@');
      const isSandbox = recipient.slice(at + 1).toLowerCase() === sandboxNameOf(outside, accountId);
      if (message.mode === 'live' && !isSandbox && !isTest) return [];
      const turn = { attempts: count, now };
      const answer = isSandbox && !isTest ? sandboxOutcome(recipient.slice(0, at), turn) : undefined;
      return [[delivery.id, answer ?? { end: 'delivered', status: isTest ? TEST_STATUS : STATUS }]];
    }),
  );
};
