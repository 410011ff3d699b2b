// What a message looks like before it is opened: its row in the list of each client, and on a locked phone; pure. How
// much each client shows is data, with sources (data/inbox-rows).
export type { Sender } from './avatar.ts';
export { lockScreenNotifications } from './notifications.ts';
export { charactersOf, LOOKED_AT, readPreheader } from './preview-text.ts';
export { inboxRows, readForInbox, type InboxRow, type MessageForInbox } from './rows.ts';
export { rowsOfClients, sourceOf, TABLE_DATE, type Room } from './table.ts';
