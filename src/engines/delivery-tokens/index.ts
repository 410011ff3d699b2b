// Names one delivery of one message in an address or a URL, so that what comes back with it is known to be answered to
// something that was sent from here, without a look into the database.
export { bounceAddress, bounceTokenOf } from './bounce-address.ts';
export { openDelivery, sealDelivery } from './delivery-token.ts';
