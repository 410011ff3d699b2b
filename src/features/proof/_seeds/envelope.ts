// Envelopes that callers give, and senders that they may use.
import { invalid } from '../../../platform/errors/index.ts';
import type { AssumedEnvelope } from './store.ts';

const HOST = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*\.?$/i;

function isIp(text: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(text)
    ? text.split('.').every((part) => Number(part) <= 255)
    : /^[0-9a-f:]*:[0-9a-f:]*(\.\d+){0,3}$/i.test(text) && URL.canParse(`http://[${text}]/`);
}

/** Checks an envelope; throws `invalid_request` naming the field, `ipField` for the address. */
export function readEnvelope(
  { ip, helo, reverseDns, mailFrom }: AssumedEnvelope,
  ipField = 'envelope.ip',
): AssumedEnvelope {
  if (ip !== null && !isIp(ip)) throw invalid(ipField, `"${ip}" is not an IP address.`);
  if (helo !== null && !HOST.test(helo) && !/^\[[0-9a-f:.]+\]$/i.test(helo))
    throw invalid('envelope.helo', `"${helo}" is neither a host name nor an address in brackets.`);
  if (reverseDns !== null && reverseDns !== '' && !HOST.test(reverseDns))
    throw invalid('envelope.reverse_dns', `"${reverseDns}" is not a host name.`);
  if (mailFrom !== null && mailFrom !== '' && !/^[^\s<>@\0]+@[^\s<>@\0]+$/.test(mailFrom))
    throw invalid('envelope.mail_from', `"${mailFrom}" is not an email address.`);
  return { ip, helo, reverseDns: reverseDns?.replace(/\.$/, '') ?? null, mailFrom };
}
