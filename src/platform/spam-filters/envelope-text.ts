// Envelope values as header text. They come from callers, so nothing in them may end a line or a bracket.
import { isIP } from 'node:net';
import type { FilterEnvelope } from './types.ts';

const LENGTH_MAX = 320;

/** Printable ASCII without blanks and without what delimits values in a Received field. */
function headerToken(value: string): string {
  return value.replace(/[^\x21-\x7e]|[()<>[\];,"\\]/g, '').slice(0, LENGTH_MAX);
}

/** Printable ASCII on one line. */
export function headerText(value: string): string {
  return value
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, LENGTH_MAX);
}

/** `[192.0.2.1]` or `[IPv6:2001:db8::1]` (RFC 5321 §4.1.3); undefined for what is no address. */
function addressLiteral(ip: string): string | undefined {
  const family = isIP(ip);
  if (family === 0 || ip.includes('%')) return undefined;
  return family === 4 ? `[${ip}]` : `[IPv6:${ip}]`;
}

/** RFC 5322 §3.3, in UTC. */
function dateText(date: Date): string {
  return date.toUTCString().replace(/GMT$/, '+0000');
}

/**
 * The trace fields that the receiving server would have put in front (RFC 5321 §4.4), in Postfix's form, which
 * SpamAssassin takes for the border of the trusted network. `X-Envelope-From` stands first: it is believed only above
 * every Received.
 */
export function traceFields(envelope: FilterEnvelope, now: Date): string {
  const receivedAt = envelope.receivedAt === undefined ? now : new Date(envelope.receivedAt);
  const reverse = headerToken(envelope.reverseDns ?? '') || 'unknown';
  const recipient = headerToken(envelope.rcptTo[0] ?? '');
  return [
    `X-Envelope-From: <${headerToken(envelope.mailFrom)}>`,
    `Received: from ${headerToken(envelope.helo) || 'unknown'} (${reverse} ` +
      `${addressLiteral(envelope.ip) ?? '[127.0.0.1]'})`,
    `\tby ${headerToken(envelope.receivedBy ?? '') || 'mx.local-receiver.example'} (Postfix) with ` +
      `${envelope.isEncrypted === false ? 'ESMTP' : 'ESMTPS'} id 4galley0received`,
    `\t${recipient ? `for <${recipient}>` : ''}; ${dateText(Number.isNaN(receivedAt.getTime()) ? now : receivedAt)}`,
    '',
  ].join('\r\n');
}
