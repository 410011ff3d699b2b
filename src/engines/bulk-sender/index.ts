// The rules of large providers for bulk senders, and one-click unsubscribing (RFC 8058); pure.
export { checkBulkSender, offersToUnsubscribe } from './check-bulk-sender.ts';
export { bulkSenderFindings } from './findings.ts';
export { checkOneClick, unsubscribeAddresses, type OneClickReport } from './one-click.ts';
export type { BulkSenderInput, LiveUnsubscribe } from './types.ts';
