// Mailboxes at providers, read by IMAP: where did the message land?
export { createMailbox } from './mailbox.ts';
export type {
  CopyPlacement, FindOptions, Mailbox, MailboxAccount, MailboxCopy, MailboxFailure, MailboxFailureReason, MailboxFolder, MailboxLimits, MailboxOutcome, MessageToken,
} from './types.ts';
