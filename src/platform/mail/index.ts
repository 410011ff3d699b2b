// Mail in: the SMTP listener. Mail out: the mailer.
export { createSmtpListener, SmtpRefusal, type SmtpEnvelope, type SmtpLimits, type SmtpListener, type SmtpListenerOptions } from './smtp-in.ts';
export type { Delivery, DeliveryOutcome, DirectRoute, Parcel, SmtpReply, TlsFacts } from './delivery.ts';
export { createMailer, type Mailer, type MailerOptions } from './mailer.ts';
export { drainSpool, type Drain, type DrainOptions } from './drain.ts';
export { openSpool, type Spool, type Spooled } from './spool.ts';
export { nextAttempt, ORDINARY_MAIL, type Attempts, type RetryPolicy } from './next-attempt.ts';
