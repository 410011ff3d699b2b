// Mail in: the SMTP listener. Mail out: the mailer.
export {
  createSmtpListener,
  SmtpRefusal,
  type SmtpEnvelope,
  type SmtpListener,
  type SmtpListenerOptions,
  type SmtpLogin,
} from './smtp-in.ts';
export { clearIncoming, type ReceivedFile } from './receive-file.ts';
export { createPopListener, type PopMailbox } from './pop3.ts';
export { createSubmissionListener } from './submission.ts';
export type { AskedServer } from './ask-server.ts';
export type { Delivery, SmtpReply, Spoken, Talk } from './delivery.ts';
export type { MailboxProvider } from './destinations.ts';
export { createMailer, type Mailer, type MailerOptions, type MailLease } from './mailer.ts';
export { drainSpool, type Drain, type DrainOptions } from './drain.ts';
export { openSpool, type Spool, type Spooled } from './spool.ts';
export { nextAttempt, ORDINARY_MAIL, type RetryPolicy } from './next-attempt.ts';
export { findServers } from './find-servers.ts';
