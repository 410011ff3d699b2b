// Mailboxes at providers, read by IMAP: where did a message land, and what came?
export { checkServer, openMailbox } from './guard.ts';
export { createMailbox } from './mailbox.ts';
export type { FolderPlace, MailboxAccount, MailboxCopy, MailboxLimits, NewMessages } from './types.ts';
