// The receiver of what arrives at traps.
import type { SpooledMailReceiver } from '../../../platform/feature/index.ts';
import { receiveAtTraps } from './receive.ts';
import { findTrapAt } from './store.ts';

export const trappedMail: SpooledMailReceiver = {
  name: 'spam traps',
  delivery: 'spooled',
  accepts: async ({ db }, address) => (await findTrapAt(db, address)) !== undefined,
  receive: (outside, raw, envelope) => receiveAtTraps(outside, raw, envelope),
};
