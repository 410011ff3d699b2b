// The Received field that a host puts on top of what it takes (RFC 5321 §4.4).

interface Receipt {
  /** What the client called itself. */
  helo: string;
  ip: string;
  /** Name of the address, if it was confirmed. */
  reverseName: string | null;
  /** The receiving host. */
  by: string;
  /** `ESMTP`, `ESMTPS`, … (RFC 3848). */
  transmission: string;
  /** Queue identifier. */
  id: string;
  /** Recipient, when there is just one. */
  recipient?: string;
  tls?: { protocol: string; cipher: string } | null;
  at: Date;
}

/** One folded field, ended by CRLF. What a client said cannot end it. */
export function receivedField({ helo, ip, reverseName, by, transmission, id, recipient, tls, at }: Receipt): string {
  const literal = ip.includes(':') ? `[IPv6:${ip}]` : `[${ip}]`;
  const encryption = tls ? ` (${word(tls.protocol)} ${word(tls.cipher)})` : '';
  const lines = [
    `from ${word(helo) || 'unknown'} (${reverseName === null ? '' : `${word(reverseName)} `}` +
      `${word(literal)})${encryption}`,
    `by ${word(by)} with ${word(transmission)} id ${word(id)}` +
      `${recipient === undefined ? '' : ` for <${word(recipient)}>`};`,
    dateOf(at),
  ];
  return `Received: ${lines.join('\r\n ')}\r\n`;
}

/** Visible ASCII only, without what has a meaning in the field. */
function word(text: string): string {
  return text.replace(/[^!-~]|[()<>;\\"]/g, '').slice(0, 255);
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** RFC 5322 §3.3, in UTC. */
function dateOf(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return (
    `${DAYS[at.getUTCDay()]}, ${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()} ` +
    `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} +0000`
  );
}
