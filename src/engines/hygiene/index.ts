// What a careful sender looks after in a message; pure.
export { checkHygiene, checkPartCharsets } from './check-hygiene.ts';
export { inboxClients } from './inbox-clients.ts';
export { inboxRows, summaryText, type InboxRow } from './preheader.ts';
