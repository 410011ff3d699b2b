// What a message looks like before it is opened: its row in the list of each client, and on a locked phone; pure. How
// much each client shows is data, with sources (data/inbox-rows).
export type { Avatar, Sender, SenderLogo } from './avatar.ts';
export type { HiddenCharacter } from './hidden-characters.ts';
export { lockScreenNotifications, type LockScreenNotification } from './notifications.ts';
export { charactersOf, LOOKED_AT, readPreheader, type Preheader } from './preview-text.ts';
export { inboxRows, readForInbox, type InboxRow, type MessageForInbox, type ReadForInbox } from './rows.ts';
export { rowsOfClients, sourceOf, TABLE_DATE, type Room, type Source } from './table.ts';
