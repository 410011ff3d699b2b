// Mail in: the SMTP listener.
export { createSmtpListener, type SmtpEnvelope, type SmtpLimits, type SmtpListener, type SmtpListenerOptions } from './smtp-in.ts';
