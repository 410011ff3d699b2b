// Mailboxes at providers, read by IMAP: where did the message land?
export { createMailbox } from './mailbox.ts';
export type { Mailbox, MailboxAccount, MailboxCopy, MailboxFailure, MailboxLimits } from './types.ts';
