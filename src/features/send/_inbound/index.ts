// Mail that comes in for the domains of accounts: who takes it says so on a list, and what is taken is kept for as long
// as the domain says, in the transaction that hands it on. What nobody takes is refused while the sender can be told.
import { defineFeature } from '../../../platform/feature/index.ts';
import { inboundMail } from './receive.ts';

export { headerOf } from './header.ts';
export {
  inboundTakers,
  type Addressed,
  type Arrival,
  type InboundDoors,
  type InboundTaker,
  type Offered,
} from './takers.ts';

export default defineFeature({ name: 'inbound', endpoints: [], mailReceivers: [inboundMail] });
