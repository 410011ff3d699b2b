// The operator's relay, as a URL.
import type { TlsPolicy } from './smtp-session.ts';

export interface Relay {
  host: string;
  port: number;
  tls: TlsPolicy;
  login?: { user: string; password: string };
}

/**
 * `smtps://` is TLS from the start (port 465), `smtp://` STARTTLS (port 587): verified when there is a password to
 * protect, else as offered. `?tls=off` does without. Throws a TypeError that does not repeat the password.
 */
export function readRelay(text: string): Relay {
  if (!URL.canParse(text)) throw new TypeError('The relay is not a URL.');
  const url = new URL(text);
  const host = decodeURIComponent(url.hostname)
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
  const isImplicit = url.protocol === 'smtps:';
  if ((!isImplicit && url.protocol !== 'smtp:') || host === '')
    throw new TypeError('The relay must be smtp://host or smtps://host.');
  const login =
    url.username === ''
      ? {}
      : { login: { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) } };
  const startTls: TlsPolicy =
    url.searchParams.get('tls') === 'off' ? 'none' : url.username === '' ? 'opportunistic' : 'verified';
  return {
    host,
    port: Number(url.port) || (isImplicit ? 465 : 587),
    tls: isImplicit ? 'implicit' : startTls,
    ...login,
  };
}
